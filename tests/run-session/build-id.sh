#!/bin/bash
# A module of another build of the same kernel release probes nothing: it is refused by taprun, and refuses to start
# kernels: all
. "$SRC/tests/lib/session.sh"
[[ $("$TAPRUN" ./t_build.ko) = begin ]] || fail "the right one does not run"
id=$(od -An -v -tx1 /sys/kernel/notes | tr -d ' \n' | grep -o '040000001400000003000000474e5500.\{40\}' | cut -c 33-)
[[ ${#id} = 40 ]] || fail "no build-id in /sys/kernel/notes"
perl -0777 -pe 'BEGIN { $id = pack("H*", shift) } s/\Q$id/"\1\2\3" . substr($id, 3)/ge' "$id" t_build.ko >other.ko
[[ $(sha256sum <t_build.ko) != $(sha256sum <other.ko) ]] || fail "its sites carry no build-id"
"$SRC/tests/modules/sign" other.ko
"$TAPRUN" ./other.ko >out 2>err
[[ $? = 5 && ! -s out ]] && grep -q 'a different build' err || fail "its sites" "$(cat out err)"
gone t_build
