#!/bin/bash
# A handler never runs more statements than --bound prints: random bodies that count their statements More of them:
# BOUND_SEEDS='100 500'.
# shellcheck disable=SC2086
set -- ${BOUND_SEEDS:-1 10}
cat >random.awk <<'S'
function pick(n) { return int(rand() * n) }
function block(depth, calls,	text, n) {
	for (n = 1 + pick(4); n > 0; n--)
		text = text " " stmt(depth, calls)
	return "{" text " }"
}
function stmt(depth, calls,	what, i) {
	what = depth ? pick(14) : 0
	if (what < 4)
		return "s++;"
	if (what < 6)
		return calls ? "f" pick(calls) "();" : "s++;"
	if (what == 6)
		return "if (s % 3) " block(depth - 1, calls) " else " block(depth - 1, calls)
	if (what == 7)
		return "try " block(depth - 1, calls) " catch " block(depth - 1, calls)
	if (what == 8)
		return "foreach (k" ++names " in a limit " pick(6) ") " block(depth - 1, calls)
	if (what == 9)
		return "foreach (k" ++names " in a-) " block(depth - 1, calls)
	if (what == 10)
		return recursive && calls ? "r(" pick(5) ");" : "s++;"
	if (what == 11 && pick(3) == 0)
		return "while (s % 1000 != 999) " block(depth - 1, calls)
	i = "i" ++names
	if (pick(2))
		return "for (" i " = " pick(3) "; " i " < " pick(9) "; " i "++) " block(depth - 1, calls)
	return "for (" i " = " pick(9) "; " i " >= " pick(3) "; " i " -= 2) " block(depth - 1, calls)
}
BEGIN {
	srand(seed)
	print "global s, a[5]"
	for (n = 0; n < 6; n++)
		print "function f" n "() " block(2, n)
	print "function r(depth) { s++; if (depth > 0) " block(1, 0) " if (depth > 0) { r(depth - 1); s++; r(depth - 1) } }"
	recursive = 1
	print "probe begin { for (i = 0; i < 5; i++) a[i] = i }"
	print "probe timer.ms(1) { if (!s) " block(4, 6) " }"
	print "probe timer.ms(3) { println(s); exit() }"
}
S
for ((seed = $1; seed <= $2; seed++)); do
	awk -v seed="$seed" -f random.awk >script.stp
	for limit in 50 1000; do
		bound=$("$TAPC" --simulate -w -D MAXACTION=$limit --bound --output=json script.stp |
			sed -n 's/.*"point":"timer.ms(1)".*"statements":\([0-9]*\).*/\1/p')
		ran=$("$TAPC" --simulate -w --no-global-var-display -D MAXACTION=$limit -D MAXERRORS=100 script.stp 2>err)
		[[ $bound && $ran =~ ^[0-9]+$ ]] || { echo "seed $seed: bound '$bound', ran '$ran'"; head err; failed=yes; continue; }
		((ran <= bound)) || { echo "seed $seed, MAXACTION $limit: ran $ran, bound $bound"; failed=yes; }
		((all += bound, sum += ran))
	done
done
[[ -z ${failed-} ]] || exit 1
# and the bound is not far above it (half of the branches of an 'if', and no catch block, is run)
((all < 20 * sum)) || { echo "$sum statements ran, and the bounds are $all"; exit 1; }
