#!/bin/bash
# Two sessions at once on the same function: each counts all of its calls; -R lets one module run twice
# kernels: all
# hardened: no, another name (-R) would invalidate the signature
. "$SRC/tests/lib/session.sh"
set -m
"$TAPRUN" ./t_one.ko >out1 2>err1 & one=$!
"$TAPRUN" ./t_two.ko >out2 2>err2 & two=$!
"$TAPRUN" -R ./t_two.ko >out3 2>err3 & three=$!
for f in out1 out2 out3; do wait_until test -s $f; done
"$TAPRUN" ./t_one.ko >out4 2>err4
[[ $? = 5 ]] && grep -q 'is already loaded' err4 || fail "twice" "$(cat err4)"
dd if=/dev/zero of=/dev/null bs=1 count=1000 status=none
kill -INT $three; wait $three
dd if=/dev/zero of=/dev/null bs=1 count=1000 status=none
kill -INT $one; wait $one
dd if=/dev/zero of=/dev/null bs=1 count=1000 status=none
kill -INT $two; wait $two
echo "$(tail -n 1 out1), $(tail -n 1 out2), $(tail -n 1 out3)"
[[ "$(tail -n 1 out1), $(tail -n 1 out2), $(tail -n 1 out3)" = '2000 2000, 3000, 1000' ]] || fail "$(cat err?)"
! grep ^t_ /proc/modules
