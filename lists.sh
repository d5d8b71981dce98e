#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Writes lists.am, the lists of sources that Makefile.am includes: all files in a folder are part of what is built from
# it, so a new file need not be listed anywhere. autoreconf runs this through configure.ac, and make does if a
# folder has changed, or a tapset, which may have C now. lists.am is not touched if nothing has changed.

cd "$(dirname "$0")" || exit 1
export LC_ALL=C
# a header among the sources
./versions.sh || exit 1

# files FOLDER NAME...: the files below it with one of these names
files()
{
	folder=$1 first=$2
	shift 2
	names="-name $first"
	for name; do
		names="$names -o -name $name"
	done
	set -f
	# shellcheck disable=SC2086
	find "$folder" -type f \( $names \) | sort
	set +f
}

# list VARIABLE: the lines of standard input as a make variable
list()
{
	printf '%s =' "$1"
	while read -r name; do
		printf ' \\\n\t%s' "$name"
	done
	echo
}

sources()
{
	files "$1" '*.[ch]' '*.def'
}

variable_of() { echo "${1%.c}" | tr /- __; }

write_lists()
{
	echo '# Made by lists.sh'
	find translator runtime tapsets tests/unit -type d | sort | list source_folders
	sources translator | grep -v -e '^translator/main\.c$' -e '^translator/server/.*\.c$' -e '^translator/dtrace/' |
		list translator_sources
	sources translator/dtrace | list dtrace_sources
	sources translator/server | grep '\.c$' | list server_sources
	sources runtime/core | grep -v '_compile\.[ch]$' | list core_runtime_sources
	sources runtime/core | grep '_compile\.[ch]$' | list core_compile_sources
	sources runtime/staging | grep -v -e '/main\.c$' -e '/daemon/' | list staging_sources
	sources runtime/staging/daemon | list daemon_sources
	sources runtime/staging/timeline | list timeline_sources
	{ printf "%s\n" runtime/kernel/Kbuild runtime/kernel/gate/Kbuild; sources runtime/kernel; } | list kernel_sources
	sources runtime/simulate | list simulate_sources
	sources runtime/abi | list abi_headers
	files tapsets '*.stp' '*.stpm' | list tapsets
	# those with C of their own, for the runtime's archive
	grep -l '%{' tapsets/*.stp | sed 's#.*/\(.*\)\.stp#share/runtime/tapsets/\1.c#' | list tapset_c
	find tests/unit -maxdepth 1 -name '*.c' | sed 's/\.c$//' | sort | list unit_programs
	for test in tests/unit/core-*.c; do
		echo "$(variable_of "$test")_SOURCES = $test tests/unit/support/core-host.c"
		echo "$(variable_of "$test")_LDADD = libtapcore.a -lm \$(PCAP_LIBS)"
	done
	grep -l 'support/location_evaluate\.h' tests/unit/*.c | while read -r test; do
		echo "$(variable_of "$test")_SOURCES = $test tests/unit/support/location_evaluate.c"
	done
	for test in tests/unit/staging-*.c; do
		echo "$(variable_of "$test")_LDADD = \$(staging_test_libs)"
	done
}

write_lists >lists.am.$$ || exit 1
if cmp -s lists.am.$$ lists.am; then
	rm -f lists.am.$$
else
	mv lists.am.$$ lists.am
fi
