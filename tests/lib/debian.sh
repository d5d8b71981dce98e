# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Fresh systems of Debian for tests/package: a base system per suite, next to the kernels, made by debootstrap, with the
# suite's kernel image as a user has it. A copy is an overlay in the caller's private mount namespace. Needs kernels.sh.

debian_dir() { echo "$(dirname "$kernels_dir")/debian-$1"; }

debian_sources()
{
	local suite

	for suite in "$1" "$1-updates" "$1-security"; do
		echo "deb $(suite_mirror "$suite") $suite main"
	done
}

# in ROOT COMMAND...: with the mounts of debian_mount, and no variable of this machine
in_root()
{
	local root=$1

	shift
	chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive "$@"
}

debian_mount()
{
	mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" || return
	[[ ! -e /etc/resolv.conf ]] || cp -L /etc/resolv.conf "$1/etc/resolv.conf"
}

# Create the base system of a suite, unless it exists: kept for later runs.
debian_fetch()
(
	set -e
	suite=$1 root=$(debian_dir "$1")
	mkdir -p "$(dirname "$root")"
	exec 9>"$root.lock"
	flock 9
	[[ ! -e $root/.complete ]] || exit 0
	rm -rf --one-file-system "$root.tmp"
	debootstrap "$suite" "$root.tmp" "$(suite_mirror "$suite")"
	debian_sources "$suite" >"$root.tmp/etc/apt/sources.list"
	# services in packages would start on this machine
	printf '#!/bin/sh\nexit 101\n' >"$root.tmp/usr/sbin/policy-rc.d"
	chmod +x "$root.tmp/usr/sbin/policy-rc.d"
	debian_mount "$root.tmp"
	trap 'umount -lR "$root.tmp/proc" "$root.tmp/dev"' EXIT
	in_root "$root.tmp" sh -ec 'apt-get -q update
		apt-get -qy install linux-image-$(dpkg --print-architecture)
		apt-get clean'
	trap - EXIT
	umount -lR "$root.tmp/proc" "$root.tmp/dev"
	touch "$root.tmp/.complete"
	mv "$root.tmp" "$root"
)

# debian_fresh SUITE DIR: a copy at DIR/root
debian_fresh()
{
	mkdir -p "$2"/{root,upper,work} || return
	mount -t overlay overlay -o "lowerdir=$(debian_dir "$1"),upperdir=$2/upper,workdir=$2/work" "$2/root" || return
	debian_mount "$2/root"
}

debian_release() { basename "$(echo "$1"/lib/modules/*)"; }

# debian_guest ROOT COMMAND: a shell command in ROOT, run by that system's own kernel. ROOT is a mount there, as containers
# need it.
debian_guest()
{
	local krel

	krel=$(debian_release "$1")
	"$SRC/tests/vm" --kernel "$krel" --sysroot "$1" --memory 3072 --timeout 1500 -- sh -c '
		mount --bind "$1" "$1"
		for dir in dev proc sys; do
			mount --rbind /$dir "$1/$dir"
		done
		mount -t tmpfs run "$1/run"
		exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root USER=root LANG=C.UTF-8 sh -c "$2"
		' sh "$1" "$2"
}

