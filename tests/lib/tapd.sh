# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For tests in the guest that have tapd load modules for users: ann may load any module, bob trusted ones,
# eve none. Needs session.sh.

[[ -x $BUILD/tapd ]] || { echo 'tapd is not built'; exit 77; }
export TAPD_SOCKET=/run/tapd-test.sock
# start_tapd [OPTION...]: with the rights that its unit leaves it, and no more; its log is ./log
start_tapd()
{
	setpriv --bounding-set -all,+sys_module,+syslog --inh-caps -all --no-new-privs \
		"$BUILD/tapd" --foreground --socket "$TAPD_SOCKET" "$@" 2>>log &
	tapd=$!
	wait_until test -S "$TAPD_SOCKET"
}

stop_tapd()
{
	kill -TERM "$tapd"
	wait "$tapd" || fail "tapd: $?" "$(tail log)"
}

# They get a folder that they can reach, with what the test has.
make_users()
{
	groupadd -f tapdev
	groupadd -f tapusr
	for user in ann bob eve; do
		id $user >/dev/null 2>&1 || useradd -M $user
	done
	# anew for each test: one that ran before in the same guest may have changed it
	usermod -G tapdev ann
	usermod -G tapusr bob
	usermod -G '' eve
	mkdir -p /etc/tapc/trusted
	rm -rf /run/users /etc/tapc/tapd.conf
	cp -r . /run/users
	chmod -R a+rwX /run/users
	cd /run/users || fail "no folder"
	reachable "$BUILD"
}

# as USER COMMAND...
as()
{
	local user=$1

	shift
	setpriv --reuid "$user" --regid "$user" --init-groups env HOME=/tmp USER="$user" "$@"
}

# refused TEXT USER ARGUMENT...: taprun fails with 5, says one line with TEXT, and nothing is left
refused()
{
	local text=$1

	shift
	as "$1" "$TAPRUN" "${@:2}" >out 2>err
	[[ $? = 5 && ! -s out && $(wc -l <err) = 1 ]] && grep -q -- "$text" err ||
		fail "not refused: $*" "$(cat out err; tail -n 3 log)"
}

policy() { printf '%s\n' "$@" >/etc/tapc/tapd.conf; }

# reachable PATH: by everybody; builds and kernels may lie below a folder of root's
reachable()
{
	local dir=$1

	while [[ -n $dir ]]; do
		chmod a+x "$dir"
		dir=${dir%/*}
	done
}

# cache_of USER [DIR]: the tests' cache becomes his, with what is built of the runtime; prints where it is
cache_of()
{
	local cache=${2:-$BUILD/tests/cache}

	reachable "$cache"
	chown "$1" "$cache"/tapc{,/*} || fail "no cache"
	find "$cache/tapc/kernels" -type d -exec chmod a+rx {} +
	echo "$cache"
}
