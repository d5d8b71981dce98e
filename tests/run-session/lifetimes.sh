#!/bin/bash
# Files of a session that others hold, in some of all ways, while the session ends in some of all ways: an open file keeps the module, unloading it reports this and does not wait; tests/storm lifetimes tests all of them
# default: no
# timeout: 900
. "$SRC/tests/lib/kernel-log.sh"
. "$SRC/tests/lib/session.sh"
allow_fuse
[[ ! -x $BUILD/tapd ]] || tapd="--tapd $BUILD/tapd"
# 43 is coprime to the numbers of files, ways and ends
# shellcheck disable=SC2086
SPLAT=$kernel_splat ./lifetimes --every 43 --silent ./silent --taprun "$TAPRUN" $tapd ./t_lifetimes.ko
