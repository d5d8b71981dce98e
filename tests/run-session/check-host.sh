#!/bin/bash
# --check-host where scripts can run; without headers; for users that tapd serves or refuses; each with the command, as a
# script gets it
# timeout: 600
# host: "$TAPC" $TAPC_ARGS -p4 -m t_runtime -e "probe begin { exit() }"
# hardened: no, scripts must be signed there
# default: no
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/tapd.sh"
make_users
chmod -R a+rX .
# check STATUS COMMAND...
check()
{
	"${@:2}" --check-host >out 2>err
	[[ $? = "$1" ]] || fail "not status $1: ${*:2}" "$(cat out err)"
}
# has STATE NAME [TEXT]: the row and what follows it
has()
{
	sed -n "/^$1 *$2 /,/^[^ ]/p" out | grep -q -- "${3:-.}" || fail "no '$1 $2' with '${3:-}'" "$(cat out err)"
}
check 0 "$TAPC"
! grep '^missing' out || fail "something is missing"
for name in headers compiler make modules running rights signatures loader symbols types ftrace kprobes tracepoints uprobes; do
	has ok $name
done
[[ $(tail -n 1 out) = 'Scripts can run on this machine.' ]] || fail "no verdict" "$(cat out)"

# without the headers
without_headers() { unshare -m sh -c 'mount -t tmpfs none /lib/modules; mount -t tmpfs none /usr/src; exec "$@"' sh "$@"; }
check 4 without_headers "$TAPC"
has missing headers "> apt install linux-headers-$KREL\$"
without_headers "$TAPC" -e 'probe begin { exit() }' >out 2>err
[[ $? = 4 ]] && grep -q "run 'apt install linux-headers-$KREL'" err || fail "a script gets other advice" "$(cat err)"

# switches of the kernel
echo 0 >/proc/sys/kernel/ftrace_enabled && {
	check 0 "$TAPC"
	has absent ftrace '> sysctl kernel.ftrace_enabled=1$'
	echo 1 >/proc/sys/kernel/ftrace_enabled
}
check 5 setpriv --bounding-set -sys_module --inh-caps -sys_module "$TAPC"
has missing rights 'loading modules needs CAP_SYS_MODULE, which this root lacks'
check 5 unshare -m sh -c 'mount -t tmpfs none /proc; mkdir /proc/self; echo >/proc/self/status; exec "$@"' sh "$TAPC"
has missing modules '> tapc --vm$'

# users, who read the headers below $SYSROOT: without the daemon; of its groups; of none
reachable "$SYSROOT"
read -ra user_args <<<"$TAPC_ARGS"
for_user() { check "$1" as "$2" env XDG_CACHE_HOME="/tmp/cache-$2" "$TAPC" "${user_args[@]}"; }
for_user 5 eve
has missing rights '> sudo tapc$'
for user in ann bob; do		# the index of symbols takes long in an emulated guest
	cp -r /tmp/cache-eve /tmp/cache-$user && chown -R $user: /tmp/cache-$user || fail "no cache"
done
start_tapd
for_user 0 ann
has ok rights 'tapd loads modules for this user'
for_user 5 eve
has missing rights 'user eve is neither in group tapdev'
has missing rights '> sudo usermod -aG tapdev '
for_user 5 bob
has missing rights 'users of this group may load only trusted modules'
stop_tapd
