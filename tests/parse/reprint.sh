#!/bin/bash
# The output of -p1 is a script, and -p1 of that prints the same.
status=0
for script in "$SRC"/tests/parse/*.out; do
	"$TAPC" -p1 -g "$script" >again || status=1
	cmp "$script" again || status=1
done
exit $status
