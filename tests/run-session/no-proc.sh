#!/bin/bash
# Without /proc, or on a kernel without modules: reported in one line, nothing is loaded; sysfs, debugfs and tracefs are not needed
. "$SRC/tests/lib/session.sh"
unshare -m sh -c 'mount -t tmpfs none /proc; exec "$@"' sh "$TAPRUN" ./t_proc.ko >out 2>err
[[ $? = 5 && ! -s out ]] && grep -q '/proc is not mounted; mount' err || fail "$(cat out err)"
unshare -m sh -c 'mount -t tmpfs none /proc; mkdir /proc/self; echo >/proc/self/status; exec "$@"' sh "$TAPRUN" ./t_proc.ko >out 2>err
[[ $? = 5 && ! -s out && $(wc -l <err) = 1 ]] && grep -q 'this kernel cannot load modules (CONFIG_MODULES is off); tapc --vm' err || fail "without modules" "$(cat out err)"
unshare -m sh -c 'umount -l /sys/kernel/debug; umount -l /sys/kernel/tracing; umount -l /sys; exec "$@"' sh "$TAPRUN" -c 'dd if=/dev/zero of=/dev/null bs=1 count=1 status=none' ./t_proc.ko >out 2>err
[[ $? = 0 && $(<out) = $'begin\nhit' && ! -s err ]] || fail "without /sys" "$(cat out err)"
gone t_proc
