#!/bin/bash
# Without /proc, or with modules switched off: said in one line, nothing is loaded
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_proc -e 'probe begin { println("begin"); exit() }'
. "$SRC/tests/lib/session.sh"
unshare -m sh -c 'mount -t tmpfs none /proc; exec "$@"' sh "$TAPRUN" ./t_proc.ko >out 2>err
[[ $? = 5 && ! -s out ]] && grep -q '/proc is not there: mount' err || fail "$(cat out err)"
unshare -m sh -c 'umount -l /sys/kernel/debug; umount -l /sys/kernel/tracing; umount -l /sys; exec "$@"' sh "$TAPRUN" ./t_proc.ko >out 2>err
[[ $? = 0 && $(<out) = begin ]] || fail "without /sys" "$(cat out err)"
gone t_proc
