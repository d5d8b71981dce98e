#!/bin/bash
# each option that stap and staprun list is taken with its meaning, taken for nothing or refused with advice, as the list
# says; the manuals' tables have those that are not the same
# sanitizers: no
# (it limits the size of memory, which they do not bear)
list=$SRC/tests/options/peer-options.list
fail() { echo "$*"; cat out err; exit 1; }

# tapc WORD...: stops after the parser, but where the words say otherwise; taprun: a module that is not there
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

# Is it in the table of the manual, the heading of which is SYSTEMTAP'S OPTIONS?
in_manual()
{
	local page=tapc.1

	[[ $1 = stap ]] || page=taprun.8
	sed -n '/^.SH SYSTEMTAP/,$p' "$SRC/doc/$page" | tr -d '\\' | grep -qE -- "(^|[ ,])$2(\$|[[@ =,])" ||
		fail "doc/$page has no $2"
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
