# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# A user that is not root, through tapd.

prepare_user()
{
	compile user < <(script load.stp) || return
	cat >"$scratch/bin/user.sh" <<-EOF
	SRC=$SRC BUILD=$build
	. $SRC/tests/lib/session.sh
	. $SRC/tests/lib/tapd.sh
	make_users
	start_tapd
	reachable $prefix
	reachable $build
	reachable $scratch/bin
	XDG_CACHE_HOME=\$(cache_of ann ${XDG_CACHE_HOME:-$HOME/.cache})
	export XDG_CACHE_HOME
	for i in 1 2 3 4 5; do
		as ann measure session $build/tapc --sysroot $prefix -r $release $scratch/bin/user.stp
	done | awk 'NR == 2 || (NR > 2 && \$1 < first) { first = \$1 } END { print first }' >/run/first
	for i in 1 2 3; do
		measure load $scratch/bin/user.ko
	done | awk 'NR == 1 || \$1 < first { first = \$1 } END { print first }' >/run/own
	stop_tapd
	paste /run/first /run/own | awk '{ print \$1 - \$2, \$2 }'
	EOF
	echo "bash $scratch/bin/user.sh" | job user.tapc 900
}

user_prepare() { prepare_user; }
user_collect()
{
	keep tapc user "$(result user.tapc 1)"
	keep bare user "$(result user.tapc 2)"
}
