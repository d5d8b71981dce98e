#!/bin/bash
# SystemTap and tapc: an intended difference is reported and explained, an unintended one is counted, the output of both
# in one guest is the same, and a script that one of them refuses is named
# timeout: 1800
# default: no
. "$SRC/tests/lib/kernels.sh"
. "$SRC/tests/lib/systemtap.sh"
[[ $(id -u) = 0 ]] || { echo "not root: no chroot"; exit 77; }
. "$SRC/tests/lib/packages.sh"
systemtap_fetch || { echo "SystemTap is not available"; exit 77; }
peer() { "$SRC/tests/peer" --build "$BUILD" "$@" >log 2>&1; status=$?; }
fail() { echo "$*"; cat log; exit 1; }

peer -p2 -e 'probe begin { printf("%-+5d|\n", 7) exit() }'
[[ $status = 0 ]] && grep -q 'verdict *Several flags in a format' log || fail "an explained difference"
peer -p2 -e 'probe begin { println(no_such_function()) exit() }'
[[ $status = 0 ]] && ! grep -q EXPLAINED log && [[ $(grep -c 'fails in pass 2' log) = 2 ]] || fail "refused by both"
peer -p2 -e 'probe begin { println(1) exit() } global n = @option("n", 1, "text")'
[[ $status = 1 ]] && grep -q 'verdict *NOT EXPLAINED' log || fail "an unexplained difference"
peer -e 'global n[10] probe begin { n["a"] = 5; foreach (k in n) printf("%s %d\n", k, n[k]); exit() }'
[[ $status = 0 ]] && [[ $(grep -cx 'a 5' log) = 2 ]] || fail "what both print"
peer --seed test --random 4 --pack 4
[[ $status = 0 ]] && grep -q '^4 random programs of seed test compared' log || fail "random programs"
