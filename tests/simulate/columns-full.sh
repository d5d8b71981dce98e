#!/bin/bash
# A Parquet or Arrow file that the disk has no room for has the first rows, and a warning counts the others; one whose
# writer was killed, and one that is read meanwhile, have all rows until the last second; what was lost is in its column
# default: no
# sanitizers: no
make -s -C "$BUILD" tests/unit/staging-timeline >log 2>&1 || { cat log; exit 1; }
fail() { echo "$FORMAT: $*"; exit 1; }
cat >rows.py <<'END'
import importlib, os, sys
names, rows, groups = importlib.import_module(os.environ['FORMAT']).read(sys.argv[1])
assert names == ['time', 'cpu', 'n', 'name', 'square', 'tapc_lost'], names
for i, row in enumerate(rows):
	expected = (1000 + i, i % 3, i, ('dd', 'bash', 'kworker/0:1', '')[i // 7 % 4], i * i, 2 * (i % 10000 == 9999))
	assert row == expected, (row, expected)
print(len(rows), len(groups))
END
# cut MOST: the file has at most so many bytes; sets $rows and $groups
cut()
{
	"$BUILD/tests/unit/staging-timeline" $FORMAT cut "$1" 2>err || fail "$1: $? $(cat err)"
	grep -q "cannot write to 'cut': File too large" err || fail "$1: $(cat err)"
	[[ $(stat -c %s cut) -le $1 ]] || fail "$1: $(stat -c %s cut)"
	python3 rows.py cut >counts || fail "$1"
	read -r rows groups <counts
	grep -qx "WARNING: the last $((ROWS - rows)) rows are not in 'cut'" err || fail "$1: $rows $(cat err)"
}

export PYTHONPATH=$SRC/tests/lib ROWS FORMAT
for FORMAT in parquet arrow; do
	for ROWS in 0 1 150000; do
		"$BUILD/tests/unit/staging-timeline" $FORMAT whole >/dev/null || fail "$ROWS: $?"
		python3 rows.py whole >counts || fail "$ROWS"
		[[ $(<counts) = "$ROWS "* ]] || fail "$ROWS: $(cat counts)"
		[[ $ROWS != 0 ]] || least=$(stat -c %s whole)
	done
	size=$(stat -c %s whole)
	# the end comes more than a second after rows that were not saved
	ROWS=1500 PAUSE=1500 "$BUILD/tests/unit/staging-timeline" $FORMAT late >/dev/null || fail "late: $?"
	[[ $(python3 rows.py late) = '1500 1' ]] || fail "late: $(python3 rows.py late 2>&1 | tail -n 1)"
	for most in $((size - 1)) $((size - 500)) $((size / 2)) 20000; do
		cut $most
		((rows > ROWS * (most / 100) / (size / 100) / 2)) || fail "$most of $size: $rows of $ROWS"
	done
	cut $((least + 500))
	[[ $groups -le 1 ]] || fail "$least and 500: $rows $groups"
	# no room even for the end
	"$BUILD/tests/unit/staging-timeline" $FORMAT cut 100 2>err || fail "100: $?"
	grep -qx "WARNING: the last $ROWS rows are not in 'cut'" err && [[ -e cut && ! -s cut ]] || fail "100: $(cat err)"

	# 40000 rows each second; the first group is complete after the fourth, and a busy machine may show more of them at once
	ROWS=100000000 PAUSE=40000 "$BUILD/tests/unit/staging-timeline" $FORMAT killed >/dev/null & pid=$!
	trap 'kill -KILL $pid 2>/dev/null' EXIT
	for ((i = 0; i < 600; i++)); do		# that it is being written, once, is no mistake
		! python3 rows.py killed >counts 2>error || [[ $(<counts) = *' 1' ]] || break
		sleep 0.1
	done
	kill -KILL $pid
	wait $pid 2>/dev/null
	read -r rows groups <counts
	[[ $groups -ge 2 && $rows -ge 160000 ]] || fail "meanwhile: $(cat counts error)"
	python3 rows.py killed >counts || fail "killed"
	read -r left groups <counts
	[[ $left -ge $rows ]] || fail "killed: $left, meanwhile $rows"
done
