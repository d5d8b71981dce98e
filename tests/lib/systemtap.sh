# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# SystemTap for comparison: a chroot of a newer Debian suite next to the kernels, with SystemTap, its documentation and
# the compiler that built the kernels. Needs kernels.sh and packages.sh, and root.
#
# On the host it translates: a private mount namespace binds the kernels and the caller's directories to the same paths
# in the chroot, so nothing stays mounted. In a guest its staprun loads the modules; the guest sees the chroot like all
# other files of the host, and mounts there what it needs.

systemtap_suite=forky
systemtap_packages='systemtap systemtap-runtime systemtap-doc make kmod cpp-12 gcc-12 libc6-dev'

systemtap_dir() { echo "$(dirname "$kernels_dir")/systemtap"; }

# True if the chroot exists, is complete, and has the packages of this list.
systemtap_fetched()
{
	[[ $(cat "$(systemtap_dir)/.complete" 2>/dev/null) = "$systemtap_suite $systemtap_packages" ]]
}

# The compiler comes from this machine's suite, which the kernels were built with.
systemtap_sources()
{
	local suite keyring=/usr/share/keyrings/debian-archive-keyring.gpg

	rm -f "$1"/etc/apt/sources.list.d/*
	for suite in "$systemtap_suite" bookworm; do
		echo "deb [signed-by=$keyring] $(suite_mirror "$suite") $suite main"
	done >"$1/etc/apt/sources.list"
	mkdir -p "$1/usr/share/keyrings"
	cp "$keyring" "$1$keyring"
}

systemtap_install()
{
	local root=$1

	# a variant without packages that only a bootable system needs; the script is the same for all suites
	debootstrap --variant=minbase "$systemtap_suite" "$root" "$(suite_mirror "$systemtap_suite")" \
		/usr/share/debootstrap/scripts/sid || return
	systemtap_sources "$root"
	echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/suites"	# as in private_apt
	# services in packages would start on this machine
	printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
	chmod +x "$root/usr/sbin/policy-rc.d"
	# shellcheck disable=SC2086
	DEBIAN_FRONTEND=noninteractive APT_CONFIG='' chroot "$root" sh -ec "
		mount -t proc proc /proc
		apt-get -qq update
		apt-get -qq install -y --no-install-recommends $systemtap_packages
		apt-get clean" </dev/null || return
	ln -sf gcc-12 "$root/usr/bin/gcc"
}

# Create the chroot, unless it exists. Runs in a subshell, which has separate locks, traps and set -e.
systemtap_fetch()
(
	set -e
	root=$(systemtap_dir)
	mkdir -p "$(dirname "$root")"
	exec 9>"$root.lock"
	flock 9
	! systemtap_fetched || exit 0
	install_packages debootstrap
	tmp=$root.tmp
	rm -rf "$tmp"
	trap 'rm -rf "$tmp"' EXIT
	echo "making the chroot of SystemTap" >&2
	export -f suite_mirror systemtap_install systemtap_sources
	export systemtap_suite systemtap_packages
	# mounts there vanish with the namespace
	unshare -m bash -c 'systemtap_install "$1"' bash "$tmp" >"$root.log" 2>&1 || {
		tail -n 20 "$root.log" >&2
		exit 1
	}
	echo "$systemtap_suite $systemtap_packages" >"$tmp/.complete"
	rm -rf "$root"
	mv "$tmp" "$root"
)

# Links in the chroot to the kernels' files, where SystemTap searches for them.
systemtap_link_kernel()
{
	local root krel prefix debug

	root=$(systemtap_dir)
	krel=$(kernel_release "$1")
	prefix=$(kernel_prefix "$1") || return
	mkdir -p "$root/usr/lib/modules" "$root/usr/lib/debug/lib/modules" "$root/boot"
	ln -sfn "$prefix/usr/lib/modules/$krel" "$root/usr/lib/modules/$krel"
	ln -sfn "$prefix/boot/System.map-$krel" "$root/boot/System.map-$krel"
	if debug=$(kernel_debug_prefix "$1"); then
		mkdir -p "$root/usr/lib/debug/lib/modules/$krel"
		ln -sfn "$debug/usr/lib/debug/boot/vmlinux-$krel" "$root/usr/lib/debug/lib/modules/$krel/vmlinux"
	fi
}

# systemtap_run DIRS COMMAND...: in the chroot, with these directories (separated by colons) and the kernels at the same
# paths, in the current directory, which must be in one of them.
systemtap_run()
{
	local dirs=$1

	shift
	systemtap_root=$(systemtap_dir) systemtap_dirs=$kernels_dir:$dirs unshare -m bash -ec '
		IFS=:
		for dir in $systemtap_dirs; do
			mkdir -p "$systemtap_root$dir"
			mount --bind "$dir" "$systemtap_root$dir"
		done
		mount -t proc proc "$systemtap_root/proc"
		mount --rbind /dev "$systemtap_root/dev"
		exec chroot "$systemtap_root" sh -c '\''cd "$0" && exec "$@"'\'' "$PWD" "$@"' bash "$@"
}
