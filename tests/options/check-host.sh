#!/bin/bash
# --check-host reports what is there and what is missing, each gap with the command that closes it, and ends as a script
# would that is run with the same options; as text and as JSON the same
# timeout: 600
# sanitizers: no
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
. "$SRC/tests/lib/tools.sh"
fail() { echo "$*"; cat out err; exit 1; }
export XDG_CACHE_HOME=$PWD/cache
. /etc/os-release
[[ $ID = debian ]] || { echo "not Debian: its commands are tested"; exit 77; }
kernel=(--sysroot "$SYSROOT" -r "$KREL")
# check STATUS OPTION...
check()
{
	"$TAPC" --check-host "${@:2}" </dev/null >out 2>err
	[[ $? = "$1" ]] || fail "${*:2}: not status $1"
	[[ ! -s err ]] || fail "${*:2}: standard error"
	sed -i 's/> sudo /> /' out
}
# has STATE NAME [COMMAND]: the row, and the command after it
has()
{
	grep -q "^$1 *$2 " out || fail "no '$1 $2'"
	[[ -z ${3:-} ]] || sed -n "/^$1 *$2 /,/^[^ ]/p" out | grep -qxF "                      > $3" || fail "$2: no '$3'"
}

# a kernel that does not run here, with all that building needs: it can be built for, but not loaded
check 5 "${kernel[@]}"
has ok headers && has ok compiler && has ok make && has ok cache && has ok symbols && has ok types && has ok kprobes
has missing running 'tapc --vm'
! grep -q '^missing *vm-' out || fail "--vm is not needed"
tail -n 1 out | grep -q '^Scripts cannot run on this machine' || fail "no verdict"

# no headers; the same command as a script gets
check 4 -r 9.9.9-none
has missing headers 'apt install linux-headers-9.9.9-none'
has absent debug 'apt install linux-image-9.9.9-none-dbg'
"$TAPC" -r 9.9.9-none -p4 -e 'probe begin { }' >out 2>err
grep -q "run '\(sudo \)\?apt install linux-headers-9.9.9-none'" err || fail "a script gets other advice"

# without compiler, make and QEMU
link_tools none
PATH=$PWD/none check 4 "${kernel[@]}"
has ok headers && has missing compiler && has missing make 'apt install make'
grep -q '> apt install gcc' out || fail "the compiler's package"
has absent vm-tools 'apt install qemu-system-x86 busybox-static cpio'
PATH=$PWD/none check 4 --sysroot "$SYSROOT" --vm="$KREL"
has missing vm-tools 'apt install qemu-system-x86 busybox-static cpio'

# with --vm: what the virtual machine needs, whatever this kernel is
if type -P qemu-system-x86_64 busybox cpio >/dev/null; then
	check 0 --sysroot "$SYSROOT" --vm="$KREL"
	has ok vm-tools && has ok vm-kernel
	tail -n 1 out | grep -qx 'Scripts can run in a virtual machine.' || fail "--vm: no verdict"
fi

# a cache that cannot be used
XDG_CACHE_HOME=/dev/null/no HOME=/dev/null "$TAPC" --check-host "${kernel[@]}" >out 2>err
grep -q '^absent *cache ' out || [[ ! -s err ]] || grep -q "is used instead" err || fail "an unusable cache"

# JSON: the same states and commands
check 4 -r 9.9.9-none
sed -n 's/^\(ok\|missing\|absent\|unknown\) *\([a-z-]*\) .*/\2 \1/p' out >text
"$TAPC" --check-host --output=json -r 9.9.9-none >json 2>err
[[ $? = 4 && ! -s err ]] || fail "JSON: status"
python3 - <<'END' >out 2>&1 || fail "JSON"
import json
rows = [json.loads(line) for line in open("json")]
checks, last = rows[:-1], rows[-1]
assert all(r["type"] == "check" for r in checks) and last["type"] == "check_host", rows
assert [f'{r["name"]} {r["state"]}' for r in checks] == open("text").read().splitlines(), checks
assert last == {"type": "check_host", "kernel": "9.9.9-none", "can_run": False, "status": 4}, last
by = {r["name"]: r for r in checks}
assert by["headers"]["command"].endswith("apt install linux-headers-9.9.9-none") and by["headers"]["needed"]
assert by["headers"]["command"] in by["headers"]["advice"]
assert "command" not in by["make"] and by["make"]["text"].endswith("/make")
END

# a container whose root has no rights over the kernel; a user
if unshare -Urm true 2>/dev/null && [[ -e /proc/modules ]]; then
	unshare -Ur "$TAPC" --check-host >out 2>err && fail "in a user namespace"
	has missing rights
fi
exit 0
