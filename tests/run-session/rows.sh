#!/bin/bash
# --output=csv, parquet, arrow, sql, sqlite and json of rows: all that a command's calls made; what is lost is in the file; a full
# disk, or a kill, leaves a file that opens
# timeout: 400
. "$SRC/tests/lib/session.sh"
dd() { echo "exec dd if=/dev/zero of=/dev/null bs=$1 count=$2 status=none"; }

# read back: rows.py FORMAT FILE QUERY prints the rows, with those of CSV, Parquet and Arrow in the table writes
cat >rows.py <<'END'
import csv, importlib, json, os, sqlite3, sys
sys.path.append(os.environ['SRC'] + '/tests/lib')
form, file, query = sys.argv[1:]
if form == 'sqlite':
	db = sqlite3.connect(file)
	assert db.execute('PRAGMA integrity_check').fetchall() == [('ok',)]
else:
	db = sqlite3.connect(':memory:')
if form == 'sql':
	db.executescript(open(file).read())
if form in ('csv', 'json', 'parquet', 'arrow'):
	db.execute('CREATE TABLE writes(time, cpu, n INTEGER, name, size INTEGER, tapc_lost INTEGER)')
if form == 'csv':
	rows = list(csv.reader(open(file, newline='')))
	names = rows.pop(0)
if form in ('parquet', 'arrow'):
	names, rows, groups = importlib.import_module(form).read(file)
if form in ('csv', 'parquet', 'arrow'):
	assert names == ['time', 'cpu', 'n', 'name', 'size', 'tapc_lost'], names
if form == 'json':
	found = [o for o in map(json.loads, open(file)) if o['type'] == 'row']
	assert all(o['table'] == 'writes' and list(o['values']) == ['n', 'name', 'size'] for o in found), found[:1]
	rows = [[o['time'], o['cpu'], *o['values'].values(), 0] for o in found]
if form in ('csv', 'json', 'parquet', 'arrow'):
	db.executemany('INSERT INTO writes VALUES(?, ?, ?, ?, ?, ?)', rows)
for row in db.execute(query):
	print(*row, sep='|')
END
query='select count(*), min(n), max(n), sum(n), min(name), max(name), min(size), max(size) from writes'
export SRC
for format in csv json parquet arrow sql sqlite; do
	"$TAPRUN" --output=$format -o rows.$format -c "$(dd 7 3000)" ./t_rows.ko >out 2>err || fail "$format: $?" "$(cat err)"
	[[ ! -s err && ! -s out ]] || fail "$format: messages" "$(cat out err)"
	[[ $(python3 rows.py $format rows.$format "$query" 2>&1 | tee shown) = '3000|1|3000|4501500|dd|dd|7|7' ]] || fail $format "$(cat shown)"
