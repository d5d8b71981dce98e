# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# A newer Python than that of Debian 12, fetched from a newer suite and kept next to the kernels, with the libraries and the
# loader it was linked with. Needs packages.sh and kernels.sh.

python_suite=trixie
python_newer=python3.13

# python_fetch: sets $python, a program that starts it; false if it cannot be had
python_fetch()
{
	local dir lib tmp

	dir=$(dirname "$kernels_dir")/$python_newer
	lib=$dir/usr/lib/x86_64-linux-gnu
	python=$dir/run
	[[ ! -x $python ]] || return 0
	tmp=$(mktemp -d "$kernels_dir/.tmp-python.XXXXXX") || return
	private_apt "$tmp/apt" $python_suite &&
		APT_CONFIG=$tmp/apt/apt.conf apt-get -qq install --download-only --no-install-recommends $python_newer &&
		mkdir "$tmp/root" &&
		for deb in "$tmp"/apt/var/cache/apt/archives/*.deb; do
			dpkg-deb --fsys-tarfile "$deb" | tar -C "$tmp/root" --keep-directory-symlink -xf - || return
		done &&
		cat >"$tmp/root/run" <<-END &&
			#!/bin/sh
			PYTHONHOME=$dir/usr exec $lib/ld-linux-x86-64.so.2 --library-path $lib $dir/usr/bin/$python_newer "\$@"
		END
		chmod +x "$tmp/root/run" && fetched "$tmp" "$dir"
	rm -rf "$tmp"
	[[ -x $python ]]
}
