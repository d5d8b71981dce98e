# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The kernels of tests/kernels as prefixes on disk: fetch them, find them.
#
# A prefix has the unpacked files of the packages: boot/vmlinuz-KREL, lib/modules/KREL (with build and source links that
# stay inside the prefix) and usr/src. Nothing is installed on the host. A prefix with a .complete file is finished and
# needs no network; KERNELS/NAME is a symbolic link to the prefix of the release that the row had when it was fetched.
#
# KREL+debug is the same prefix, made of links, with the kernel's debug information in usr/lib/debug: a separate
# sysroot, so that tests can run without it. KREL+programs, also made of links, has the programs that a guest of another
# architecture runs instead of the host's: a complete system as sysroot.

kernels_table=$(dirname "${BASH_SOURCE[0]}")/../kernels
kernels_dir=${TAPC_KERNELS:-${XDG_CACHE_HOME:-$HOME/.cache}/tapc-tests/kernels}

# The names of all rows, or of those with the given roles.
kernel_names()
{
	awk -v roles=" $* " '!/^#/ && NF && (roles == "  " || index(roles, " " $4 " ")) { print $1 }' \
		"$kernels_table"
}

# kernel_field NAME COLUMN, for a name or a release that a row was fetched as; N+: all columns from N on. Starts no process.
kernel_field()
{
	local row rest column=${2%+}

	while read -r -a row; do
		[[ ${row[0]-} = "$1" || ( -L $kernels_dir/${row[0]-} && $kernels_dir/${row[0]} -ef $kernels_dir/$1 ) ]] || continue
		rest=("${row[@]:column-1}")
		[[ $2 = *+ ]] && echo "${rest[*]}" || echo "${rest[0]-}"
		return
	done <"$kernels_table"
}

# The architecture of the package: amd64, or another one, whose programs need an emulator.
kernel_arch()
{
	case $(kernel_field "$1" 2) in
	*-arm64) echo arm64 ;;
	*-riscv64) echo riscv64 ;;
	*) echo amd64 ;;
	esac
}

kernel_role() { kernel_field "$1" 4; }

kernel_has_debug() { [[ $(kernel_field "$1" 5) = yes ]]; }

# Arguments for make (and, with -B each, for tapc); empty if the row says -.
kernel_make_args()
{
	local args

	args=$(kernel_field "$1" '7+')
	[[ $args = - ]] || echo "$args"
}

# kernel_guest NAME SETTING DEFAULT: settings that the guests of a row need
kernel_guest()
{
	local setting

	for setting in $(kernel_field "$1" 6 | tr , ' '); do
		[[ $setting != "$2="* ]] || { echo "${setting#*=}"; return; }
	done
	echo "$3"
}

# The rows of a run of the suite, without those that run only when named. ROLE: and those of this role
kernel_suite() { kernel_names whole smoke spot "$@"; }

# The release for a row's name; a release is returned unchanged.
kernel_release()
{
	if [[ -L $kernels_dir/$1 ]]; then
		readlink "$kernels_dir/$1"
	else
		echo "$1"
	fi
}

# The directory of the kernel's files: its prefix, or / for a kernel installed on the host.
kernel_prefix()
{
	local krel

	krel=$(kernel_release "$1")
	if [[ -e $kernels_dir/$krel/.complete ]]; then
		echo "$kernels_dir/$krel"
	elif [[ -r /boot/vmlinuz-$krel && -d /lib/modules/$krel ]]; then
		echo /
	else
		echo "kernel '$1' is neither fetched nor installed; try tests/vm --fetch" >&2
		return 1
	fi
}

# The layer above the host's files in a guest of another architecture; nothing for one of this architecture.
kernel_programs()
{
	local programs

	programs=$kernels_dir/$(kernel_release "$1")+programs
	[[ ! -e $programs/.complete || $(cat "$programs/.packages" 2>/dev/null) != "$guest_packages" ]] || echo "$programs"
}

# The same with debug information.
kernel_debug_prefix()
{
	local prefix

	prefix=$kernels_dir/$(kernel_release "$1")+debug
	[[ -e $prefix/.complete ]] && echo "$prefix"
}

kernel_fetched()
{
	[[ -e $kernels_dir/$(kernel_release "$1")/.complete ]]
}

