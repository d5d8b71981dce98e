#!/bin/bash
# Each file that make install leaves is in exactly one package of debian/, and each pattern there has a file. The packages of
# rpm/tapc.spec have the same files and the same hooks. The version of all packages is that of configure.ac.
# default: no
# sanitizers: no
set -e
shopt -s extglob
version=$(sed -n 's/^AC_INIT(\[tapc\], \[\([^]]*\)\].*/\1/p' "$SRC/configure.ac")
[[ $(head -n 1 "$SRC/debian/changelog") = "tapc ($version) "* ]] || { echo "debian/changelog: not version $version"; exit 1; }
for line in "^Version: *$version\$" "^\* .* - $version-1\$"; do
	grep -q "$line" "$SRC/rpm/tapc.spec" || { echo "rpm/tapc.spec: not version $version"; exit 1; }
done
[[ -s $BUILD/Makefile ]] && grep -q '^sbin_PROGRAMS = tapd\|^am__EXEEXT_.*tapd' "$BUILD/Makefile" || { echo "tapd is not built here"; exit 77; }

make -s -C "$BUILD" install DESTDIR="$PWD/root" prefix=/usr libdir=/usr/lib/machine >log 2>&1 || { tail -n 20 log; exit 1; }
(cd root && find . ! -type d -printf '%P\n' | sort) >files
[[ $(wc -l <files) -gt 500 ]] || { echo "only $(wc -l <files) files are installed"; exit 1; }
mkdir debian rpm
for list in "$SRC"/debian/*.install; do
	package=$(basename "$list" .install)
	: >"debian/$package"
	while read -r pattern to; do
		if [[ -n $to ]]; then
			[[ -e $SRC/$pattern ]] || { echo "$list: no $pattern"; exit 1; }
			echo "$to/$(basename "$pattern")" >>"debian/$package"
			continue
		fi
		found=$(cd root && compgen -G "$pattern" || :)
		[[ -n $found ]] || { echo "$list: nothing is installed as $pattern"; exit 1; }
		while read -r path; do
			(cd root && find "$path" ! -type d) | tee -a in-packages >>"debian/$package"
		done <<<"$found"
	done <"$list"
done

# The lists of the spec file, of what its %install adds to make install, too.
install -D "$SRC/systemd/tapd.conf" root/etc/tapc/tapd.conf
mkdir -p root/usr/lib/kernel/install.d root/usr/libexec/tapc
install "$SRC/rpm/90-tapc.install" root/usr/lib/kernel/install.d
install "$SRC"/debian/kernel-{prepared,removed} root/usr/libexec/tapc
sed -n 's/^%global \([a-z]*dir\) */\1 /p' "$SRC/rpm/tapc.spec" >defined
# expanded TEXT: without macros
expanded()
{
	local text=$1 name value

	while read -r name value; do
		text=${text//"%{$name}"/$value}
	done < <(cat defined; echo "_bindir usr/bin
_sbindir usr/sbin
_includedir usr/include
_libdir usr/lib/machine
_libexecdir usr/libexec
_datadir usr/share
_mandir usr/share/man
_sysconfdir etc
_unitdir usr/lib/systemd/system
_sysusersdir usr/lib/sysusers.d
_prefix usr")
	echo "$text"
}
package=
while read -r line; do
	case $line in
	%files) package=tapc ;;
	'%files -n '*) package=${line#%files -n } ;;
	%files\ *) package=tapc-${line#%files } ;;
	%changelog) package= ;;
	'' | '%license '* | '%doc '* | '%dir '*) continue ;;
	esac
	[[ -n $package ]] || continue
	[[ $line != %files* ]] || { : >"rpm/$package"; continue; }
	pattern=$(expanded "${line#%config(noreplace) }")
	[[ $pattern != *%* ]] || { echo "rpm/tapc.spec: not expanded: $pattern"; exit 1; }
	found=$(cd root && compgen -G "$pattern" || :)
	[[ -n $found ]] || { echo "rpm/tapc.spec: nothing is installed as $pattern"; exit 1; }
	while read -r path; do
		(cd root && find "$path" ! -type d) >>"rpm/$package"
	done <<<"$found"
done <"$SRC/rpm/tapc.spec"
for hook in lib/kernel/install.d/90-tapc.install libexec/tapc/kernel-prepared libexec/tapc/kernel-removed; do
	grep -qx "usr/$hook" rpm/tapc || { echo "rpm/tapc.spec: no $hook"; exit 1; }
	sed -i "\\#^usr/$hook\$#d" rpm/tapc
done
for list in debian/* rpm/*; do
	sort -o "$list" "$list"
done
diff -r debian rpm || { echo "the packages of debian/ and rpm/ have different files"; exit 1; }

[[ -z $(sort in-packages | uniq -d) ]] || { echo "in two packages:"; sort in-packages | uniq -d; exit 1; }
sort in-packages | diff files - || { echo "not in a package, or not installed"; exit 1; }
while read -r pattern; do
	compgen -G "$SRC/$pattern" >/dev/null || { echo "debian/tapc-doc.docs: no $pattern"; exit 1; }
done <"$SRC/debian/tapc-doc.docs"
diff <(sed 's/ .*//; s/^/%doc /' "$SRC/debian/tapc-doc.docs" | sort) \
	<(sed -n '/^%files doc/,/^%changelog/s/^%doc //p' "$SRC/rpm/tapc.spec" | tr ' ' '\n' | sed 's/^/%doc /' | sort) ||
	{ echo "the documents of debian/ and rpm/ differ"; exit 1; }
