# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Kernels built here from Debian's source, in configurations that Debian does not ship: the rows of tests/kernels whose
# package is linux-source-X+CONFIG. Needs kernels.sh and packages.sh.
#
# The configuration is tests/lib/config/guest.config and CONFIG.config; options in neither of them are off. A build
# takes an hour or more. It runs in KERNELS/.build-NAME and resumes there if it was interrupted. The result is a prefix
# like those of the fetched kernels, with vmlinux.debug for decoding stacks.

config_dir=$(dirname "${BASH_SOURCE[0]}")/config

# Whether the row's kernel has to be built.
kernel_is_built() { [[ $(kernel_field "$1" 2) = linux-source-*+* ]]; }

# The options of a row, one per line.
kernel_config() { cat "$config_dir/guest.config" "$config_dir/${1##*+}.config"; }

# The options on standard input that differ from the .config in DIR.
options_missing()
{
	sed -n 's/^\(CONFIG_[A-Z0-9_]*\)=n$/# \1 is not set/; /^\(# \)\?CONFIG_/p' |
		awk 'NR == FNR { name = $0; sub(/^# /, "", name); sub(/[ =].*/, "", name); wanted[name] = $0; next }
		     { has[$0] = 1; name = $0; sub(/^# /, "", name); sub(/[ =].*/, "", name); known[name] = 1 }
		     END { for (name in wanted)
				if (!(wanted[name] in has) && (wanted[name] !~ /^#/ || name in known))
					print wanted[name] }' - "$1/.config" | sort
}

# kernel_source BUILD PACKAGE SUITES: unpack the source tree to BUILD/PACKAGE
kernel_source()
{
	[[ ! -e $1/$2/Makefile ]] || return 0
	private_apt "$1/apt" "$3" || return
	(cd "$1" && APT_CONFIG=$1/apt/apt.conf apt-get -qq download "$2") || return
	dpkg-deb --fsys-tarfile "$1/$2"_*.deb | tar -xO "./usr/src/$2.tar.xz" | tar -xJ -C "$1" || return
	rm -rf "$1/$2"_*.deb "$1/apt"
}

# kernel_make BUILD SOURCE ARGUMENT...: always with the same date and user, for reproducible kernels
kernel_make()
{
	local objects=$1/objects source=$1/$2

	shift 2
	make -C "$source" "O=$objects" KBUILD_BUILD_TIMESTAMP='1 January 2026' KBUILD_BUILD_USER=tests \
		KBUILD_BUILD_HOST=tests "$@"
}

# kernel_headers SOURCE OBJECTS HEADERS: the files of both that kbuild needs to build a module
kernel_headers()
{
	mkdir -p "$3"
	(
		cd "$1" &&
			{
				find . arch/x86 -maxdepth 1 -name 'Makefile*'
				find include scripts arch/x86/include tools/include -type f -o -type l
			} | tar -cf - -T - | tar -C "$3" -xf -
	) && (
		cd "$2" &&
			{
				find arch/x86/include include scripts -type f ! -name '*.o' ! -name '*.cmd'
				find tools/objtool/objtool tools/bpf/resolve_btfids/resolve_btfids scripts/module.lds
				echo .config; echo Module.symvers
			} 2>/dev/null | sort -u | tar -cf - -T - | tar -C "$3" -xf -
	)
}

# kernel_install BUILD SOURCE KREL: to BUILD/root, which is then moved to KERNELS/KREL
kernel_install()
{
	local r=$1/root objects=$1/objects krel=$3

	rm -rf "$r"
	mkdir -p "$r/usr/lib" "$r/boot"
	ln -s usr/lib "$r/lib"
	kernel_make "$1" "$2" "${@:4}" INSTALL_MOD_PATH="$r" INSTALL_MOD_STRIP=1 DEPMOD=true modules_install || return
	cp "$objects/arch/x86/boot/bzImage" "$r/boot/vmlinuz-$krel"
	cp "$objects/System.map" "$r/boot/System.map-$krel"
	cp "$objects/.config" "$r/boot/config-$krel"
	cp "$objects/vmlinux" "$r/vmlinux.debug"
	kernel_headers "$1/$2" "$objects" "$r/usr/src/linux-headers-$krel" || return
	# with the key, tests can sign modules
	cp "$objects"/certs/signing_key.{pem,x509} "$r/usr/src/linux-headers-$krel/" 2>/dev/null
	rm -f "$r/usr/lib/modules/$krel"/{build,source}
	ln -s "../../../src/linux-headers-$krel" "$r/usr/lib/modules/$krel/build"
	ln -s build "$r/usr/lib/modules/$krel/source"
	PATH=$PATH:/sbin:/usr/sbin depmod -b "$r" "$krel"
}

# kernel_configure NAME BUILD: unpack the source, and make BUILD/objects/.config. Prints the options of the row that have
# another value there, because this kernel or compiler does not have them or something that they depend on.
kernel_configure()
{
	local package source

	package=$(kernel_field "$1" 2)
	source=${package%+*}
	mkdir -p "$2/objects"
	kernel_source "$2" "$source" "$(kernel_field "$1" 3)" || return
	kernel_config "$package" >"$2/objects/all.config"
	# shellcheck disable=SC2046
	kernel_make "$2" "$source" $(kernel_make_args "$1") "KCONFIG_ALLCONFIG=$2/objects/all.config" allnoconfig >&2 &&
		options_missing "$2/objects" <"$2/objects/all.config"
}

# kernel_install_compiler NAME: that of the row's arguments for make
kernel_install_compiler()
{
	local compiler

	compiler=$(kernel_make_args "$1" | grep -o '\<CC=[^ ]*')
	# shellcheck disable=SC2086
	install_packages $build_packages $kernel_build_packages ${compiler#CC=} >&2
}

# Configure a row's kernel in a scratch directory; false if an option has no effect, which is printed.
kernel_check_options()
(
	tmp=$(mktemp -d) || exit
	trap 'rm -rf "$tmp"' EXIT
	kernel_install_compiler "$1" && missing=$(kernel_configure "$1" "$tmp" 2>"$tmp/log") ||
		{ tail -n 20 "$tmp/log" >&2; exit 1; }
	[[ -z $missing ]] || { echo "$missing"; exit 1; }
)

# Build a row's kernel, unless there is one with its options. Runs in a subshell, which has separate locks, traps and set -e.
kernel_build()
(
	set -e -o pipefail
	name=$1
	mkdir -p "$kernels_dir"
	exec 9>"$kernels_dir/.lock-$name"
	flock 9
	package=$(kernel_field "$name" 2)
	kernel_config "$package" | cmp -s - "$kernels_dir/$(kernel_release "$name")/.options" &&
		kernel_fetched "$name" && [[ -z ${TAPC_KERNELS_UPDATE:-} ]] && exit 0

	kernel_install_compiler "$name"
	source=${package%+*}
	build=$kernels_dir/.build-$name
	log=$build/log
	mkdir -p "$build"
	echo "building kernel $name, which takes an hour or more; progress is in $log" >&2
	# shellcheck disable=SC2046
	set -- $(kernel_make_args "$name")
	{
		kernel_configure "$name" "$build" | sed "s/^/kernel $name: without effect: /" >&3
		kernel_make "$build" "$source" "$@" -j"$(nproc)" bzImage modules
		krel=$(kernel_make "$build" "$source" -s "$@" kernelrelease)
		kernel_install "$build" "$source" "$krel" "$@"
		cp "$build/objects/all.config" "$build/root/.options"
	} 3>&2 >"$log" 2>&1 </dev/null || { tail -n 40 "$log" >&2; exit 1; }
	krel=$(ls "$build/root/lib/modules")
	fetched "$build" "$kernels_dir/$krel"
	rm -rf "$build"
	ln -sfn "$krel" "$kernels_dir/$name"
	echo "kernel $name is $krel" >&2
)
