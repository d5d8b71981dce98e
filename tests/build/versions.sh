#!/bin/bash
# The versions of the interfaces are made of their headers: another member, constant or order is a new version, a comment
# or white space is none. What is built together agrees, and a script made with another version is refused
# sanitizers: no
fail() { echo "$*"; exit 1; }
mkdir -p runtime/staging
cp -r "$SRC/runtime/abi" runtime/
cp -r "$SRC/runtime/staging/common" runtime/staging/
cp "$SRC/versions.sh" .
chmod -R u+w .
header=runtime/abi/tap_version.h

# version NAME
version() { sed -n "s/^#define $1 //p" $header; }
cmp -s $header "$SRC/$header" || fail "$SRC/$header is not the one of its headers: $(cat $header)"
./versions.sh || fail "status $?"
cmp -s $header "$SRC/$header" || fail "another one is made of the same headers"

# changes FILE PATTERN NAME...: after sed PATTERN of FILE just these versions are others
changes()
{
	local file=$1 pattern=$2 name before=() after

	shift 2
	for name in TAP_ABI_VERSION TAP_WIRE_VERSION TAPD_VERSION; do before+=("$(version $name)"); done
	cp "$file" kept
	sed -i "$pattern" "$file"
	! cmp -s kept "$file" || fail "$pattern changes nothing in $file"
	./versions.sh || fail "$file, $pattern: status $?"
	for name in TAP_ABI_VERSION TAP_WIRE_VERSION TAPD_VERSION; do
		after=$(version $name)
		[[ -n $after && $after != 0u ]] || fail "$name: '$after'"
		[[ $name = TAP_ABI_VERSION || ${after%u} -lt 65535 ]] || fail "$name: $after does not fit into 16 bits"
		if [[ " $* " = *" $name "* ]]; then
			[[ $after != "${before[0]}" ]] || fail "$file, $pattern: $name is still $after"
		else
			[[ $after = "${before[0]}" ]] || fail "$file, $pattern: $name became $after"
		fi
		before=("${before[@]:1}")
	done
	mv kept "$file"
	./versions.sh
}
abi=runtime/abi
changes $abi/tap_script.h 's/^ \* A handler is/ * A probe handler is/'
changes $abi/tap_script.h 's/\t/    /g'
changes $abi/tap_script.h 's/abi_version;/abi_version;\n\tu32 more;/' TAP_ABI_VERSION TAP_WIRE_VERSION
changes $abi/tap_wire.h '$a /* a comment\n * of two lines */'
changes $abi/tap_wire.h 's/TAP_CONFIGURE = 1/TAP_CONFIGURE = 3/' TAP_WIRE_VERSION
changes $abi/tap_image.h 's/TAP_UNWIND_NONE,/TAP_UNWIND_ZERO, TAP_UNWIND_NONE,/' TAP_WIRE_VERSION
changes runtime/staging/common/protocol.h 's/TAPD_RENAME = 1/TAPD_RENAME = 2/' TAPD_VERSION
changes runtime/staging/common/protocol.h 's/ \* Packets to/ * All packets to/'
# what is written once, nobody touches
touch -d 2001-01-01 $header
./versions.sh
[[ $(stat -c %Y $header) -lt 1000000000 ]] || fail "the same versions are written again"

# a script that another tapc translated: the compiler reads another header first
sed 's/^#define TAP_ABI_VERSION .*/#define TAP_ABI_VERSION 7u/' $header >other.h
printf '#!/bin/sh\nexec %s -include %s/other.h "$@"\n' "${CC:-gcc}" "$PWD" >cc
chmod +x cc
simulate() { "$TAPC" --simulate -e 'probe begin { println("ran") exit() }' >out 2>err; }
CC=$PWD/cc simulate
status=$?
[[ $status != 0 && ! -s out ]] && grep -q "it is of version 7, not $(version TAP_ABI_VERSION | tr -d u)" err ||
	fail "a script of another version: status $status, $(cat out err)"
simulate && grep -qx ran out || fail "a script of this version: $(cat out err)"
