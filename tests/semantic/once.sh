#!/bin/bash
# Which handlers print in one piece: those with one print, which is executed once at most.
# shellcheck disable=SC2086
fail() { echo "$*"; cat out; exit 1; }

# once WANTED SCRIPT OPTION...
once()
{
	local wanted=$1 script=$2 n

	shift 2
	"$TAPC" $TAPC_ARGS -w -p3 "$@" -e "$script" >out 2>&1 || fail "$script: does not translate"
	n=$(grep -c 'tap_print_once(' out)
	[[ $n = "$wanted" ]] || fail "$script: $n, expected $wanted"
}

timer() { once "$1" "global a; function f() { println(1); return 2 } probe timer.s(1) { $2 }"; }

timer 1 'printf("%s %d\n", execname(), pid())'
timer 1 'println("x")'
timer 1 'if (pid()) println(1 / pid())'
timer 1 'try { println(sprint(1 / pid())) } catch { a++ }'
# more than one, perhaps, or one by something else
timer 0 'println(1); println(2)'
timer 0 'if (pid()) println(1); else println(2)'
timer 0 'while (a++ < 5) println(1)'
timer 0 'f(); println(1)'
timer 0 'println(f())'
timer 0 'println(1); exit()'
timer 0 'println(1); warn("x")'
timer 0 'try { println(1 / pid()) } catch (m) { warn(m) }'
once 0 'global s probe timer.s(1) { s <<< pid(); print(@hist_log(s)) }'
once 0 'function f() %{ %} probe timer.s(1) { println(1); f() }' -g
# handlers that wait for the reader
once 0 'probe begin { println(1) }'
once 0 'probe end { println(1) }'
once 0 'probe timer.s(1) { println(1) }' --simulate
