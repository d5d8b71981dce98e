#!/bin/bash
# --check reports the places of a script with the mechanism of each, how many are breakpoints, and the cost; it needs
# neither compiler nor headers and builds nothing
[[ -n $KREL ]] || { echo "no kernel to look into"; exit 77; }
fail() { echo "$*"; cat out err; exit 1; }
printf 'int twice(int x) { return x * 2; }\nint main(int n, char **v) { return twice(n) == 0; }\n' >work.c
gcc -g -O0 work.c -o work || { echo "no compiler"; exit 77; }
cat >reads.stp <<'S'
global n, slow
probe kernel.function("vfs_*") { n[ppfunc()]++ }
probe kernel.function("vfs_read").return { slow <<< $return }
probe process("./work").function("twice"), process("./work").function("main").return { foreach (k in n) println(k) }
probe timer.s(1) { println(@count(slow)) }
probe begin { println("begin") }
S
read -ra args <<<"$TAPC_ARGS"
mkdir none
for tool in cat grep sed; do
	ln -s "$(type -P $tool)" none/
done
# without a compiler, make, a cache
check() { PATH=$PWD/none XDG_CACHE_HOME=$PWD/cache "$TAPC" "${args[@]}" --check "$@" >out 2>err; }
check reads.stp || fail "status $?"
[[ ! -s err ]] || fail "standard error"
[[ -z $(find cache -name '*.ko' -o -path '*/kernels/*') ]] || fail "something was built"
vfs=$("$TAPC" "${args[@]}" -l 'kernel.function("vfs_*")' | grep -c .)
((vfs > 20)) || fail "vfs_*: $vfs places"
grep -q "^    places  *[0-9]* by ftrace, about [0-9]* instructions per hit\$" out || fail "no ftrace"
grep -q '^                kernel\.function("vfs_[a-z_]*@\?[^"]*")' out || fail "no names"
grep -q '^                and [0-9]* more$' out || fail "a long list is not cut"
grep -q '^    places  *1 by uprobe, ' out && grep -q '^    places  *1 by uretprobe, ' out || fail "no uprobes"
grep -q '^                process(".*/work")\.function("twice' out || fail "no name of a uprobe"
grep -q '^    places  *1 by a timer$' out && grep -q '^    locks  *writing n ' out && grep -q '^memory: ' out || fail "the cost"
tail -n 1 out | grep -q '^total: 5 probes at [0-9]* places, [0-9]* of them breakpoints; at most [0-9]* statements per hit' ||
	fail "no total"
total=$(tail -n 1 out)

# the same as objects, with all names
check --output=json reads.stp || fail "JSON: status $?"
python3 - "$vfs" "$total" <<'END' >log 2>&1 || fail "JSON: $(cat log)"
import json, re, sys
rows = [json.loads(line) for line in open("out")]
probes, memory, total = rows[:-2], rows[-2], rows[-1]
assert all(r["type"] == "bound" for r in probes) and memory["type"] == "bound_memory"
places = [m for p in probes for m in p["places"]]
assert all(m["count"] == len(m["names"]) for m in places), places
assert sum(m["count"] for m in probes[0]["places"]) == int(sys.argv[1]), probes[0]
by = {m["by"]: m for m in places}
assert by["uprobe"]["breakpoint"] and by["uretprobe"]["breakpoint"] and not by["ftrace"]["breakpoint"], by
n, traps = sum(m["count"] for m in places), sum(m["count"] for m in places if m["breakpoint"])
assert total == {"type": "bound_total", "probes": 5, "places": n, "breakpoints": traps,
		 "statements": total["statements"]} and traps >= 2, total
assert total["statements"] == max(p["statements"] for p in probes if p["limit"] == 1000), total
words = re.findall(r"\d+", sys.argv[2])
assert words == [str(total[k]) for k in ("probes", "places", "breakpoints", "statements")], words
END

# a script with an error; limits apply
check -e 'probe timer.s(1) { nonsense() }' && fail "an error"
[[ $(PATH=$PWD/none "$TAPC" "${args[@]}" --check -e 'probe timer.s(1) { nonsense() }' >out 2>err; echo $?) = 3 ]] || fail "not status 3"
! grep -q '^Pass' err || fail "a question has no passes"
check --max-cost=5 reads.stp && fail "--max-cost"
grep -q -- '--max-cost allows 5' err || fail "--max-cost: no message"
check --suppress-time-limits -e 'global g probe timer.s(1) { while (g) g++ }' || fail "without limits"
tail -n 1 out | grep -q 'no bound on the statements of a hit$' || fail "without limits"
# -p2 keeps its meaning
check -p2 -e 'probe begin { println("begin") }' && ! grep '^total' out
