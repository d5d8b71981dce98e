#!/bin/bash
# Stacks of Python programs are those that the interpreter itself shows: calls, generators, coroutines, threads, forks, long
# functions, names that are not ASCII; in another pid namespace, too. Samples of a busy program are of its functions.
# kernels: all
# timeout: 200
. "$SRC/tests/lib/session.sh"
python=${PYTHON:-python3}
$python -c 'import sys; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 13)))' ||
	{ echo "the structures of $($python --version 2>&1) are not known"; exit 77; }

for namespace in '' 'unshare -pfm --mount-proc'; do
	rm -f known
	"$TAPRUN" -c "exec $namespace $python -X utf8 $SRC/tests/run-ustack/python.py >expected" ./t_python.ko >out 2>err &
	wait_until grep -qx known out
	touch known
	wait $! || fail "$namespace: $?" "$(cat err)"
	[[ ! -s err ]] || fail "$namespace" "$(cat err)"
	sed '/^on$/d; /^known$/d' out >stacks
	LC_ALL=C sed 's/\x1b/?/g' expected | diff - stacks >different || fail "$namespace" "$(cat different)"
	[[ $(grep -c '^---' stacks) -ge 25 ]] || fail "$namespace: $(grep -c '^---' stacks) stacks"
	grep -q '^ größe_шрифта_字 at ' stacks && grep -q '^ far at a😀;b?\[1m.py:3003$' stacks && grep -q '^ far at a😀;b?\[1m.py:73007$' stacks ||
		fail "$namespace" "$(cat stacks)"
done

"$TAPRUN" -c "exec $python $SRC/tests/run-ustack/python.py busy" ./t_samples.ko >out 2>err || fail "samples: $?" "$(cat err)"
awk '{ n = $NF; sub(/ [0-9]+$/, ""); all += n }
	/^<module>;spin_a(;|$)/ { a += n }
	/^<module>;spin_b;spin_a(;|$)/ { b += n }
	!/^<module>(;|$)/ && !/^_?_?[a-zA-Z]/ && !/^<frozen/ { bad += n; print "bad:", $0 }
	END { print a + 0, b + 0, all + 0; exit bad || a < all / 4 || b < all / 4 }' out >samples || fail "samples" "$(cat samples out err)"
