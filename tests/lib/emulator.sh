# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# A newer QEMU than that of Debian 12, which needs 60 % of its time, and whose processors may run in parallel: fetched from
# a newer suite and stored next to the kernels, with the libraries and the loader it was linked with. Needs kernels.sh.
#
# QEMU before 8.1 may miss a write to code that another processor is just translating (guest_threads in guest.sh);
# before 10 its cmpxchg16b corrupts the flags.

emulator_suite=trixie
emulator_least=10.0
emulator_dir=$kernels_dir/.emulator

# emulator_version PROGRAM
emulator_version() { "$1" --version 2>/dev/null | sed -n '1s/.*version \([0-9]*\.[0-9]*\).*/\1/p'; }

# emulator_at_least PROGRAM VERSION
emulator_at_least() { printf '%s\n' "$2" "$(emulator_version "$1")" | sort -V -C; }

# The program: this machine's QEMU if it is new enough; false if none was found.
emulator_new()
{
	local program

	for program in "$(type -P qemu-system-x86_64)" "$emulator_dir/run"; do
		if [[ -x $program ]] && emulator_at_least "$program" $emulator_least; then
			echo "$program"
			return
		fi
	done
	echo "QEMU $emulator_least or newer not found; try tests/vm --fetch emulator" >&2
	return 1
}

# The newer one if it is there; otherwise that of this machine.
emulator_program() { emulator_new 2>/dev/null || echo qemu-system-x86_64; }

# emulator_unpack TMP: unpack the packages that apt fetched, and create a start script
emulator_unpack()
{
	local r=$1/root deb lib=$emulator_dir/usr/lib/x86_64-linux-gnu

	mkdir "$r"
	for deb in "$1"/apt/var/cache/apt/archives/*.deb; do
		unpack_beside "$deb" "$r" --exclude=./usr/share/{doc,locale,man} || return
	done
	cat >"$r/run" <<-EOF2
		#!/bin/sh
		exec $lib/ld-linux-x86-64.so.2 --library-path $lib $emulator_dir/usr/bin/qemu-system-x86_64 \\
			-L $emulator_dir/usr/share/qemu -L $emulator_dir/usr/share/seabios "\$@"
	EOF2
	chmod +x "$r/run"
}

# Fetch it, unless it exists.
emulator_fetch()
(
	set -e -o pipefail
	emulator_new >/dev/null 2>&1 && exit 0
	mkdir -p "$kernels_dir"
	exec 9>"$kernels_dir/.lock-emulator"
	flock 9
	emulator_new >/dev/null 2>&1 && exit 0

	tmp=$(mktemp -d "$kernels_dir/.tmp-emulator.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	echo "fetching a newer QEMU" >&2
	private_apt "$tmp/apt" $emulator_suite
	APT_CONFIG=$tmp/apt/apt.conf apt-get -qq install --download-only --no-install-recommends qemu-system-x86
	emulator_unpack "$tmp"
	fetched "$tmp" "$emulator_dir"
)

# emulator_tsc_khz PROGRAM: the frequency of this machine's time stamp counter in kHz, which is also the guest's. Empty if
# it is not constant. Builds PROGRAM, which goes with the directory of the guest, also if a signal ends this here.
emulator_tsc_khz()
{
	local program=$1

	[[ $(uname -m) = x86_64 ]] || return
	gcc -O1 -o "$program" -x c - 2>/dev/null <<-'END' && "$program"
		#include <stdio.h>
		#include <time.h>
		#include <x86intrin.h>

		struct moment { long long ns, ticks, doubt; };

		static long long now(void)
		{
			struct timespec t;

			clock_gettime(CLOCK_MONOTONIC, &t);
			return t.tv_sec * 1000000000ll + t.tv_nsec;
		}

		/* Of some tries the one that nothing came in between. */
		static struct moment look(void)
		{
			struct moment best = { .doubt = 1ll << 62 };

			for (int i = 0; i < 100; i++) {
				long long before = now(), ticks = (long long)__rdtsc(), after = now();

				if (after - before < best.doubt)
					best = (struct moment){ before, ticks, after - before };
			}
			return best;
		}

		int main(void)
		{
			struct moment from = look(), to;

			nanosleep(&(struct timespec){ 0, 100000000 }, NULL);
			to = look();
			printf("%lld\n", (to.ticks - from.ticks) * 1000000 / (to.ns - from.ns));
			return 0;
		}
	END
}
