# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# rpmbuild makes the packages of rpm/tapc.spec from the tarball, rpmlint finds no error, and their scripts prepare the runtime
# --nodeps: Debian's rpm does not know Debian's packages
build() { rpmbuild -ta --nodeps --define "_topdir $PWD/top" --define '_unitdir /usr/lib/systemd/system' "$scratch"/source/tapc-*.tar.xz; }

lint()
{
	rpmlint -r "$SRC/rpm/tapc.rpmlintrc" "$SRC/rpm/tapc.spec" top/RPMS/*/*.rpm top/SRPMS/*.rpm &&
		grep -q ' 0 errors, 0 warnings' lint.log
}

# Debian's packages with the shared libraries that the program in the package RPM needs.
libraries()
{
	rpm2cpio "$1" | cpio -i --quiet --to-stdout ./usr/bin/tapc >tapc.program || return
	(cd "$SRC" && dpkg-shlibdeps -O "-e$OLDPWD/tapc.program") | sed -n 's/^shlibs:Depends=//p' | sed 's/([^)]*)//g; s/,//g'
}

# What the packages depend on, by Debian's names.
machine()
{
	local libraries

	mkdir "$root/packages" && cp top/RPMS/*/tapc-0*.rpm top/RPMS/*/{taprun,tapd}-0*.rpm "$root/packages" || return
	libraries=$(libraries top/RPMS/*/tapc-0*.rpm) && [[ $libraries ]] || return
	# shellcheck disable=SC2086
	in_root "$root" sh -ec 'apt-get -q update
		apt-get -qy install --no-install-recommends rpm gcc make libc6-dev "$@" linux-headers-$(dpkg --print-architecture)' \
		sh $libraries
}

install_rpms() { in_root "$root" sh -c 'rpm -i --nodeps /packages/*.rpm'; }

# A module of the prepared runtime; kernel-install(8) removes that of a kernel and prepares it again.
use()
{
	in_root "$root" sh -exc 'tapc -v -r "$1" -p4 -m installed -e "probe begin { }" 2>&1 | tee /packages/log
		grep -q "the runtime for kernel $1 is in /var/cache/tapc/prepared/" /packages/log
		taprun --help >/dev/null
		getent group tapdev
		getent group tapusr
		/usr/lib/kernel/install.d/90-tapc.install remove "$1" /boot/entry
		[ ! -e "/var/cache/tapc/prepared/$1" ]
		/usr/lib/kernel/install.d/90-tapc.install add "$1" /boot/entry "/boot/vmlinuz-$1"
		[ -e "/var/cache/tapc/prepared/$1/kernels" ]' sh "$krel"
}

remove_rpms()
{
	in_root "$root" sh -exc 'rpm -e --nodeps tapd tapc taprun
		[ ! -e /var/cache/tapc ]
		[ ! -e /usr/bin/tapc ]'
}

check build build || return
check lint lint
figure "$(tail -n 1 lint.log)"
check base debian_fetch bookworm || return
debian_fresh bookworm "$PWD/machine" || die "no overlay in $PWD"
root=$PWD/machine/root krel=$(debian_release "$root")
check machine machine || return
check installed install_rpms || return
check prepared test -s "$(echo "$root/var/cache/tapc/prepared/$krel/kernels"/*/libtap.a)"
check use use
check removed remove_rpms