done
# times are ns since 1970, in order
[[ $(python3 rows.py sqlite rows.sqlite "select min(time) / 1000000000 > $(date +%s) - 400, max(time) / 1000000000 <= $(date +%s),
	min(time) < max(time) from writes") = '1|1|1' ]] || fail "times"
"$TAPRUN" --output=csv -c "$(dd 7 2)" ./t_rows.ko >out && [[ $(wc -l <out) = 3 ]] || fail "to standard output" "$(cat out)"
"$TAPRUN" --output=parquet -c "$(dd 7 2)" ./t_rows.ko >out && [[ $(python3 rows.py parquet out "$query") = '2|1|2|3|dd|dd|7|7' ]] ||
	fail "Parquet to standard output"
"$TAPRUN" --output=parquet -c "$(dd 7 2)" ./t_rows.ko | cat >out && [[ $(python3 rows.py parquet out "$query") = '2|1|2|3|dd|dd|7|7' ]] ||
	fail "Parquet in a pipe"

# values and names that are difficult; lines are not in the file
"$TAPRUN" --output=sqlite -o difficult ./t_tables.ko 2>err || fail "difficult: $?" "$(cat err)"
grep -q '^WARNING: 1 lines or events are not rows of a table, and are not in the file' err || fail "lines" "$(cat err)"
[[ $(python3 rows.py sqlite difficult 'select a, b from numbers') = '-9223372036854775808|-1' ]] || fail "numbers"
[[ $(python3 rows.py sqlite difficult 'select "long", length(empty), "select" from texts') = $'it\'s "x", \n\\ \xef\xbf\xbdé|0|a\tb' ]] || fail "texts"
"$TAPRUN" --output=csv ./t_tables.ko 2>err && fail "two tables in CSV"
grep -q 'has the rows of one table, but the script has 2 tables: --output=sql has all' err || fail "two tables" "$(cat err)"
"$TAPRUN" --output=sql ./t_no_rows.ko 2>err && fail "no rows"
grep -q 'the script prints nothing for this --output: it shows rows of tables, which @row() prints' err || fail "no rows" "$(cat err)"
"$TAPRUN" --output=sqlite ./t_tables.ko 2>err && fail "no file"
grep -q 'this --output is a database: -o FILE names it' err || fail "no file" "$(cat err)"
gone t_tables || fail "still loaded"

# what is lost: the buffer is full, then the same processor prints further rows
lost='select (select count(*) from writes) + (select sum(tapc_lost) from writes), (select sum(tapc_lost) > 0 from writes)'
for format in csv parquet arrow sqlite; do
	rm -f go begun stopped
	start -s 1 --output=$format -o lost -c "exec taskset -c 0 bash -c 'touch begun; until [[ -e stopped ]]; do sleep 0.1; done; $(dd 7 60000 | sed 's/^exec //'); touch full; until [[ -e go ]]; do sleep 0.1; done; $(dd 7 100)'" ./t_rows.ko
	wait_until test -e begun
	kill -STOP $pid
	touch stopped
	wait_until test -e full
	kill -CONT $pid
	[[ $format != sqlite ]] || lost='select (select count(*) from writes) + (select sum(records) from tapc_lost), (select count(*) > 0 from tapc_lost)'
	sleep 1
	touch go
	wait $pid
	[[ $(python3 rows.py $format lost "$lost") = '60100|1' ]] || fail "lost: $format" "$(python3 rows.py $format lost "$lost"; cat err)"
	rm -f full lost
done

# killed: what had been written is there
start --output=parquet -o killed -c "bash -c 'echo \$\$ >loader; $(dd 7 3000 | sed 's/^exec //'); exec sleep 1000'" ./t_rows.ko
wait_until eval '[[ $(python3 rows.py parquet killed "select count(*) from writes" 2>&1) = 3000 ]]'
kill -KILL $pid
[[ $(python3 rows.py parquet killed "$query" 2>&1 | tee shown) = '3000|1|3000|4501500|dd|dd|7|7' ]] || fail "killed" "$(cat shown)"
kill "$(<loader)"
wait_until "$TAPRUN" -d t_rows 2>/dev/null

# on a full disk: what was written before is there
mkdir small
mount -t tmpfs -o size=300k none small || fail mount
for format in sqlite sql csv parquet arrow; do
	[[ $format != parquet ]] || mount -o remount,size=60k small || fail remount
	"$TAPRUN" --output=$format -o small/rows -c "$(dd 7 30000)" ./t_rows.ko >out 2>err
	[[ $? = 8 ]] && grep -qi "cannot write to 'small/rows': .*\(full\|No space\)" err || fail "full: $format" "$(cat err)"
	[[ $(python3 rows.py $format small/rows 'select count(*) > 100, count(*) = max(n) from writes') = '1|1' ]] || fail "full: $format"
	[[ $format != [pa]* ]] || grep -q "^WARNING: the last [0-9]* rows are not in 'small/rows'" err || fail "full: $format" "$(cat err)"
	rm -f small/*
done
umount small
