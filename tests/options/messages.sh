#!/bin/bash
# Each mistake on the command line gets one line that says what is wrong and what to do, and status 2
try()
{
	"$TAPC" "$@" </dev/null 2>&1
	echo "status $?"
}
s='probe begin { exit() }'
try
try -p9 -e "$s"
try -D '5=3' -e "$s"
try -G x -e "$s"
try -e "$s" -e 'probe end { }'
echo 'probe begin { }' >file.stp
try file.stp -e 'probe never { }'
try -m 'no-name' -p4 -e "$s"
try --color=blue -e "$s"
try -x self -e "$s"
try -T soon -e "$s"
try -s much -e "$s"
try -s 0 -e "$s"
try -s 1025 -e "$s"
try --output=xml -e "$s"
try --simulate --output=json -e "$s"
try --bound=some -e "$s"
try --bound=0 -e "$s"
try --bound --remote host -e "$s"
try --check --remote host -e "$s"
try --max-cost=0 -e "$s"
try --max-cost=few -e "$s"
try --max-memory=much -e "$s"
try --max-memory=4T -e "$s"
try --max-memory=0 -e "$s"
try --max-cost=5 --suppress-time-limits -e "$s"
try --monitor --remote host -e "$s"
try --values-of=x --simulate -e "$s"
try --values-of=x --replace=y -e "$s"
try -m
try --sysroot
try -Z -e "$s"
try '--1=2' -e "$s"
try --kbuild=1 -e "$s"
try --vp 9999999 -e "$s"
try --compatible=x -e "$s"
try --compatible=99 -e "$s"
try --modinfo 9=5 -e "$s"
try --sysenv PATH -e "$s"
try --rlimit-as=all -e "$s"
try -p1 --nonsense -e "$s"
try -p1 --kbiuld -e "$s"
try -p1 -G none=1 -e "$s"
try -p2 -G 'n=x' -e "global n = 1 $s"
try -p2 -G 'n=1' -e "global n[5] probe begin { n[1] = 1; exit() }"
try --simulate -D MAXACTION=few -e "$s"
try --simulate -D MAXSTRINGLEN=15 -e "$s"
try --simulate -D SCRATCH=1 -e "$s"
try -p2 -e "$s" -Z
try /none.stp
try --remote -x -e "$s"
try -r no/such -p2 -e "$s"
try --simulate -c true -e "$s"
try --simulate --cgroup=/x -e "$s"
try --simulate -e 'probe begin { print_backtrace() exit() }'
try --help-function surelynonesuch
try -p1 -e "$s" --
echo 'probe begin { println($1) exit() }' >one.stp
try -p2 one.stp 5 --nosuch
echo 'global keep = @option("keep", 1, "as in tapc") probe begin { println(keep) exit() }' >named.stp
try -p1 named.stp
{ "$TAPC" -p1 -e "$s" >/dev/full; } 2>&1
echo "status $?"
exit 0
