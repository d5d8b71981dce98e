#!/bin/bash
# -D sets limits and macros for embedded C, a wrong one is reported; -G sets globals, -E adds script, - is standard
# input
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
# shellcheck disable=SC2086
tapc() { "$TAPC" $TAPC_ARGS "$@" >out 2>err; }
fail() { echo "$*"; head -n 20 out err; exit 1; }
e='probe begin { exit() }'
tapc -p3 -DMAXACTION=12345 -e "$e" && grep -q 12345 out || fail -DMAXACTION
tapc -p4 -m tap_d -g -DMINE=7 -e 'function f:long() %{ STAP_RETURN(MINE); %} probe begin { println(f()); exit() }' || fail -DMINE
tapc -p3 -DMINSTACKSPACE=4321 -DTRYLOCKDELAY=20 -DSTP_OVERLOAD_INTERVAL=123456789 -DSTP_OVERLOAD_THRESHOLD=12345678 -e "$e" || fail limits
for number in 4321 '= 200,' 123456789 12345678; do grep -q "$number" out || fail "limits: $number"; done
tapc -p3 -DSTP_NO_OVERLOAD -e "$e" && grep -q 'overload_interval = 0ull' out || fail -DSTP_NO_OVERLOAD
for bad in MAXACTION=x MAXACTION=-1 MAXERRORS= MAXSTRINGLEN=999999999; do
	tapc -p4 -m tap_d -D$bad -e "$e" && fail "-D$bad was taken"
	grep -q "${bad%%=*}" err || fail "-D$bad"
done
tapc -p2 -DMAXACTIONS=5 -e "$e" || fail -DMAXACTIONS
grep -q "warning: -D MAXACTIONS sets no limit; did you mean 'MAXACTION'?" err || fail -DMAXACTIONS
tapc -p2 -W -DMAXACTIONS=5 -e "$e" && fail "-W -DMAXACTIONS"
tapc -p2 -w -DMAXACTIONS=5 -e "$e" && [[ ! -s err ]] || fail "-w -DMAXACTIONS"
tapc -p2 -DMAXACTION=5 -DMY_OWN_WORD -e "$e" && [[ ! -s err ]] || fail "-DMY_OWN_WORD"
tapc -p3 -G n=42 -e 'global n probe begin { println(n) }' && grep -q 42 out || fail -G
tapc -p3 -G no_such=1 -e "$e" && fail '-G of nothing'
grep -q no_such err || fail '-G of nothing'
tapc -p3 -G a=1 -e 'global a probe begin { println(a[1]) }' && fail '-G of an array'
grep -q "'a' is an array" err || fail '-G of an array'
tapc -p2 -G a=1 -e 'global a probe begin { a <<< 1; println(@count(a)) }' && fail '-G of an aggregate'
grep -q "'a' is aggregate here" err || fail '-G of an aggregate'
tapc -p2 -G a=x -e 'global a probe begin { println(a + 1) }' && fail '-G of a text for a number'
grep -q "'a' is string here" err || fail '-G of a text for a number'
tapc -p2 -E 'probe end { }' -e "$e" && grep -q end out || fail -E
"$TAPC" -p1 - <<<"$e" | grep -q begin || fail -
