#!/bin/bash
# Types from C headers, the kernel's and this machine's, are as a compiler sees them; mistakes are reported
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
fail() { echo "$*"; cat out err; exit 1; }
# shellcheck disable=SC2086
tell() { "$TAPC" $TAPC_ARGS -p2 -e "probe begin { println($1) }" >out 2>err; }

cat >truth.c <<'END'
#include <stddef.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/utsname.h>
int main(void) { printf("println(%zu, %zu);", sizeof(struct utsname), offsetof(struct timeval, tv_usec)); }
END
cc -o truth truth.c
tell '@sizeof("struct utsname", "<sys/utsname.h><sys/time.h>"), @offsetof("struct timeval", "tv_usec", "<sys/time.h>")' &&
	grep -qF "$(./truth)" out || fail "of this machine"
# Used only by a module that is not loaded: an Ethernet-like header of 24 bytes (include/uapi/linux/batadv_packet.h).
header='"kernel<uapi/linux/batadv_packet.h>"'
tell "@sizeof(\"struct batadv_ogm_packet\", $header), @offsetof(\"struct batadv_ogm_packet\", \"seqno\", $header)" &&
	grep -qF 'println(24, 4);' out || fail "of the kernel"
tell "@cast(0, \"struct batadv_ogm_packet\", $header)->nosuch" && fail "a name that is no member"
grep -q "no member 'nosuch'" err || fail "the name of the member"
