#!/bin/bash
# taprun --merge: text of processors and their parts is sorted by time stamp, then processor; missing parts and parts
# without time stamps are reported
python3 - <<'END'
import struct
def part(cpu, number, *texts):
	name = '%s_%s' + '%d.%d' % (cpu, number)
	open(name % ('o', 'cpu'), 'wb').write(b''.join(text for _, text in texts))
	open(name % ('o', 'times'), 'wb').write(struct.pack('<8sII', b'taptime1', cpu, number) +
		b''.join(struct.pack('<QQ', stamp, len(text)) for stamp, text in texts))
part(0, 0, (1, b'a\n'), (5, b'e\n'))
part(0, 1, (5, b'f\n'), (9, b'no end'))
part(10, 0, (5, b'h\n'), (7, b'i\n' * 20000))
part(2, 0, (2, b'b '), (2, b'c\n'), (3, b'd\n'), (5, b'g\n'))
END
{ printf '%s\n' a 'b c' d e f g h; yes i | head -n 20000; printf 'no end'; } >expected
fail() { echo "$*"; cat err; exit 1; }
"$TAPRUN" --merge o_cpu* >out 2>err && cmp expected out && [[ ! -s err ]] || fail merged
truncate -s -3 o_cpu0.1
truncate -s -16 o_times10.0
"$TAPRUN" --merge o_cpu* >out 2>err || fail "cut short: $?"
{ head -n 7 expected; printf 'no '; yes i | head -n 20000; } | cmp - out || fail "cut short"
grep -qx "WARNING: 'o_cpu0.1' is truncated: 3 bytes are missing" err &&
	grep -qx "WARNING: 40000 bytes at the end of 'o_cpu10.0' have no time: they were put at the end" err &&
	[[ $(wc -l <err) = 2 ]] || fail "cut short"
refused()	# STATUS TEXT ARGUMENT...
{
	local status

	"$TAPRUN" --merge "${@:3}" >out 2>err
	status=$?
	[[ $status = "$1" && ! -s out ]] && grep -q "^ERROR: $2" err || fail "not refused: $status $2"
}
cp o_cpu0.0 alone_cpu0
refused 8 "'alone_cpu0' cannot be merged without its file of times" alone_cpu0
refused 8 "'expected' cannot be merged without its file of times" expected
refused 8 "cannot read 'none_cpu0': No such file" none_cpu0
refused 2 "--merge needs the files that -b has written"
"$TAPRUN" --merge o_cpu2.0 >/dev/full 2>err && fail "a full disk"
grep -qx "ERROR: cannot .* 'standard output': No space left on device" err || fail "a full disk"
