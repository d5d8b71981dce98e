# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# autopkgtest runs debian/tests: in a fresh bookworm those that need no kernel, and in a guest all of it in that system's own
# status 2: one test was skipped
in_chroot() { autopkgtest --no-built-binaries packages/*.deb source/tapc-*/ -- chroot "$PWD/testbed/root" || [[ $? = 2 ]]; }

# The guest has no network: what the test depends on is installed.
prepare_guest()
{
	debian_install "$root" "$PWD/packages" && mkdir "$root/source" && cp -r source/tapc-*/ "$root/source/" || return
	in_root "$root" apt-get -qy install --no-install-recommends autopkgtest dpkg-dev
}

check base debian_fetch bookworm || return
mkdir packages source
check build debian_packages bookworm "$PWD/packages" || return
tar -xf "$scratch"/source/tapc-*.tar.xz -C source
debian_fresh bookworm "$PWD/testbed" || die "no overlay in $PWD"
check in_chroot in_chroot
check translate grep -E '^translate +PASS' in_chroot.log
figure "in a chroot: $(grep -E '^run +' in_chroot.log)"
debian_fresh bookworm "$PWD/machine" || die "no overlay in $PWD"
root=$PWD/machine/root
check prepare_guest prepare_guest || return
check guest debian_guest "$root" 'mount -t tmpfs tmpfs /tmp && cd /tmp &&
	autopkgtest --no-built-binaries --test-name=run /source/tapc-*/ -- null'
check run grep -E '^run +PASS' guest.log
