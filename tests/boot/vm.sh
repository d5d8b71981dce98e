#!/bin/bash
# --vm: a tool by its name; on ^C of a terminal, a SIGINT to the whole process group, the end probes run, files of -o arrive, a closed pipe ends it, and nothing is left
# default: no
# shellcheck disable=SC2086
fail() { echo "$*"; tail -n 40 out err text/* 2>/dev/null; exit 1; }
mkdir text tmp
export TMPDIR=$PWD/tmp
set -m		# a background job would ignore SIGINT
"$TAPC" $TAPC_ARGS --vm -o text/of-it -e 'probe begin { warn("has begun"); println("begin") } probe end { println("end") }' >out 2>err &
for ((i = 0; i < 3000; i++)); do
	! grep -q 'has begun' err || break
	sleep 0.1
done
kill -INT -- -$!
sleep 0.3
kill -INT $!		# timeout(1) sends it twice, too
wait $!
status=$?
[[ $status = 0 && ! -s out && $(<text/of-it) = $'begin\nend' ]] || fail "SIGINT and -o: $status"
[[ -z $(ls tmp) ]] || fail "left: $(ls tmp)"
"$TAPC" $TAPC_ARGS --vm -e 'probe timer.ms(100) { println("tick") } probe end { warn("ended") }' 2>err | head -n 2 >out
[[ $(<out) = $'tick\ntick' ]] && grep -q ended err || fail "a closed pipe"
[[ -z $(ls tmp) ]] || fail "left: $(ls tmp)"
"$TAPC" $TAPC_ARGS --vm --detach -e 'probe timer.s(1) { }' >out 2>err
[[ $? = 2 ]] && grep -q 'a guest of --vm ends with' err || fail "--detach"
# a tool of the gallery by its name, with options, which its module gets when it is started
"$TAPC" $TAPC_ARGS --vm -c 'cat /no-such-file; cat /etc/hostname >/dev/null; sh -c ". /no-such-script"; true' \
	opensnoop -x --name cat >out 2>err || fail "opensnoop"
awk 'NR == 1 { head = $1 == "PID" && $5 == "PATH"; next }
     $2 != "cat" || $3 != -1 || $4 == "-" { wrong++ }
     $5 == "\"/no-such-file\"" && $4 == "ENOENT" { found++ }
     END { exit !(head && !wrong && found == 1) }' out || fail "opensnoop -x --name cat"
"$TAPC" $TAPC_ARGS --vm --flame out.svg -c 'timeout 2 dd if=/dev/zero of=/dev/null bs=1M; true' profile --folded --name dd \
	>out 2>err || fail "profile --folded"
grep -q '^[0-9]* samples in' out && grep -q '<title>dd (' out.svg && grep -q '<title>\(read_zero\|read_iter_zero\) (' out.svg ||
	fail "profile --folded --flame: $(head -c 2000 out.svg)"
