#!/bin/bash
# The last line of a failure names the pass, as SystemTap's does; what only asks, and wrong options, have none
last() { "$TAPC" "$@" </dev/null 2>err >out && { echo "$*: did not fail"; exit 1; }; tail -n 1 err; }
says() # PASS WHAT OPTION...
{
	local line="Pass $1: $2 failed.  [man error::pass$1]"

	[[ $(last "${@:3}") = "$line" && $(grep -c '^Pass' err) = 1 ]] || { echo "${*:3}:"; cat err; exit 1; }
}
none() { last "$@" >/dev/null; ! grep '^Pass' err || { echo "$*: names a pass"; exit 1; }; }

says 1 parse -p1 -e 'probe begin {'
says 1 parse --simulate -e 'probe begin { println($1) }'
says 1 parse -p1 nosuch.stp
says 2 analysis --simulate -e 'probe nosuch { }'
says 2 analysis --simulate -W -e 'global unused probe begin { println(1) }'
says 2 analysis -w --vp 0 --simulate -e 'probe nosuch { }'
says 3 translation --simulate --max-memory=1 -e 'global a probe begin { a[1] = 1; println(a[1]) }'
says 4 compilation --simulate -g -e 'function f() %{ not C %} probe begin { f() }'
says 5 run --simulate -e 'probe begin { error("no") }'
says 5 run --simulate -o /nosuch/file -e 'probe begin { println(1); exit() }'
none -l 'nosuch'
none -l 'begin {'
none -L 'begin('
none --help-probe nosuch
none --nosuch -e 'probe begin { }'
none -p 7 -e 'probe begin { }'
none --simulate -c true -e 'probe begin { }'
"$TAPC" --simulate -e 'probe begin { println("fine"); exit() }' >out 2>err
[[ $? = 0 && $(<out) = fine && ! -s err ]]
