# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# The packages of debian/ are built twice, in different directories: the same bytes; lintian finds nothing
source_in()
{
	mkdir -p "$1" && tar -xf "$scratch"/source/tapc-*.tar.xz -C "$1"
}

build_in() { (cd "$1"/tapc-*/ && dpkg-buildpackage -us -uc); }

same()
{
	(cd one && sha256sum -- *.deb *.dsc *.tar.xz) >sums && [[ -s sums ]] && (cd two/another/path && sha256sum -c "$OLDPWD/sums")
}

# At least as strict as the archive: all levels except classification.
lint()
{
	local tags

	tags=$(lintian --allow-root -EIL +pedantic one/*.changes 2>&1 | grep -v '^N: ')
	echo "$tags"
	[[ -z $tags ]]
}

source_in one && source_in two/another/path || die "cannot unpack the tarball"
check dependencies sh -c 'cd one/tapc-*/ && apt-get -qq update && apt-get -qy build-dep --no-install-recommends ./' || return
check build build_in one || return
check again build_in two/another/path
check reproducible same
check lintian lint
figure "$(cd one && du -ck tapc_*.deb taprun_*.deb | tail -n 1 | cut -f1) kB in tapc and taprun"
