#!/bin/bash
# --output=json: every line is an object; text, histograms, globals, warnings, statistics and status are preserved.
# json.check reads it.
# kernels: all
. "$SRC/tests/lib/session.sh"
"$TAPRUN" --output=json -t -c 'echo from command; exec dd if=/dev/zero of=/dev/null bs=1 count=100 status=none' ./t_json.ko >out 2>err || fail "$?" "$(cat out err)"
[[ $(sort err) = $'from command\nfrom system' ]] || fail "others' output" "$(cat err)"
mv out out.json
date +%s >now
"$TAPRUN" --output=json -o bad.json ./t_json_bad.ko >out 2>err
[[ $? = 1 && ! -s out && ! -s err ]] || fail "failing script" "$(cat out err)"

"$TAPRUN" --output=json ./none.ko >out 2>err
[[ $? = 5 && ! -s err && $(grep -c '^{"type":"error","text":"cannot read module .*none.ko' out) = 1 && $(tail -n 1 out) = '{"type":"exit","status":5}' ]] ||
	fail "no module" "$(cat out err)"
"$TAPRUN" --output=json -A none >out 2>err
[[ $? = 5 && ! -s err && $(wc -l <out) = 2 ]] || fail "no session" "$(cat out err)"

# -b: one file per CPU
"$TAPRUN" --output=json -b -o bulk -c 'for cpu in 0 1 0 1; do taskset -c $cpu dd if=/dev/zero of=/dev/null bs=1 count=50 status=none; done' \
	./t_json_bulk.ko 2>err || fail "-b: $?" "$(cat err)"
[[ -s bulk_cpu0 && -s bulk_cpu1 ]] || fail "-b: one processor wrote nothing" "$(ls bulk*)"

# losses
"$TAPRUN" -v --output=json -s 1 -o lost.json ./t_json_bulk.ko 2>err & pid=$!
wait_until contains lost.json begin
kill -STOP $pid
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=60000 status=none
kill -CONT $pid
kill -TERM $pid
wait $pid || fail "losses: $?" "$(cat err)"
