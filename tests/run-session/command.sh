#!/bin/bash
# -c: the command starts after begin, target() is its process, its end ends the session, its status is passed on
# kernels: all
. "$SRC/tests/lib/session.sh"
run() { "$TAPRUN" -c "$1" ./t_command.ko >out 2>err; echo "$? $(tr '\n' ' ' <out)" | tee -a log; }
[[ $(run 'echo one') = '0 begin 1 one end ' ]] || fail 'a program' "$(cat log err)"
[[ $(run 'dd if=/dev/zero of=/dev/null bs=1 count=2 status=none') = '0 begin 1 hit hit end ' ]] || fail 'target()' "$(cat log)"
[[ $(run 'exit 42') = '42 begin 1 end ' ]] || fail 'its status' "$(cat log)"
[[ $(run 'kill -9 $$') = '137 begin 1 end ' ]] || fail 'its signal' "$(cat log)"
[[ $(run 'no-such-command 2>complaint') = '127 begin 1 end ' ]] || fail 'not found' "$(cat log)"
[[ $(run 'echo one; echo two | cat; (exit 3)') = '3 begin 1 one two end ' ]] || fail 'a list' "$(cat log)"
gone t_command
