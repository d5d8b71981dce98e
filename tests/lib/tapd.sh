# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For tests in the guest in which tapd loads modules for users: ann may load any module, bob trusted ones, eve none.
# Needs session.sh.

[[ -x $BUILD/tapd ]] || { echo 'tapd is not built'; exit 77; }
export TAPD_SOCKET=/run/tapd-test.sock
# start_tapd [OPTION...]: with only the privileges that its unit grants; its log is ./log
start_tapd()
{
	setpriv --bounding-set -all,+sys_module,+syslog --inh-caps -all --no-new-privs \
		"$BUILD/tapd" --foreground --socket "$TAPD_SOCKET" "$@" 2>>log &
	tapd=$!
	wait_until tapd_listens
}

# Whether a socket is bound to the path and listens (__SO_ACCEPTCON): the file of a tapd that was killed remains.
tapd_listens() { grep -q " 00010000 .* $TAPD_SOCKET\$" /proc/net/unix; }

stop_tapd()
{
	kill -TERM "$tapd"
	wait "$tapd" || fail "tapd: $?" "$(tail log)"
}

# The users get a directory that they can access, with the files of the test.
make_users()
{
	groupadd -f tapdev
	groupadd -f tapusr
	for user in ann bob eve; do
		id $user >/dev/null 2>&1 || useradd -M $user
	done
	# reset for each test: an earlier one in the same guest may have changed it
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

# refused TEXT USER ARGUMENT...: taprun fails with 5, prints one line with TEXT, and leaves nothing behind
refused()
{
	local text=$1

	shift
	as "$1" "$TAPRUN" "${@:2}" >out 2>err
	[[ $? = 5 && ! -s out && $(wc -l <err) = 1 ]] && grep -q -- "$text" err ||
		fail "not refused: $*" "$(cat out err; tail -n 3 log)"
}

policy() { printf '%s\n' "$@" >/etc/tapc/tapd.conf; }

# reachable PATH: for all users; builds and kernels may be below a directory of root
reachable()
{
	local dir=$1

	while [[ -n $dir ]]; do
		chmod a+x "$dir"
		dir=${dir%/*}
	done
}

# cache_of USER [DIR]: gives the tests' cache, with the runtime that was built, to this user; prints its path
cache_of()
{
	local cache=${2:-$BUILD/tests/cache}

	reachable "$cache"
	chown "$1" "$cache"/tapc{,/*} || fail "no cache"
	find "$cache/tapc/kernels" -type d -exec chmod a+rx {} +
	echo "$cache"
}
