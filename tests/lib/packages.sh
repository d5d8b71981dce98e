# SPDX-License-Identifier: GPL-2.0-or-later
# Debian packages needed for the build, virtual machines and tests, and a function to install them.
# shellcheck shell=bash disable=SC2034

# pahole: for the BTF that kbuild gives modules of newer kernels
build_packages='autoconf automake make pkg-config gcc libc6-dev
	libelf-dev libdw-dev libdebuginfod-dev libbpf-dev libncurses-dev libssl-dev zlib1g-dev liblzma-dev libzstd-dev libjansson-dev libpcap-dev libsqlite3-dev
	libreadline-dev kmod pahole'
# to build a kernel with a custom configuration
kernel_build_packages='bc bison flex gcc-12 rsync xz-utils'
vm_packages='qemu-system-x86 busybox-static cpio kmod xz-utils zstd gcc-12'
# what few tests need, and is large, is in their lines `# packages: ` instead
test_packages='babeltrace2 bpftrace clang cron curl debuginfod dwz elpa-eglot emacs-nox g++ gcc-aarch64-linux-gnu gdb groff-base iproute2
	lib32gcc-12-dev libc6-dev-arm64-cross libc6-dev-i386 libclang-rt-dev libonig5 linux-perf neovim nftables nodejs openssh-client openssh-server openssl passwd procps python3
	python3-jsonschema python3-yaml qemu-system-arm shellcheck strace systemd systemtap-sdt-dev tmux util-linux fish zsh'
# for tests/read
read_packages='clang-tidy coccinelle cppcheck gcc-12 sparse'
# for tests/package
package_packages='autopkgtest buildah crun debhelper debootstrap dpkg-dev fakeroot lintian rpm rpmlint'
# for tests/storm
storm_packages=bindfs
# for tests/latency
latency_packages="$vm_packages rt-tests"

# Those that are not installed; none where there is no apt.
missing_packages()
{
	local installed

	type -P dpkg-query apt-get >/dev/null || return 0
	installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | sed -n 's/ installed$//p')
	printf '%s\n' "$@" | grep -vxF "$installed"
}

# Once: what reads apt's lists later may do that while packages are installed.
update_lists() { [[ -n ${lists_updated-} ]] || { apt-get -qq update && lists_updated=1; }; }

# Install the missing ones. Prints what it does; false if it failed.
install_packages()
{
	local missing log

	missing=$(missing_packages "$@")
	[[ -n $missing ]] || return 0
	# shellcheck disable=SC2086
	if [[ $(id -u) != 0 ]]; then
		echo "not root, so not installed:" $missing
		return 0
	fi
	# shellcheck disable=SC2086
	echo "installing:" $missing
	log=$(mktemp)
	# shellcheck disable=SC2086
	if { update_lists && DEBIAN_FRONTEND=noninteractive \
		apt-get -qq -o DPkg::Lock::Timeout=600 install -y --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
		rm -f "$log"
		return 0
	fi
	tail -n 20 "$log" >&2
	rm -f "$log"
	return 1
}
