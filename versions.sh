#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Writes runtime/abi/tap_version.h: versions of the interfaces between parts that may be of different builds, each
# the checksum of the headers that describe it, without their comments and white space. So no change of an interface
# can be forgotten, and a better comment is no new version. autoreconf runs this through configure.ac, and make does
# when one of these headers has changed; a tarball has the file.

cd "$(dirname "$0")" || exit 1
export LC_ALL=C

# Comments and white space off; strings do not hold comment marks in these headers.
code()
{
	cat "$@" | tr '\n' ' ' | awk '{
		while ((start = index($0, "/*")) > 0) {
			text = text substr($0, 1, start - 1) " "
			$0 = substr($0, start + 2)
			$0 = substr($0, index($0, "*/") + 2)
		}
		text = text $0
		gsub(/[ \t]+/, "", text)
		print text
	}'
}

# version NAME MOST HEADER...: a number from 1 to MOST
version()
{
	name=$1 most=$2
	shift 2
	sum=$(code "$@" | cksum) || exit 1
	echo "#define $name $((${sum%% *} % most + 1))u"
}

abi=runtime/abi
header=$(cat <<EOT
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made by versions.sh: checksums of the headers that describe each interface. */
#ifndef TAP_VERSION_H
#define TAP_VERSION_H

/* script.c and the runtime */
$(version TAP_ABI_VERSION 4294967295 $abi/tap_script.h $abi/tap_direct.h $abi/tap_print.h)
/* module and loader: 16 bits in tap_wire.h */
$(version TAP_WIRE_VERSION 65000 $abi/tap_wire.h $abi/tap_image.h $abi/tap_recorder.h \
	$abi/tap_script.h)
/* lines of a kernel that the translator keeps, and the runtime */
$(version TAP_IMAGE_VERSION 4294967295 $abi/tap_image.h)
/* tapd and its clients: 16 bits in protocol.h */
$(version TAPD_VERSION 65000 runtime/staging/common/protocol.h)

#endif
EOT
) || exit 1
[ "$header" = "$(cat $abi/tap_version.h 2>/dev/null)" ] && exit
echo "$header" >tap_version.h.$$ && mv tap_version.h.$$ $abi/tap_version.h
