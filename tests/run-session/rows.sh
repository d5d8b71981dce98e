#!/bin/bash
# --output=csv, parquet, arrow, sql, sqlite and json of rows: all that a command's calls made; what is lost is in the file; a full
# disk, or a kill, leaves a file that opens. The files are read by rows.check.
# default: no
# timeout: 400
. "$SRC/tests/lib/session.sh"
dd() { echo "exec dd if=/dev/zero of=/dev/null bs=$1 count=$2 status=none"; }

for format in csv json parquet arrow sql sqlite; do
	"$TAPRUN" --output=$format -o rows.$format -c "$(dd 7 3000)" ./t_rows.ko >out 2>err || fail "$format: $?" "$(cat err)"
	[[ ! -s err && ! -s out ]] || fail "$format: messages" "$(cat out err)"
done
date +%s >now
"$TAPRUN" --output=csv -c "$(dd 7 2)" ./t_rows.ko >out && [[ $(wc -l <out) = 3 ]] || fail "to standard output" "$(cat out)"
"$TAPRUN" --output=parquet -c "$(dd 7 2)" ./t_rows.ko >printed.parquet || fail "Parquet to standard output"
"$TAPRUN" --output=parquet -c "$(dd 7 2)" ./t_rows.ko | cat >piped.parquet || fail "Parquet in a pipe"

# values and names that are difficult; lines are not in the file
"$TAPRUN" --output=sqlite -o difficult.sqlite ./t_tables.ko 2>err || fail "difficult: $?" "$(cat err)"
grep -q '^WARNING: 1 lines or events are not rows of a table, and are not in the file' err || fail "lines" "$(cat err)"
"$TAPRUN" --output=csv ./t_tables.ko 2>err && fail "two tables in CSV"
grep -q 'has the rows of one table, but the script has 2 tables: --output=sql has all' err || fail "two tables" "$(cat err)"
"$TAPRUN" --output=sql ./t_no_rows.ko 2>err && fail "no rows"
grep -q 'the script prints nothing for this --output: it shows rows of tables, which @row() prints' err || fail "no rows" "$(cat err)"
"$TAPRUN" --output=sqlite ./t_tables.ko 2>err && fail "no file"
grep -q 'this --output is a database: -o FILE names it' err || fail "no file" "$(cat err)"
gone t_tables || fail "still loaded"

# what is lost: the buffer is full, then the same processor prints further rows
for format in csv parquet arrow sqlite; do
	rm -f go begun stopped full
	start -s 1 --output=$format -o lost.$format -c "exec taskset -c 0 bash -c 'touch begun; until [[ -e stopped ]]; do sleep 0.1; done; $(dd 7 60000 | sed 's/^exec //'); touch full; until [[ -e go ]]; do sleep 0.1; done; $(dd 7 100)'" ./t_rows.ko
	wait_until test -e begun
	kill -STOP $pid
	touch stopped
	wait_until test -e full
	kill -CONT $pid
	sleep 1
	touch go
	wait $pid || fail "lost: $format: $?" "$(cat err)"
done
rm full

# killed: what had been written is there
start --output=parquet -o killed.parquet -c "bash -c 'echo \$\$ >loader; $(dd 7 3000 | sed 's/^exec //'); exec sleep 1000'" ./t_rows.ko
wait_until eval '[[ $(python3 rows.py parquet killed.parquet "select count(*) from writes" 2>&1) = 3000 ]]'
kill -KILL $pid
kill "$(<loader)"
wait_until "$TAPRUN" -d t_rows 2>/dev/null

# on a full disk: what was written before is there
mkdir small
mount -t tmpfs -o size=300k none small || fail mount
for format in sqlite sql csv parquet arrow; do
	[[ $format != parquet ]] || mount -o remount,size=60k small || fail remount
	"$TAPRUN" --output=$format -o small/full.$format -c "$(dd 7 30000)" ./t_rows.ko >out 2>err
	[[ $? = 8 ]] && grep -qi "cannot write to 'small/full.$format': .*\(full\|No space\)" err || fail "full: $format" "$(cat err)"
	[[ $format != [pa]* ]] || grep -q "^WARNING: the last [0-9]* rows are not in 'small/full.$format'" err || fail "full: $format" "$(cat err)"
	mv small/* . || fail mv
done
umount small
