#!/bin/bash
# Without PATH, or with an empty one, programs are found in the usual folders: the compiler, make, what a script names
# sanitizers: no
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
script='function f:long() %{ STAP_RETVALUE = 1; %} probe begin { println(f()); exit() }'
for without in '-u PATH' PATH=; do
	# shellcheck disable=SC2086
	env $without "$TAPC" $TAPC_ARGS -g -k -p4 -m t_path -e "$script" >out 2>err || { echo "$without:"; cat err; exit 1; }
	rm -rf t_path.ko "$(sed -n 's/Keeping temporary directory "\(.*\)"/\1/p' err)"
	# shellcheck disable=SC2086
	env $without "$TAPC" --simulate -g -e "$script" >out 2>err || { echo "$without, --simulate:"; cat err; exit 1; }
	[[ $(<out) = 1 ]] || exit
	# shellcheck disable=SC2086
	env $without "$TAPC" $TAPC_ARGS -l 'process("sh").begin' >out 2>err || { echo "$without, sh:"; cat err; exit 1; }
done
