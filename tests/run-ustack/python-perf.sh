#!/bin/bash
# Stacks of CPython programs are whole, and have the program's functions in their order, with the names of -X perf and of the dump of -X perf_jit
# kernels: all
# timeout: 400
# default: no
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/made-stacks.sh"
[[ ! -e python-perf.skip ]] || { bash python-perf.skip; exit 77; }

for how in perf perf_jit; do
	whole_stack t_perf.ko 'inner middle outer <module> _start' $how ./python -X $how "$SRC/tests/run-ustack/python-perf.py"
	rm -f /tmp/jit-*.dump /tmp/perf-*.map
done
