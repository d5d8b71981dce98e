#!/bin/bash
# Events in NMIs that interrupt others' recording on their processor: all of both are in the snapshot, whole and in order
# kernels: all
# default: no
# arm64: no, the device that makes NMIs is a PC's
# timeout: 300
. "$SRC/tests/lib/session.sh"
[[ -w /sys/devices/system/cpu/cpu1/online ]] || { echo "one processor"; exit 77; }
start --output=perfetto -o trace ./t_nmi.ko
wait_until test -s trace
# Processor 0 gets the NMIs of tests/lib/guest.sh's watchdog. The other one makes them, so that they may come anywhere.
taskset -c 1 python3 -c '
import os, time
port = os.open("/dev/port", os.O_WRONLY)
open("ready", "w")
while not os.path.exists("stop"):
	os.pwrite(port, b"\x0f", 0x443)
	time.sleep(0.0002)	# for what the kernel does with them
' & maker=$!
wait_until test -e ready
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=500 status=none
touch stop
wait $maker || fail "no NMIs"
"$TAPRUN" --snapshot t_nmi || fail "--snapshot: $?"
wait_until contains err "snapshot 'trace.1'"
kill -TERM $pid
wait $pid || fail "$?" "$(cat err)"
python3 "$SRC/tests/lib/timeline.py" perfetto trace.1 >shown || fail "not a timeline"
python3 "$SRC/tests/lib/timeline.py" perfetto trace | sed -n 's/.*point \(events [0-9]* missed\)/\1/p' >end
read -r _ _ _ missed _ writes _ nmis _ <end
[[ $writes = 200000 && $nmis -gt 50 ]] || fail "the load: $(cat end)"
! grep 'not complete\|overwritten before' err || fail "torn" "$(cat err)"
# in the order of the file: an NMI's event between those of one call interrupted it
sed -n 's/.*: point \(write\|nmi\) \([0-9]*\) .*/\1 \2/p' shown | awk '
	$1 == "write" { n++; bad += $2 <= last; between += inside && $2 % 400 != 1; last = $2; inside = 0 }
	$1 == "nmi" { m++; bad += $2 <= nmi; nmi = $2; inside = 1 }
	END { print n + 0, m + 0, bad + 0, between + 0 }' >counts
read -r n m bad between <counts
echo "$n of $writes, $m of $nmis NMIs, $between of these in the middle, missed $missed"
((n + m + missed >= writes + nmis && n <= writes && m <= nmis && bad == 0)) || fail "events" "$(cat counts end err)"
((between > 3)) || fail "no NMI came in the middle" "$(cat counts end)"
