#!/bin/bash
# PostgreSQL and Python from Debian's archive, built with tapc-dtrace and with SystemTap's dtrace: the same markers. It
# fetches 50 MB and compiles for some minutes
# default: no
# sanitizers: no
# timeout: 3600
. "$SRC/tests/lib/packages.sh"
. "$SRC/tests/lib/kernels.sh"
fail() { echo "$*"; exit 1; }
skip() { echo "$*"; exit 77; }

# The source of a package in this machine's suite, without Debian's patches, as DIR.
fetch()
{
	local package=$1 dir=$2 suite root=$PWD/apt

	suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
	if [[ ! -e $root/apt.conf ]]; then
		private_apt "$root" "$suite" "$(dpkg --print-architecture)" || return
		sed -i 's/^deb /deb-src /' "$root/etc/apt/sources.list"
		APT_CONFIG=$root/apt.conf apt-get -qq update || return
	fi
	mkdir "$dir" "$dir.files" && (
		cd "$dir.files" && APT_CONFIG=$root/apt.conf apt-get -qq source --download-only "$package" &&
			tar -xf ./*.orig.tar.* --strip-components=1 -C "../$dir"
	) >"$dir.log" 2>&1
}

type -P apt-get dpkg >/dev/null || skip "no apt"
install_packages systemtap-sdt-dev bzip2 || skip "no dtrace of SystemTap to compare with"
unset CC CFLAGS CPPFLAGS
postgresql=$(apt-cache depends postgresql | awk '/Depends: postgresql-[0-9]/ { print $2; exit }')
python=$(apt-cache depends python3 | awk '/Depends: python3\.[0-9]/ { print $2; exit }')
[[ -n $postgresql && -n $python ]] || skip "apt has no lists of packages"
fetch "$postgresql" postgresql && fetch "$python" python || skip "the sources cannot be fetched: $(tail -n 1 ./*.log)"

# "PROVIDER NAME SIZES" of each marker in the files
notes()
{
	LC_ALL=C readelf -nW "$@" | awk '
		/Provider:/ { provider = $NF }
		/Name:/ { name = $2 }
		/Arguments:/ { line = provider " " name; for (i = 2; i <= NF; i++) if (sub(/@.*/, "", $i)) line = line " " $i; print line }' |
		sort
}
semaphores() { nm "$@" | awk '/_semaphore$/ { print $NF }' | sort; }

# compare NAME FILE...: the markers of FILEs, kept as NAME.ours, and of the same FILEs built with SystemTap's, NAME.peer
keep()
{
	local to=$1

	shift
	notes "$@" >"$to.notes"
	semaphores "$@" >"$to.semaphores"
}
same()
{
	diff -u "$1.peer.notes" "$1.ours.notes" || fail "$1: other markers"
	diff -u "$1.peer.semaphores" "$1.ours.semaphores" || fail "$1: other semaphores"
	[[ $(wc -l <"$1.ours.notes") -ge $2 ]] || fail "$1: $(wc -l <"$1.ours.notes") markers only"
	echo "$1: $(wc -l <"$1.ours.notes") markers, $(sort -u "$1.ours.semaphores" | wc -l) semaphores"
}

# PostgreSQL: its server, by its own build, in which only one make at a time can make the headers; then again what has markers
(
	cd postgresql || exit
	./configure --enable-dtrace --without-readline --without-zlib --without-icu CFLAGS=-O1 DTRACE="$BUILD/tapc-dtrace" &&
		make -s -C src/backend generated-headers && make -s -j2 -C src/backend
) >postgresql.build 2>&1 || { tail -n 20 postgresql.build; fail "PostgreSQL cannot be built with tapc-dtrace"; }
program=postgresql/src/backend/postgres
keep postgresql.ours $program
"$TAPC" -l "process(\"$PWD/$program\").mark(\"*\")" | sort >postgresql.ours.list
(
	cd postgresql || exit
	rm src/backend/utils/probes.o src/backend/utils/probes.h
	grep -rl TRACE_POSTGRESQL --include='*.c' src/backend | sed 's/c$/o/' | xargs rm -f
	make -s -C src/backend generated-headers DTRACE=dtrace && make -s -j2 -C src/backend DTRACE=dtrace
) >postgresql.again 2>&1 || { tail -n 20 postgresql.again; fail "PostgreSQL cannot be built with SystemTap's dtrace"; }
grep -q 'Systemtap' postgresql/src/backend/utils/probes.h || fail "PostgreSQL was not built with SystemTap's dtrace"
keep postgresql.peer $program
same postgresql 60
"$TAPC" -l "process(\"$PWD/$program\").mark(\"*\")" | sort | diff -u - postgresql.ours.list || fail "tapc -l: other markers"
[[ $(wc -l <postgresql.ours.list) -ge 50 ]] || fail "tapc -l: $(wc -l <postgresql.ours.list) markers only"

# Python: the objects with markers
objects='Python/ceval.o Python/import.o Python/sysmodule.o Modules/gcmodule.o Python/pydtrace.o'
(cd python && ./configure --with-dtrace CFLAGS=-O1 ac_cv_path_DTRACE="$BUILD/tapc-dtrace") >python.configure 2>&1 ||
	{ tail -n 20 python.configure; fail "Python cannot be configured with tapc-dtrace"; }
for half in ours peer; do
	[[ $half = ours ]] && dtrace=$BUILD/tapc-dtrace || dtrace=dtrace
	# shellcheck disable=SC2086
	(cd python && rm -f $objects Include/pydtrace_probes.h && make -s -j2 DTRACE="$dtrace" $objects) >python.build 2>&1 ||
		{ tail -n 20 python.build; fail "Python cannot be built with $dtrace"; }
	# shellcheck disable=SC2086
	(cd python && keep "../python.$half" $objects)
done
same python 8
exit 0