# The archive in this machine's apt sources for suites like the given one.
suite_mirror()
{
	local want='^[^-]*(-updates)?$'

	[[ $1 != *-security ]] || want=-security$
	env -u APT_CONFIG apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' |
		awk -v want="$want" '$3 == "main" && $2 ~ want { print $1; exit }'
}

# private_apt DIR SUITES [ARCH]: a separate apt configuration, so that other suites do not affect this machine's. An
# archived suite has an expired Release file; the signature is still checked.
private_apt()
{
	local d=$1 arch=${3:-amd64} suite mirror

	mkdir -p "$d"/etc/apt/{apt.conf.d,preferences.d,trusted.gpg.d,sources.list.d} \
		"$d"/var/lib/apt/lists/partial "$d"/var/cache/apt/archives/partial "$d"/var/lib/dpkg
	: >"$d/var/lib/dpkg/status"
	for suite in ${2//,/ }; do
		mirror=$(suite_mirror "$suite")
		if [[ -z $mirror ]]; then
			echo "apt's sources name no archive for '$suite'" >&2
			return 1
		fi
		echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main"
	done >"$d/etc/apt/sources.list"
	cat >"$d/apt.conf" <<-EOF
		Dir "$d";
		Dir::State::status "$d/var/lib/dpkg/status";
		APT::Architecture "$arch";
		APT::Architectures { "$arch"; "amd64"; };
		APT::Sandbox::User "root";
		Acquire::Languages "none";
		Acquire::Check-Valid-Until "false";
		Acquire::Retries "3";
	EOF
	APT_CONFIG=$d/apt.conf apt-get -qq update
}

# The dependencies of PACKAGE whose names start with PREFIX.
package_depends()
{
	apt-cache depends --important "$1" |
		awk -v prefix="$2" '$1 == "Depends:" && index($2, prefix) == 1 { print $2 }'
}

# The release of a row's package: of a metapackage, or the newest one whose headers' name starts with it.
package_release()
{
	local krel

	krel=$(package_depends "$1" linux-image- | head -n 1)
	[[ -n $krel ]] || krel=$(apt-cache pkgnames "$1" | grep -E '^linux-headers-[0-9.]+[^-]*-(amd64|arm64)$' |
		sort -V | tail -n 1)
	krel=${krel#linux-image-}
	echo "${krel#linux-headers-}"
}

# The packages of a kernel: image, which newer releases split, headers and their dependencies for building a module.
kernel_packages()
{
	local krel=$1 part

	for part in image base binary binary-unsigned modules; do
		[[ $part != binary-unsigned ]] || ! has_package "linux-binary-$krel" || continue
		! has_package "linux-$part-$krel" || echo "linux-$part-$krel"
	done
	echo "linux-headers-$krel"
	package_depends "linux-headers-$krel" linux- | grep -vxF -e linux-base -e "linux-base-$krel" |
		sed "s/^linux-kbuild-.*/&:amd64/"
}

has_package() { [[ -n $(apt-cache show "$1" 2>/dev/null) ]]; }

# The programs of kbuild that need libraries that this machine does not have, or a newer C library.
foreign_programs()
{
	find "$1"/usr/lib/linux-kbuild-* -type f -perm /100 | while read -r program; do
		! ldd "$program" 2>&1 | grep -q 'not found' || echo "$program"
	done
}

# The libraries that the named packages depend on, recursively.
library_packages()
{
	apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
		--no-enhances "$@" | grep -E '^z?lib' | sort -u
}

# unpack_beside DEB ROOT [OPTION-OF-TAR...]: to a tree in which, as in a new installation, lib is a link to usr/lib, which
# dpkg-deb -x would replace by a directory
unpack_beside()
(
	set -o pipefail
	dpkg-deb --fsys-tarfile "$1" | tar -C "$2" --keep-directory-symlink "${@:3}" -xf -
)

# wrap_kbuild TMP FINAL SUITES: let these programs run with the libraries of their suite, from FINAL/kbuild-libs. The
# package of kbuild lists them: their names differ by suite.
wrap_kbuild()
{
	local tmp=$1 final=$2 suites=$3 libs=$1/root/kbuild-libs programs program deb loader libraries

	programs=$(foreign_programs "$tmp/root")
	[[ -n $programs ]] || return 0
	libraries=$(package_depends "$(basename "$tmp"/root/usr/lib/linux-kbuild-*)" lib)
	private_apt "$tmp/libc" "${suites//-backports/}" || return
	mkdir -p "$tmp/libs" "$libs"/usr/{lib,lib64}
	ln -s usr/lib "$libs/lib"
	ln -s usr/lib64 "$libs/lib64"
	# shellcheck disable=SC2046,SC2086
	# shellcheck disable=SC2030
	(cd "$tmp/libs" && export APT_CONFIG=$tmp/libc/apt.conf &&
		apt-get -qq download $(library_packages $libraries)) || return
	for deb in "$tmp"/libs/*.deb; do
		unpack_beside "$deb" "$libs" || return
	done
	loader=$final/kbuild-libs/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2
	for program in $programs; do
		mv "$program" "$program.own"
		cat >"$program" <<-EOF
			#!/bin/sh
			exec $loader --library-path $final/kbuild-libs/usr/lib/x86_64-linux-gnu \\
				$final${program#"$tmp/root"}.own "\$@"
		EOF
		chmod +x "$program"
	done
}

# unpack_kernel TMP FINAL KREL: TMP/debs -> TMP/root, which is then moved to FINAL
unpack_kernel()
{
	local r=$1/root final=$2 krel=$3 deb link image

	mkdir -p "$r/usr/lib" "$r/boot"
	ln -sfn usr/lib "$r/lib"	# old packages contain /lib, new ones /usr/lib
	for deb in "$1"/debs/*.deb; do
		unpack_beside "$deb" "$r" || return
	done
	sed -i "s#\([ =]\)/usr/src/#\1$final/usr/src/#" "$r/usr/src/linux-headers-$krel/Makefile"
	for link in build source; do
		link=$r/usr/lib/modules/$krel/$link
		[[ ! -L $link ]] ||
			ln -sfn "../../../src/$(basename "$(readlink "$link")")" "$link"
	done
	# since 6.19 the image is next to the modules; if it is not signed yet its name says so. Some are not packed.
	if [[ ! -e $r/boot/vmlinuz-$krel ]]; then
		image=$(cd "$r/boot" && ls "vmlinux-$krel" ../usr/lib/modules/"$krel"/vmlinuz* 2>/dev/null | head -n 1)
		[[ -n $image ]] || return
		ln -s "$image" "$r/boot/vmlinuz-$krel"
	fi
	PATH=$PATH:/sbin:/usr/sbin depmod -b "$r" "$krel"
}

# fetched TMP FINAL: the content of TMP is complete and moves to its final place
fetched()
{
	touch "$1"/root/.complete
	rm -rf "${2:?}"
	mv "$1/root" "$2"
}

# Fetch one row, unless it exists. Runs in a subshell, which has separate locks, traps and set -e.
kernel_fetch()
(
	set -e
	name=$1
	package=$(kernel_field "$name" 2)
	if [[ -z $package ]]; then
		echo "no kernel '$name' in tests/kernels" >&2
		exit 1
	fi
	mkdir -p "$kernels_dir"
	exec 9>"$kernels_dir/.lock-$name"
	flock 9			# another process may be fetching it
	kernel_fetched "$name" && [[ -z ${TAPC_KERNELS_UPDATE:-} ]] && exit 0

	tmp=$(mktemp -d "$kernels_dir/.tmp-$name.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	echo "fetching kernel $name" >&2
	private_apt "$tmp/apt" "$(kernel_field "$name" 3)" "$(kernel_arch "$name")"
	# shellcheck disable=SC2031
	export APT_CONFIG=$tmp/apt/apt.conf
	krel=$(package_release "$package")
	[[ -n $krel ]]
	if [[ ! -e $kernels_dir/$krel/.complete ]]; then
		mkdir "$tmp/debs"
		packages=$(kernel_packages "$krel")
		# shellcheck disable=SC2086
		(cd "$tmp/debs" && apt-get -qq download $packages)
		unpack_kernel "$tmp" "$kernels_dir/$krel" "$krel" || exit
		wrap_kbuild "$tmp" "$kernels_dir/$krel" "$(kernel_field "$name" 3)" || exit
		fetched "$tmp" "$kernels_dir/$krel"
	fi
	ln -sfn "$krel" "$kernels_dir/$name"
	echo "kernel $name is $krel" >&2
)

# The modules whose debug information tests need; that of all modules is 4 GB.
debug_modules="kernel/drivers/net/dummy.ko"

# unpack_debug DEB TMP KREL: to TMP/root, which is then moved next to the prefix of KREL
unpack_debug()
{
	local r=$2/root krel=$3 debug=./usr/lib/debug module

	mkdir -p "$r/usr/lib"
	ln -s "../$krel/boot" "$r/boot"
	ln -s usr/lib "$r/lib"
	ln -s "../../../$krel/usr/lib/modules" "$r/usr/lib/modules"
	ln -s "../../$krel/usr/src" "$r/usr/src"
	set -- "$1" "$debug/boot/vmlinux-$krel"
	for module in $debug_modules; do
		set -- "$@" "$debug/lib/modules/$krel/$module"
	done
	# tar ends when it has them, at half of the archive, and fails if one is missing; dpkg-deb fails then, too
	(
		set +o pipefail
		dpkg-deb --fsys-tarfile "$1" 2>/dev/null | tar -C "$r" --occurrence=1 -xf - "${@:2}"
	)
}

# Fetch the debug information of a row, unless it exists. The kernel must have been fetched.
kernel_fetch_debug()
(
	set -e -o pipefail
	name=$1
	krel=$(kernel_release "$name")
	exec 9>"$kernels_dir/.lock-$name"
	flock 9
	kernel_debug_prefix "$name" >/dev/null && exit 0

	tmp=$(mktemp -d "$kernels_dir/.tmp-$name.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	echo "fetching the debug information of kernel $name" >&2
	private_apt "$tmp/apt" "$(kernel_field "$name" 3)"
	(cd "$tmp" && APT_CONFIG=$tmp/apt/apt.conf apt-get -qq download "linux-image-$krel-dbg")
	unpack_debug "$tmp"/*.deb "$tmp" "$krel"
	fetched "$tmp" "$kernels_dir/$krel+debug"
)

# The packages that the tests' shell scripts need.
guest_packages='bash bsdutils busybox-static coreutils diffutils e2fsprogs findutils grep iproute2 kmod libstdc++6 mawk mount
	passwd perl-base procps python3 sed strace util-linux'

# unpack_programs DEBS ROOT: as an installation would, without asking questions or starting services
unpack_programs()
{
	local deb dir

	mkdir -p "$2"/usr/{bin,sbin,lib}
	for dir in bin sbin lib; do
		ln -s usr/$dir "$2/$dir"
	done
	for deb in "$1"/*.deb; do
		unpack_beside "$deb" "$2" || return
	done
	ln -s bash "$2/usr/bin/sh.new" && mv "$2/usr/bin/sh.new" "$2/usr/bin/sh"
	ln -s mawk "$2/usr/bin/awk"
}

# Fetch the programs for the guest of a row, unless they exist or those of the host can be used.
kernel_fetch_programs()
(
	set -e
	name=$1
	krel=$(kernel_release "$name")
	[[ $(kernel_arch "$name") != amd64 ]] || exit 0
	exec 9>"$kernels_dir/.lock-$name"
	flock 9
	[[ -z $(kernel_programs "$name") ]] || exit 0

	tmp=$(mktemp -d "$kernels_dir/.tmp-$name.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	echo "fetching programs for guests of kernel $name" >&2
	private_apt "$tmp/apt" "$(kernel_field "$name" 3)" "$(kernel_arch "$name")"
	# shellcheck disable=SC2086
	APT_CONFIG=$tmp/apt/apt.conf apt-get -qq install --download-only --no-install-recommends $guest_packages
	unpack_programs "$tmp/apt/var/cache/apt/archives" "$tmp/root"
	cp -al "$(kernel_prefix "$name")"/{boot,usr} "$tmp/root/"
	echo "$guest_packages" >"$tmp/root/.packages"
	fetched "$tmp" "$kernels_dir/$krel+programs"
)
