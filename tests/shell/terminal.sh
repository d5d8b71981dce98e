#!/bin/bash
# tapc --interactive in a terminal: the prompt, lines that go on, completion of commands, script text and $variables, history, Ctrl-C and Ctrl-D
# sanitizers: no
type tmux >/dev/null || { echo "no tmux"; exit 77; }
[[ -n $KREL ]] || { echo "no kernel was fetched"; exit 77; }
export XDG_CACHE_HOME=${XDG_CACHE_HOME:-$HOME/.cache} HOME=$PWD LC_ALL=C.UTF-8
unset XDG_STATE_HOME
. "$SRC/tests/lib/terminal.sh"

shell
"$TAPC" --language-server </dev/null 2>err
[[ $? = 2 ]] && language= || language=yes
keys 'wai' Tab
sees '^tapc> wait *$'
keys C-c
keys 'glo' Tab
sees '^tapc> global *$'
keys 'tallied' Enter
if [[ -n $language ]]; then
	keys 'probe kernel.func' Tab
	sees '^tapc> probe kernel.function( *$'
	keys '"vfs_read") {' Enter
	sees '^    > *$'
	keys 'tall' Tab
	sees '^    > tallied *$'
	keys '[execn' Tab
	sees '^    > tallied\[execname *$'
	keys '()] = $cou' Tab
	sees '\] = $count *$'
	keys ' }' Enter
else
	keys 'probe kernel.function("vfs_read") {' Enter
	sees '^    > *$'
	keys 'tallied[execname()] = $count }' Enter
fi
sees '> tallied\[execname()\] = $count }$' '^tapc> *$'
keys 'list' Enter
sees '^  1     global tallied$' '^  2     probe kernel.function("vfs_read") {$' '^        tallied\[execname()\] = $count }$'
# an error shows its place; the line comes back from the history
keys 'probe nothing { }' Enter
sees "^#3:1:7: error: unknown probe point 'nothing'" '      ^~~~~~~$'
keys Up BSpace BSpace BSpace BSpace BSpace BSpace BSpace BSpace BSpace BSpace BSpace 'begin { }' Enter
keys 'list 3' Enter
sees '^  3     probe begin { }$'
# Ctrl-C clears a line, and a text that goes on
keys 'probe end'
sees '^tapc> probe end *$'
keys C-c
sees '^tapc> probe end^C$' '^tapc> *$'
keys 'probe end {' Enter
sees '^    > *$'
keys 'x'
sees '^    > x *$'
keys C-c
sees '^    > x^C$'
keys 'list *' Enter
sees '^  3     probe begin { }$'
! grep -q 'probe end { }' shown || fail "Ctrl-C added it" "$(cat shown)"
keys 'set --simulate' Enter 'change 3 probe timer.s(9) { println("at the end"); exit() }' Enter 'off 2' Enter 'run' Enter
sees '^at the end' '^tapc> *$'
keys C-d
left 3

# the history is kept
[[ $(tail -n 1 .local/state/tapc/history) = run ]] || fail "history" "$(cat .local/state/tapc/history)"
shell
keys Up
sees '^tapc> run *$'
keys C-c
sees '^tapc> run^C$'
keys 'history' Enter
sees '  global tallied$' '  history$'
keys 'quit' Enter
left 0
