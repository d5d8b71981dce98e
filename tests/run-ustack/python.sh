#!/bin/bash
# Stacks of Python programs are those that the interpreter itself shows: calls, generators, coroutines, threads, forks, long
# functions, names that are not ASCII; in another pid namespace, too. Samples of a busy program are of its functions.
# default: no
# kernels: all
# timeout: 200
. "$SRC/tests/lib/session.sh"
python=${PYTHON:-python3}
$python -c 'import sys; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 13)))' ||
	{ echo "the structures of $($python --version 2>&1) are not known"; exit 77; }

# traced MODULE COMMAND: runs it after the interpreter's tables have arrived
traced()
{
	rm -f known out
	"$TAPRUN" -c "exec $2" "$1" >out 2>err &
	wait_until grep -qx known out
	touch known
	wait $! || fail "$2: $?" "$(cat err)"
	[[ ! -s err ]] || fail "$2" "$(cat err)"
	sed -i '/^on$/d; /^known$/d' out
}

for namespace in '' 'unshare -pfm --mount-proc'; do
	traced ./t_python.ko "$namespace $python -X utf8 $SRC/tests/run-ustack/python.py >expected"
	LC_ALL=C sed 's/\x1b/?/g' expected | diff - out >different || fail "$namespace" "$(cat different)"
	[[ $(grep -c '^---' out) -ge 25 ]] || fail "$namespace: $(grep -c '^---' out) stacks"
	grep -q '^ größe_шрифта_字 at ' out && grep -q '^ far at a😀;b?\[1m.py:3003$' out &&
		grep -q '^ far at a😀;b?\[1m.py:73007$' out || fail "$namespace" "$(cat out)"
done

# a sample cannot wait for memory: the name of modules may not have been read yet when the first ones are imported
traced ./t_samples.ko "$python $SRC/tests/run-ustack/python.py busy"
awk '{ n = $NF; sub(/ [0-9]+$/, ""); all += n }
	/^<module>;spin_a(;|$)/ { a += n }
	/^<module>;spin_b;spin_a(;|$)/ { b += n }
	!/^<module>(;|$)/ && !/^_?_?[a-zA-Z]/ && !/^<frozen/ && !/^\?;_find_and_load;/ && !/^\[incomplete\];/ { bad += n; print "bad:", $0 }
	END { print a + 0, b + 0, all + 0; exit bad || !a || a > 4 * b || b > 4 * a }' out >samples || fail "samples" "$(tail -n 5 samples; head -n 20 out)"