# debian_build ROOT TO: the packages of the tarball, built there as a developer would
debian_build()
{
	mkdir -p "$1/build" "$2" && cp "$scratch"/source/tapc-*.tar.xz "$1/build/" || return
	in_root "$1" sh -ec 'cd /build
		apt-get -qy install --no-install-recommends build-essential fakeroot xz-utils
		tar xf tapc-*.tar.xz
		cd tapc-*/
		apt-get -qy build-dep --no-install-recommends ./
		dpkg-buildpackage -us -uc -b' || return
	cp "$1"/build/*.deb "$2"
}

# debian_packages SUITE DIR: built packages of the suite, in DIR
debian_packages()
{
	if [[ -n $packages ]]; then
		cp "$packages"/*.deb "$2"
		return
	fi
	debian_fresh "$1" "$PWD/builder" && debian_build "$PWD/builder/root" "$2"
}

# timed FILE COMMAND...: writes seconds of wall and of processor time to FILE
timed()
{
	local file=$1 TIMEFORMAT='%R s, of the processors %U s + %S s'

	shift
	{ time "$@" >&3 2>&3; } 3>&1 2>"$file"
}

# stamped FILE COMMAND...: writes its output to FILE, too, each line after the time when it came
stamped()
{
	local file=$1 line

	shift
	"$@" 2>&1 | while IFS= read -r line; do
		echo "$line"
		echo "$EPOCHREALTIME ${line%$'\r'}" >>"$file"
	done
	return "${PIPESTATUS[0]}"
}

# As users do: the packages of tapc by their files, all else by apt's own choice.
debian_install()
{
	local root=$1 debs=$2

	shift 2
	mkdir -p "$root/packages" && cp "$debs"/{tapc,taprun,tapc-examples}_*.deb "$root/packages" || return
	in_root "$root" sh -c 'cd /packages && exec apt-get -y install "$@" ./tapc_*.deb ./taprun_*.deb ./tapc-examples_*.deb' sh "$@"
}

# One clock, and no emulation: from apt install to a module.
debian_first_module()
{
	debian_install "$1" "$2" && date +%s.%N >installed &&
		in_root "$1" env XDG_CACHE_HOME=/tmp/cache tapc -r "$3" -p4 -m first -e 'probe begin { println("first"); exit() }'
}

# The machine lacks headers: what tapc --check-host advises supplies them.
follow_advice()
{
	local root=$1 krel=$2 command

	command=$(sed -n "/^missing *headers/,/> apt/s/^ *> \(apt install linux-headers-$krel\)\$/\1/p" guest.log)
	[[ -n $command ]] || { echo "no advice"; return 1; }
	# shellcheck disable=SC2086
	in_root "$root" $command -y && in_root "$root" tapc -r "$krel" -p4 -m advised -e 'probe begin { }'
}

# From apt install to the first answer, on this suite with its own kernel; and a machine without headers.
debian_first_answer()
{
	local suite=$1 root=$PWD/full/root bare=$PWD/bare/root krel started

	check base debian_fetch "$suite" || return
	mkdir packages
	check build debian_packages "$suite" "$PWD/packages" || return
	debian_fresh "$suite" "$PWD/full" && debian_fresh "$suite" "$PWD/bare" || die "no overlay in $PWD"
	krel=$(debian_release "$root")
	check install-bare debian_install "$bare" "$PWD/packages" --no-install-recommends || return
	started=$EPOCHREALTIME
	check install timed install.time debian_first_module "$root" "$PWD/packages" "$krel" || return
	figure "from apt install to the first module: $(<install.time), load $(cut -d' ' -f1 /proc/loadavg);" \
		"$(grep -c '^Setting up' install.log) packages"
	figure "of this, tapc: $(echo "$(stat -c %.Y "$root/first.ko") $(<installed)" | awk '{ printf "%.2f", $1 - $2 }') s"
	check prepared test -s "$(echo "$root/var/cache/tapc/prepared/$krel/kernels"/*/libtap.a)"
	check quiet_hook eval '! grep "^tapc:" install.log'
	mkdir "$root/bare" && mount --bind "$bare" "$root/bare" || die "no mount in $root"

	check guest stamped answered debian_guest "$root" '
		cd /root
		answer() { start=$(date +%s.%N); "$@"; echo "status $?, seconds $(date +%s.%N) - $start"; }
		answer tapc -v -T 300 -e "probe begin { printf(\"answer %d\n\", 6 * 7); exit() }"
		answer tapc -v -T 300 -e "probe begin { printf(\"answer %d\n\", 6 * 8); exit() }"
		answer tapc -v -T 300 -e "probe kernel.function(\"vfs_read\") { println(\"read by \", execname()); exit() }" -c "cat /proc/version"
		tapc --check-host
		echo "check-host $?"
		for dir in dev proc sys; do
			mount --rbind /$dir /bare/$dir
		done
		chroot /bare tapc --check-host
		echo "bare $?"'
	check answer grep -x 'answer 42' guest.log
	figure "on one clock, from apt install to this answer, with the guest's boot:" \
		"$(echo "$(sed -n 's/ answer 42$//p' answered) $started" | awk '{ printf "%.1f", $1 - $2 }') s"
	check reads grep 'read by ' guest.log
	check all-there grep -x 'check-host 0' guest.log
	check all-there-says grep -x 'Scripts can run on this machine\.' guest.log
	check nothing-built eval '! grep "building" guest.log'
	check bare grep -x 'bare 4' guest.log
	check bare-says grep -x 'Scripts cannot run on this machine\.' guest.log
	awk '$1 == "status" { printf "%.1f\n", $4 - $6 }' guest.log >seconds
	figure "in the emulated guest: first script $(sed -n 1p seconds) s," \
		"one like it $(sed -n 2p seconds) s; one of a function $(sed -n 3p seconds) s"
	sed -n '/tapc --check-host/,$p' guest.log | sed 's/^/    /'
	check advice follow_advice "$bare" "$krel"
}
