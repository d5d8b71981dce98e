#!/bin/bash
# tapc -i in a terminal: Ctrl-C ends a script in a virtual machine (:vm) and a simulation, each after its end probes, and not the prompt; nothing is left
# default: no
# timeout: 600
type tmux >/dev/null || { echo "no tmux"; exit 77; }
mkdir tmp
export TMPDIR=$PWD/tmp XDG_CACHE_HOME=${XDG_CACHE_HOME:-$HOME/.cache} LC_ALL=C.UTF-8
export XDG_STATE_HOME=$PWD
. "$SRC/tests/lib/terminal.sh"
patience=240
twice() { shown; [[ $(grep -c "$1" shown) = 2 ]]; }
shell
keys 'probe begin { printf("%s\n", "it " . "begins") }' Enter
keys 'probe end { printf("%s\n", "the " . "end") }' Enter
keys ':vm' Enter
sees '^it begins$'
keys C-c
sees '^the end$' '^tapc> *$'
# the script is there, and so are the other commands
keys 'list 2' Enter
sees '^  2     probe end { '
keys 'set --simulate' Enter run Enter
within twice '^it begins$' || fail "no simulation" "$(cat shown)"
keys C-c
within twice '^the end$' || fail "no end of the simulation" "$(cat shown)"
# while it boots: the second Ctrl-C ends the guest
keys unset Enter ':vm' Enter
sees '^tapc> :vm *$'
within compgen -G "$TMPDIR/tapc-vm.*" >/dev/null || fail "no guest" "$(shown; cat shown)"
keys C-c
sleep 0.5
keys C-c
sees '^tapc> *$'
keys '= 6 * 7' Enter
sees '^42$'
keys quit Enter
left 130	# of the interrupted guest
# the compiler that the interrupted guest was started with may still be removing its files
files() { find tmp -mindepth 1 -not -path '*/tmux*'; }
no_files() { [[ -z $(files) ]]; }
within no_files || fail "left: $(files)"
exit 0
