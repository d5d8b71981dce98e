#!/bin/bash
# --bound prints the maximum cost of a script, --max-cost and --max-memory refuse it with the position and advice, and
# the module enforces them
# shellcheck disable=SC2086
tapc() { "$TAPC" $TAPC_ARGS "$@" 2>&1; }
# numbers of bytes depend on the runtime; places in kernels are not needed
sizes() { sed 's/[0-9][0-9]* KB/N KB/g; s/with [0-9]* CPUs*/with N CPUs/'; }

cat >all.stp <<'S'
global a, b[50], once, reads
function leaf() { once++ }
function twice() { leaf(); leaf() }
function branch(depth) { if (depth) { branch(depth - 1); branch(depth - 1) } }
probe timer.ms(1) { a[1]++ }
probe timer.ms(2) { if (a[1]) { b[1]++; b[2]++; b[3]++ } else b[4]++ }
probe timer.ms(3) { for (i = 0; i < 10; i++) twice() }
probe timer.ms(4) { for (i = 9; i > 0; i -= 2) { i-- } }
probe timer.ms(5) { foreach (k in b) reads += k }
probe timer.ms(6) { foreach (k in b- limit 3) { reads += k; println(k) } }
probe timer.ms(7) { while (reads) reads-- }
probe timer.ms(8) { branch(9) }
probe begin { foreach (k in a) println(k) }
S
echo "== all"
tapc -p3 --bound all.stp | grep -v 'places' | sizes
echo "== a condition without a bound"
tapc -p3 --bound --suppress-time-limits -e 'global g function f() { i = 0; while (g) i++; return i } probe begin if (f() == 0) { println(g) }' |
	grep statements
echo "== as objects"
tapc -p3 --bound=2 --output=json all.stp | sed -n '2p;7p;$p' | sed 's/\("[a-z]*"\):[0-9][0-9]*\([,}]\)/\1:N\2/g; s/"statements":N/"statements":/'
memory() { tapc -p3 --bound="$1" --output=json all.stp | sed -n 's/.*"memory":\([0-9]*\).*/\1/p'; }
(($(memory 8) > 3 * $(memory 2))) || echo "8 processors need as much memory as 2: $(memory 8) $(memory 2)"

programs() { tapc -p3 --bound=2 --output=json -e "$1" | sed -n 's/.*"probes":\([0-9]*\).*/\1/p'; }
(($(programs 'probe process("/bin/sh").begin, process("/bin/cat").begin { next }') >
  $(programs 'probe process("/bin/sh").begin, process("/bin/sh").end { next }') + 400000)) ||
	echo "a program more needs no more memory"

recorder() { tapc -p3 --bound=2 "$@" | grep recorder; }
echo "== the recorder"
recorder -e 'probe begin { recorder_start(3) } probe end { recorder_start(2, "calls") }'
recorder -e 'global megabytes = 3 probe begin { recorder_start(megabytes) }'
recorder -e 'probe begin { println(recorder_events()) }'

refused()
{
	echo "== $*"
	tapc -p3 "$@" >text && echo "not refused"
	grep -E 'error|note' text | sizes
}
refused --max-cost=5 -e 'probe timer.ms(1) { while (1) { next } }'
refused --max-cost=90 -e 'probe timer.ms(1) { while (1) { next } }'
refused --max-cost=5 -e 'global a, b, c probe timer.ms(1) { a++; b++; c++; a++; b++; c++ } probe end { println(a + b + c) }'
refused --max-cost=90 -D MAXACTION=89 -e 'global a[200] probe timer.ms(1) { foreach (k in a) { println(k); println(k) } a[1] = 1 }'
refused --max-cost=90 -e 'function f(n) { if (n) { f(n - 1); f(n - 2) } } probe timer.ms(1) { f(5) }' -D MAXNESTING=100
refused --bound=2 --max-memory=1M -e 'global a[100000] probe timer.ms(1) { a[1]++ }'
refused --bound=2 --max-memory=20M -e 'probe begin { recorder_start(24, "calls") }'
refused --bound=2 --max-memory=2M -F -s 4 -e 'probe timer.ms(1) { println("") }'

held() { tapc -p3 "$@" | grep -o '\.actions = [0-9]*\|\.actions_interruptible = [0-9]*\|\.memory = [0-9]*' | tr '\n' ' '; echo; }
echo "== held"
held -e 'probe timer.ms(1) { println(1) }'
held --max-cost=200 --max-memory=64M -e 'probe timer.ms(1) { println(1) }'
held --max-cost=200 -D MAXACTION=100 -e 'probe timer.ms(1) { while (1) { println(1) } }'
# begin and end delay no other process
held --max-cost=200 -e 'global a probe begin { foreach (k in a) println(k) a[1]++ }'
