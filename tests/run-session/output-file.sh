#!/bin/bash
# -o FILE with %-escapes, -S rotates, -b writes one file per processor, --merge merges them: nothing is missing or out of order; switch_file() and SIGUSR2 continue in the next file
. "$SRC/tests/lib/session.sh"
work='for i in 1 2; do dd if=/dev/zero of=/dev/null bs=1 count=6000 status=none & done; wait'
"$TAPRUN" -o 'out-%Y%%' -c "$work" ./t_out.ko >stdout 2>err || fail "-o: $?" "$(cat err)"
[[ -s out-$(date +%Y)% && ! -s stdout ]] || fail "-o: $(ls)"
seq -f %0100.0f 12000 | cmp - "out-$(date +%Y)%" || fail "-o"
"$TAPRUN" -S 1 -o part -c "$work" ./t_out.ko 2>err || fail "-S: $?" "$(cat err)"
[[ $(ls part* | wc -l) -ge 2 ]] || fail "-S: $(ls)"
seq -f %0100.0f 12000 | cmp - <(cat $(ls part* | sort -V)) || fail "-S"
"$TAPRUN" -b -o bulk -c "$work" ./t_out.ko 2>err || fail "-b: $?" "$(cat err)"
seq -f %0100.0f 12000 | cmp - <(cat bulk_cpu* | sort) || fail "-b: $(ls)"
seq -f %0100.0f 12000 | cmp - <("$TAPRUN" --merge bulk_cpu*) || fail "--merge: $(ls)"
"$TAPRUN" -b -S 1 -o parts -c "$work" ./t_out.ko 2>err || fail "-b -S: $?" "$(cat err)"
seq -f %0100.0f 12000 | cmp - <("$TAPRUN" --merge parts_cpu*) || fail "-b -S: $(ls)"
start -o usr ./t_out.ko
wait_until probed write_null
for file in usr usr.1 usr.2; do
	wait_until test -e $file
	dd if=/dev/zero of=/dev/null bs=1 count=1000 status=none
	wait_until test -s $file
	kill -USR2 $pid
done
wait_until test -e usr.3
kill -TERM $pid
wait $pid || fail "SIGUSR2: $?" "$(cat err)"
seq -f %0100.0f 3000 | cmp - <(cat usr usr.?) || fail "SIGUSR2: $(ls usr*)"
TZ=XYZ+5:30 "$TAPRUN" -r 3:root@there -o next ./t_next.ko 2>err || fail "switch_file: $?" "$(cat err)"
[[ $(cat $(ls next* | sort -V | head -n 1)) = "Wed Dec 31 18:30:00 1969 XYZ 19800" ]] || fail "switch_file: $(head next*)"
[[ $(cat $(ls next* | sort -V | tail -n 1)) = "3 root@there" ]] || fail "switch_file: $(head next*)"
