#!/bin/bash
# --monitor shows hits and globals beside the session's own taprun; its keys switch a probe off and on, reset counts, end the session
# timeout: 900
# host: "$TAPC" $TAPC_ARGS -p4 --monitor-globals -m t_monitor -e 'global last, names, sizes probe begin { println("begin") } probe kernel.function("write_null") { if (execname() == "dd") { names[execname(), $count]++; sizes <<< $count; last = "dd" } } probe end { println("end") }'
. "$SRC/tests/lib/session.sh"
write() { dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }
hits() { "$TAPRUN" --monitor t_monitor | awk '/write_null/ { print $1, $6 }'; }
start -t ./t_monitor.ko
printed begin
write 1000
"$TAPRUN" --monitor t_monitor >table || fail "--monitor: $?"
awk '/write_null/ { ok = $1 >= 1000 && $4 > 0 && $6 == "on" } END { exit !ok }' table || fail "$(cat table)"
[[ $(sed '1,/^GLOBALS$/d' table | sort) = $'last="dd"\nnames["dd",1]=1000\nsizes @count=1000 @min=1 @max=1 @sum=1000 @avg=1' ]] || fail "globals" "$(cat table)"
"$TAPRUN" --monitor none 2>err
[[ $? = 5 ]] && grep -q "no module 'none'" err || fail "none" "$(cat err)"

# the first row is not the function's: down to it
row=$(awk '/HITS/ { n = NR } /write_null/ { print NR - n - 1 }' table)
cat >keys.py <<'END'
import os, pty, signal, subprocess, sys, time
signal.alarm(200)
row = int(sys.argv[1])
def hits(): return subprocess.run([os.environ['TAPRUN'], '--monitor', 't_monitor'], capture_output=True, text=True).stdout
def row_of(text): return [l.split() for l in text.splitlines() if 'write_null' in l][0]
def write(n): subprocess.run(['dd', 'if=/dev/zero', 'of=/dev/null', 'bs=1', f'count={n}', 'status=none'])
def wait(what):
    for i in range(200):
        if what(): return
        time.sleep(0.1)
    print('never:', hits())
    sys.exit(1)
pid, fd = pty.fork()
if pid == 0:
    os.execv(os.environ['TAPRUN'], ['taprun', '--monitor', 't_monitor'])
def screen(text):
    seen = b''
    while text not in seen:
        seen += os.read(fd, 65536)
screen(b'kernel.function')
for i in range(row):
    os.write(fd, b'\033[B')
    time.sleep(0.3)
os.write(fd, b' ')
wait(lambda: row_of(hits())[5] == 'off')
before = int(row_of(hits())[0])
write(500)
assert int(row_of(hits())[0]) == before, 'hit while it was off'
os.write(fd, b' ')
wait(lambda: row_of(hits())[5] == 'on')
write(500)
assert int(row_of(hits())[0]) >= before + 500, 'not on again'
os.write(fd, b'r')
wait(lambda: int(row_of(hits())[0]) < before)
os.write(fd, b'e')
try:
    while os.read(fd, 65536): pass
except OSError:
    pass
assert os.waitpid(pid, 0)[1] == 0
END
export TAPRUN
python3 keys.py "$row" || fail "keys"
wait $pid || fail "the session: $?" "$(cat err)"
[[ $(tail -n 1 out) = end || $(head -n 2 out | tail -n 1) = end ]] || fail "no end" "$(cat out)"
