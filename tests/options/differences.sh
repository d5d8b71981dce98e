#!/bin/bash
# The examples of the intended differences from SystemTap: tapc treats them as the rules in tests/differences say
# default: no
# sanitizers: no
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
for name in python3 bash; do
	type -P $name >/dev/null || { echo "there is no $name"; exit 77; }
done
"$SRC/tests/peer" --examples "$TAPC $TAPC_ARGS"
