#!/bin/bash
# --monitor: the table once, in addition to the session's taprun; as a screen, in a terminal: toggle, prompt, pause, zero, reset, sort, resize, scroll; after every way of ending the terminal is as before
# default: no
# timeout: 900
# arm64: no, its taprun is built without ncurses
. "$SRC/tests/lib/session.sh"
export LC_ALL=C.UTF-8
write() { dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }
start -t ./t_monitor.ko
printed begin
write 1000
"$TAPRUN" --monitor=t_monitor >table || fail "--monitor: $?"
awk '/write_null/ { ok = $2 >= 1000 && $6 > 0 && $9 == "on" } END { exit !ok }' table || fail "$(cat table)"
[[ $(sed '1,/^GLOBALS$/d' table | sort) = $'last="dd"\nmode="ü"\nn=1005\nnames["dd",1]=1000\nsizes @count=1000 @min=1 @max=1 @sum=1000 @avg=1' ]] || fail "globals" "$(cat table)"
"$TAPRUN" --monitor=none 2>err
[[ $? = 5 ]] && grep -q "no module 'none'" err || fail "none" "$(cat err)"
"$TAPRUN" --monitor t_other.ko </dev/null 2>err >&2
[[ $? = 2 ]] && grep -q "needs a terminal" err || fail "no terminal" "$(cat err)"

# ---- a terminal of tmux, whose contents are compared ----

. "$SRC/tests/lib/terminal.sh"
row() { awk '/write_null/ { print $'"$1"' }' shown; }

in_terminal "$TAPRUN" --monitor=t_monitor
sees 'script .*running' '> *#' 'write_null' '^GLOBALS' 'mode="ü"' 'q leave'
number=$(row 1)
grep -q 'globals").read' shown && fail "its own probes"
# the function's row is the second
keys Down Space
sees 'switched off' 'off  *kernel.function'
write 500
hits=$(row 2)
sees 'n=1005'
[[ $(row 2) = "$hits" ]] || fail "hit while it was off" "$(cat shown)"
keys t "$number" Enter
sees 'on  *kernel.function'
keys p
sees 'off  *begin' 'off  *kernel.function'
keys r
sees 'on  *kernel.function'
write 500
sees 'n=1505'
(($(row 2) >= hits + 500)) || fail "not on again" "$(cat shown)"
keys z
sees 'counts are zero' ' 0  .*kernel.function'
keys c
sees 'globals are reset' 'n=5$' 'mode="a"b"' 'last=""'
! grep -q '^names\[' shown || fail "names" "$(cat shown)"
keys s
sees '>HITS '
terminal resize-window -x 70 -y 9
sees 'up .* s$' '#  *>HITS .*CPU%$' '^space,t switch'
[[ $(wc -L <shown) -le 70 ]] || fail "wider than the window" "$(cat shown)"
keys Right Right Right Right
sees 'CPU% STATE  PROBE$' '  kernel.function'
keys Left Left Left Left End
sees '^n=5$'
terminal resize-window -x 10 -y 1
sees '^n=5$'
terminal resize-window -x 110 -y 30
sees 'q leave'
keys q
left 0
grep -q '^t_monitor ' /proc/modules || fail "the session has ended"

# ending the session and the screen from here
in_terminal "$TAPRUN" --monitor=t_monitor
sees 'q leave'
keys e
left 0
wait $pid || fail "the session: $?" "$(cat err)"
grep -qx 'the end' out || fail "no end" "$(cat out)"

# ---- --monitor with a script, and its output ----

monitored() { in_terminal "$TAPRUN" --monitor=0.5 "$@"; }
monitored ./t_monitor.ko
sees 'output, lines 1 to 1 of 1' '^begin' 'q end' 'kernel.function'
write 4000
sees 'lines .* to 41 of 41' '^seen 4000' 'n=4005'
keys Tab Home
sees 'lines 1 to ' '^begin'
keys x
sees '^begin' '^seen 200'
! grep -q HITS shown || fail "not hidden" "$(cat shown)"
keys x q
left 0
[[ $(grep -c '^seen' shown) -ge 20 ]] && grep -qx 'the end' shown || fail "printed again" "$(cat shown)"
gone t_monitor || fail "still loaded"

# its process is $(runner)
runner() { pgrep -f "^$TAPRUN --monitor=0.5" | sed -n "${1}p"; }
monitored ./t_monitor.ko
sees '^begin'
keys C-c
left 0
grep -q 'the end' shown || fail "Ctrl-C" "$(cat shown)"
monitored ./t_monitor.ko
sees '^begin'
kill -TERM "$(runner 1)"
left 0
grep -q 'the end' shown || fail "SIGTERM" "$(cat shown)"
monitored ./t_monitor.ko
sees '^begin'
kill -KILL "$(runner 2)"
left 8
grep -q 'ended by signal 9' shown || fail "SIGKILL" "$(cat shown)"
monitored -c 'exit 3' ./t_monitor.ko
left 3
monitored ./none.ko
left 5
grep -q none.ko shown || fail "none.ko" "$(cat shown)"
in_terminal env TERM=nonsense "$TAPRUN" --monitor ./t_monitor.ko
left 2
grep -q "of type 'nonsense'" shown || fail "TERM" "$(cat shown)"
monitored ./t_monitor.ko
sees '^begin'
terminal kill-server
wait_until gone t_monitor
