#!/bin/bash
# A user translates and runs a script with no option about tapd; the second time the module comes from the user's cache; the user detaches sessions, lists, attaches to and stops them with tapc only
# default: no
# timeout: 400
# host: "$TAPC" $TAPC_ARGS -p4 -m t_runtime -e "probe begin { exit() }"
# hardened: no, its users cannot read the key
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/tapd.sh"
make_users
TAPD_SOCKET=/run/tapd.sock start_tapd
unset TAPD_SOCKET
reachable "$SYSROOT"
export XDG_CACHE_HOME
XDG_CACHE_HOME=$(cache_of ann)
cat >writes.stp <<'END'
global n
probe begin { printf("target %s\n", target() ? "yes" : "no") }
probe kernel.function("write_null") { if (execname() == "dd") n <<< $count }
probe end { println(@count(n), " writes of ", @sum(n)) }
END
run()
{
	# shellcheck disable=SC2086
	as ann "$TAPC" $TAPC_ARGS -v -c 'dd if=/dev/zero of=/dev/null bs=3 count=100 status=none' writes.stp >out 2>err ||
		fail "ann: $?" "$(cat out err log)"
	[[ $(<out) = $'target yes\n100 writes of 300' ]] || fail "ann" "$(cat out err)"
	! grep '^tap_' /proc/modules || fail "left"
}
run
! grep -q 'building the runtime' err || fail "the runtime was not in the cache" "$(cat err)"
grep -q 'Pass 4: built the module' err || fail "first" "$(cat err)"
# inodes that the kernel has dropped in between (those of sysfs get a new time) make no difference
echo 3 >/proc/sys/vm/drop_caches
run
grep -q 'Pass 4: the same as before: took the module from the cache' err ||
	fail "second" "$(cat err; find "$XDG_CACHE_HOME/tapc/entries" -ls)"

ann() { as ann "$TAPC" $TAPC_ARGS "$@" >out 2>err || fail "tapc $*: $?" "$(cat out err log)"; }
session() { awk '/^tap_/ { print $1, $2, $3 }' <("$TAPC" --sessions); }
for leave in --detach -F; do
	ann $leave writes.stp
	name=$(grep -o '^tap_[^ ]*' /proc/modules)
	[[ $(session) = "$name ann detached" ]] || fail "$leave" "$("$TAPC" --sessions)"
	dd if=/dev/zero of=/dev/null bs=7 count=20 status=none
	if [[ $leave = -F ]]; then
		ann --stop "$name"
	else
		ann -T 1 --attach "$name"
	fi
	[[ $(<out) = $'target no\n20 writes of 140' ]] || fail "$leave" "$(cat out err)"
	! grep '^tap_' /proc/modules || fail "$leave: left"
done
[[ $(grep -c 'load module=tap_.* user=ann .*by=developer outcome=loaded' log) = 4 ]] || fail "not in the log" "$(cat log)"
stop_tapd
