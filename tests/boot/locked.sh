#!/bin/bash
# One processor; then a kernel that is locked down, accepts only signed modules, accepts none: one line says why and
# what to do, status 5, nothing is left
# shellcheck disable=SC2086
# default: no
"$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_locked -e 'global n probe begin { for (i = 0; i < 5000; i++) println("begin ", i) }
	probe kernel.function("write_null") { if (execname() == "dd") n++ } probe timer.ms(1) { ticks <<< 1 } global ticks
	probe end { println(n, " writes, ", @count(ticks) > 0 ? "ticks" : "no ticks") }' >out 2>err || { cat out err; exit 1; }
cat >guest <<'OUTER'
fail() { echo "$*"; cat out err; exit 1; }
[[ $(nproc) = 1 ]] || fail "$(nproc) processors"
"$TAPRUN" -c 'dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none' ./t_locked.ko >out 2>err || fail "one processor: $?"
{ seq -f 'begin %.0f' 0 4999; echo 3000 writes, ticks; } | cmp - out && [[ ! -s err ]] || fail "one processor"

refused()	# WHAT PATTERN
{
	"$TAPRUN" ./t_locked.ko >out 2>err
	[[ $? = 5 && ! -s out && $(wc -l <err) = 1 ]] || fail "$1: not one message and status 5"
	grep -q "^ERROR: $2" err || fail "$1: the message does not say '$2'"
	! grep t_locked /proc/modules || fail "$1: left loaded"
	[[ -z $(ls -d /proc/tap:* 2>/dev/null) ]] || fail "$1: left in /proc"
}
mountpoint -q /sys/kernel/security || mount -t securityfs none /sys/kernel/security
echo integrity >/sys/kernel/security/lockdown || fail "cannot lock down"
# the same in the report about the machine: WHAT COMMAND
reported()
{
	"$TAPC" --check-host >out 2>err
	[[ $? = 5 && ! -s err ]] || fail "--check-host: not status 5"
	sed -n "/^missing *signatures  *$1/,/^[^ ]/p" out | grep -qx " *> $2" || fail "--check-host does not report '$1' and '$2'"
}
refused "lockdown" "this kernel is locked down (Secure Boot?) and takes only signed modules; .*sign-file"
reported "this kernel is locked down" "tapc --sign-module"
echo Y >/sys/module/module/parameters/sig_enforce || fail "signatures cannot be required"
refused "signatures" "this kernel takes only signed modules .*sign-file"
echo 1 >/proc/sys/kernel/modules_disabled
refused "no modules" "module loading is off until the next boot (kernel.modules_disabled=1); reboot"
reported "module loading is off until the next boot" reboot
OUTER
# shellcheck disable=SC2086
$VM --smp 1 -- env TAPC="$TAPC" TAPRUN="$TAPRUN" bash ./guest
