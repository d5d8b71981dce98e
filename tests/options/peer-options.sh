#!/bin/bash
# each option that stap and staprun list is accepted with its meaning, accepted without effect or refused with advice, as in the list;
# the manuals' tables have those that differ
# sanitizers: no
# (it limits memory, which sanitizers do not support)
list=$SRC/tests/options/peer-options.list
fail() { echo "$*"; cat out err; exit 1; }

# tapc WORD...: stops after the parser, unless the words say otherwise; taprun: a module that does not exist
try()
{
	local program=$1

	shift
	if [[ $program = stap ]]; then
		"$TAPC" -p1 -e 'global g probe begin { println(g) }' "$@" >out 2>err
	else
		"$TAPRUN" "$@" /none.ko >out 2>err
	fi
}

# Whether it is in the manual's table below the heading SYSTEMTAP'S OPTIONS.
in_manual()
{
	local page=tapc.1

	[[ $1 = stap ]] || page=taprun.8
	# shellcheck disable=SC1003
	sed -n '/^.SH SYSTEMTAP/,$p' "$SRC/doc/$page.in" | tr -d '\\' | grep -qE -- "(^|[ ,])$2(\$|[[@ =,])" ||
		fail "doc/$page.in has no $2"
}

n=0
while read -r program option decision words; do
	[[ -n $program && $program != \#* ]] || continue
	text=
	[[ $words != *' | '* ]] || { text=${words#* | }; words=${words%% | *}; }
	[[ $decision = none ]] || grep -q "^$program $option same" "$list" || in_manual "$program" "$option"
	[[ -n $words ]] || continue
	n=$((n + 1))
	eval "try $program $words"
	status=$?
	if [[ -n $text ]]; then
		[[ ($status = 2 || $decision = none && $status = 3) && ! -s out ]] || fail "$program $words: status $status"
		grep -qF -- "$text" err || fail "$program $words: not '$text'"
	elif [[ $program = stap || $words = -[Vh] ]]; then
		[[ $status = 0 ]] || fail "$program $words: status $status"
	else
		[[ $status != 2 && -s err ]] || fail "$program $words: status $status"
	fi
done <"$list"
[[ $n -gt 90 ]] || fail "only $n were tried"
