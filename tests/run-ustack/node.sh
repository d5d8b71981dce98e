#!/bin/bash
# Stacks of Node programs are whole, and have the program's functions in their order: interpreted and compiled, with the names of --perf-basic-prof and of the dump of --perf-prof
# kernels: all
# arm64: no, there is no program of that machine here
# timeout: 400
# default: no
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/made-stacks.sh"
type -P node >/dev/null || { echo "no Node here"; exit 77; }

# traced STACK CALLS OPTION...: only the program's own thread may change its mappings, because a stack that is read
# meanwhile is incomplete
traced()
{
	whole_stack t_node.ko "$1 _start" "$how ${*:2}" node --single-threaded --v8-pool-size=0 $how \
		--interpreted-frames-native-stack "${@:3}" "$SRC/tests/run-ustack/node.js" "$2"
	rm -f jit-*.dump isolate*.log
}

for how in --perf-basic-prof --perf-prof; do
	traced '~inner ~middle ~outer ~turns ~again' 1 --no-opt --no-sparkplug
	traced '\*inner \*middle \*outer .turns .again' 3000 --no-turbo-inlining
done
