#!/bin/bash
# Each file that make install leaves is in exactly one package of debian/, and each pattern there has a file. The version
# of the packages is that of configure.ac.
# sanitizers: no
set -e
shopt -s extglob
version=$(sed -n 's/^AC_INIT(\[tapc\], \[\([^]]*\)\].*/\1/p' "$SRC/configure.ac")
[[ $(head -n 1 "$SRC/debian/changelog") = "tapc ($version) "* ]] || { echo "debian/changelog: not version $version"; exit 1; }
[[ -s $BUILD/Makefile ]] && grep -q '^sbin_PROGRAMS = tapd\|^am__EXEEXT_.*tapd' "$BUILD/Makefile" || { echo "tapd is not built here"; exit 77; }

make -s -C "$BUILD" install DESTDIR="$PWD/root" prefix=/usr libdir=/usr/lib/machine >log 2>&1 || { tail -n 20 log; exit 1; }
(cd root && find . ! -type d -printf '%P\n' | sort) >files
[[ $(wc -l <files) -gt 500 ]] || { echo "only $(wc -l <files) files are installed"; exit 1; }
for list in "$SRC"/debian/*.install; do
	while read -r pattern to; do
		[[ -z $to ]] || { [[ -e $SRC/$pattern ]] || { echo "$list: no $pattern"; exit 1; }; continue; }
		found=$(cd root && compgen -G "$pattern" || :)
		[[ -n $found ]] || { echo "$list: nothing is installed as $pattern"; exit 1; }
		while read -r path; do
			(cd root && find "$path" ! -type d) >>in-packages
		done <<<"$found"
	done <"$list"
done
[[ -z $(sort in-packages | uniq -d) ]] || { echo "in two packages:"; sort in-packages | uniq -d; exit 1; }
sort in-packages | diff files - || { echo "not in a package, or not installed"; exit 1; }
while read -r pattern; do
	compgen -G "$SRC/$pattern" >/dev/null || { echo "debian/tapc-doc.docs: no $pattern"; exit 1; }
done <"$SRC/debian/tapc-doc.docs"
