#!/bin/bash
# --output=perfetto, chrome, firefox and ctf of a session: the system calls of a command whose sleeps and wake-ups are known;
# lost records are marked where they are missing; a full disk leaves a file that viewers open
# timeout: 400
. "$SRC/tests/lib/session.sh"
show() { python3 "$SRC/tests/lib/timeline.py" "$@"; }
cat >command.py <<'END'
import os, time
out, into = os.pipe()
if os.fork():
	with open('slept', 'w') as slept:
		for t in 0.1, 0.3, 0.2:
			start = time.monotonic()
			time.sleep(t)
			print(t, start, time.monotonic(), file=slept)
	os.write(into, b'x')
	os.wait()
else:
	open('/proc/self/comm', 'w').write('reader')
	os.read(out, 1)
	os._exit(0)
END
# the guest's clocks may run at different speeds, as it measures their rates at its start
cat >slept.py <<'END'
def agree(slices):
	wanted = [tuple(map(float, line.split())) for line in open('slept')]
	assert len(slices) == len(wanted) == 3, slices
	speed = (slices[-1][1] - slices[0][0]) / (wanted[-1][2] - wanted[0][1])
	for (start, end), (least, before, after) in zip(slices, wanted):
		assert least * 0.9 <= (end - start) / speed <= (after - before) * 1.1, (least, after - before, end - start, speed)
END
for format in perfetto chrome firefox; do
	"$TAPRUN" --output=$format -s 8 -o trace -c 'exec python3 command.py' ./t_calls.ko >out 2>err || fail "$?" "$(cat err)"
	[[ ! -s err && ! -s out ]] || fail "messages" "$(cat out err)"
	show --pids $format trace >shown || fail $format
	python3 - "$(most_wakes)" <<'END' || fail "$format" "$(grep -v 'slice \(mmap\|openat\|read\|close\|newfstatat\|lseek\)' shown | tail -n 100)"
import re
from sys import argv
from slept import agree
slices, starts, ends = [], {}, {}
for line in open('shown'):
	m = re.fullmatch(r'(.*): slice (\S+) (\d+) (\d+)\n', line)
	if m:
		slices.append((m[1], m[2], int(m[3]), int(m[3]) + int(m[4])))
	m = re.fullmatch(r'(.*): point (.*) (\d+) (from|to) (\d+)\n', line)
	if m:
		(starts if m[4] == 'from' else ends)[int(m[5])] = m[1], m[2], int(m[3])
sleeps = [s for s in slices if s[1] == 'clock_nanosleep' and s[3] - s[2] > 50e6]
assert len({s[0] for s in sleeps}) == 1, sleeps
agree([s[2:] for s in sleeps])
# the reader waits in read() while the other one sleeps, and an arrow leads from its write() to the reader
writer = sleeps[0][0]
arrows = [(f, ends[n]) for n, f in starts.items() if f[0] == writer and f[1] == 'wakes reader' and n in ends]
assert arrows, (starts, ends)
waits = [s for s in slices if s[1] == 'read' and 'reader ' in s[0] and s[3] - s[2] > 250e6]
assert len(waits) == 1, waits
found = [(f, t) for f, t in arrows if t[0] == waits[0][0] and waits[0][2] <= t[2] <= waits[0][3] and f[2] <= t[2] and
	any(s[0] == writer and s[1] == 'write' and s[2] <= f[2] <= s[3] for s in slices)]
assert 1 <= len(found) <= int(argv[1]), (arrows, waits)
END
done
"$TAPRUN" --output=ctf -s 8 -o ctf -c 'exec python3 command.py' ./t_calls.ko >out 2>err || fail "ctf: $?" "$(cat err)"
babeltrace2 --clock-cycles --no-delta ctf >shown 2>err && [[ ! -s err && ! -s out ]] || fail "ctf" "$(cat out err)"
python3 - <<'END' || fail "ctf" "$(grep -v '"\(mmap\|openat\|read\|close\|newfstatat\|lseek\)"' shown | tail -n 100)"
import re
from sys import argv
from slept import agree
begun, sleeps = {}, []
for line in open('shown'):
	time, what, row, rest = re.fullmatch(r'\[(\d+)\] (\w+): \{ (.*?) \}, \{ (.*?) ?\}\n', line).groups()
	if what == 'span_begin':
		begun[row] = rest, int(time)
	elif what == 'span_end' and row in begun:
		name, start = begun.pop(row)
		if name == 'name = "clock_nanosleep"' and int(time) - start > 50e6:
			sleeps.append((start, int(time)))
agree(sleeps)
END

# losses: the marks have the number of the lines that did not arrive, and are in order
"$TAPRUN" --output=perfetto -s 1 -o lost ./t_lines.ko 2>err & pid=$!
wait_until test -s lost
kill -STOP $pid
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=60000 status=none
kill -CONT $pid
kill -TERM $pid
wait $pid || fail "losses: $?" "$(cat err)"
show perfetto lost >shown || fail "losses"
awk '/point [0-9]+ [0-9]+$/ { arrived++ } /records lost/ { lost += $4 } $NF < last { bad = 1 } { last = $NF }
	END { exit bad || !lost || lost + arrived != 60000 }' shown || fail "losses" "$(grep lost shown; wc -l shown)"
grep -q "^WARNING: Lost records: $(awk '/records lost/ { n += $4 } END { print n }' shown) of" err || fail "losses" "$(cat err)"

# a full disk
mkdir full && mount -t tmpfs -o size=100k none full || fail mount
for format in perfetto chrome firefox; do
	"$TAPRUN" --output=$format -s 8 -o full/trace -c 'exec dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none' \
		./t_lines.ko 2>err
	[[ $? = 8 ]] && grep -qx "ERROR: cannot write to 'full/trace': No space left on device" err ||
		{ umount full; fail "a full disk" "$(cat err)"; }
	show $format full/trace >shown || { umount full; fail "a full disk"; }
	grep -q '^tapc: point the disk is full: later events are missing' shown && grep -qx 'CPU [0-9]: point 100 [0-9]*' shown ||
		{ umount full; fail "a full disk: $format" "$(head -n 5 shown; tail -n 5 shown)"; }
done
umount full

# a function's entry and return are a slice, of the command
dd if=/dev/zero of=/dev/null bs=1 count=10 status=none &
"$TAPRUN" --output=perfetto -o pairs -c 'exec dd if=/dev/zero of=/dev/null bs=1 count=50 status=none' ./t_pairs.ko 2>err ||
	fail "pairs" "$(cat err)"
show perfetto pairs >shown && [[ $(grep -c '^dd/dd: slice write_null [0-9]* [0-9]*$' shown) = 50 ]] &&
	[[ $(grep -c 'point printed' shown) -ge 50 && $(grep -c slice shown) = 50 ]] || fail "pairs" "$(sort shown | head -n 70)"

# there is one file
"$TAPRUN" --output=chrome -o one ./t_lines.ko 2>err & pid=$!
wait_until test -s one
kill -USR2 $pid
wait_until grep -qx 'WARNING: a timeline is one file: there is no next one' err
kill -TERM $pid
wait $pid && show chrome one | grep -q ': point begin ' && [[ ! -e one.1 ]] || fail "the next file" "$(cat err; ls)"
"$TAPRUN" --output=chrome -o silent ./t_silent.ko 2>err
[[ $? = 2 ]] && grep -qx 'ERROR: the script prints nothing for this --output: it shows .*' err || fail "silent" "$(cat err)"
