#!/bin/bash
# -c: target() is the program of the command line, even with quotes in it, and nothing of a shell is counted for it
. "$SRC/tests/lib/session.sh"
# says COMMAND EXECS NAME: it prints its PID, which is target()
says()
{
	"$TAPRUN" -c "$1" ./t_words.ko >out 2>err || fail "$1" "$(cat out err)"
	[[ $(sed -n 's/^target //p' out) = "$(sed -n 's/^I am //p' out)" ]] || fail "$1: target() is another" "$(cat out err)"
	grep -qx "execs $2" out || fail "$1: $2 execs" "$(cat out err)"
	[[ $(sed -n 's/^begins //p' out) = "$3" ]] || fail "$1: begins $3" "$(cat out err)"
}
says "bash -c 'echo I am \$\$; true | cat; (true) & wait'" 1 bash
says 'bash -c "echo I am \$\$; true"' 1 bash
says "perl -e 'print \"I am \$\$\\n\";'" 1 perl
# words that a shell expands: it becomes the program
says "bash -c 'echo I am \$\$; true' \$HOME /*" 2 $'bash\nsh'
"$TAPRUN" -c "printf '<%s>' 'a  b' c\\ d \"e;f\" ''" ./t_words.ko >out 2>err
grep -q '<a  b><c d><e;f><>' out || fail words "$(cat out err)"
gone t_words
