#!/bin/bash
# --flame makes an SVG of the folded stacks that a script prints, with their counts; other lines are printed
. "$SRC/tests/lib/session.sh"
"$TAPRUN" --flame out.svg -c 'dd if=/dev/zero of=/dev/null bs=1 count=70 status=none' ./t_flame.ko >out 2>err || fail "$?" "$(cat err)"
[[ $(<out) = "done" && ! -s err ]] || fail "$(cat out err)"
python3 - <<'END' || fail "$(cat out.svg)"
import xml.etree.ElementTree as tree
titles = [e.text for e in tree.parse('out.svg').iter('{http://www.w3.org/2000/svg}title')]
assert titles == ['all (70, 100.00%)', 'dd (70, 100.00%)', 'write (70, 100.00%)', 'write_null (70, 100.00%)'], titles
END
"$TAPRUN" --flame none.svg -T 0.1 ./t_flame.ko >out 2>err || fail "nothing: $?"
grep -q 'no folded stacks' err || fail "not reported"
