#!/bin/bash
# Rows of tables as text, CSV and SQL, read back by Python's readers
fail() { echo "$*"; exit 1; }
cat >t.stp <<'END'
probe timer.ms(10)
{
	@row("reads(pid, name)", -5, "a,\"b\"\n\r'c' \377%s")
	@row(" reads ( pid , name ) ", 0x8000000000000000, "")
	printf("no row\nno row\n")
	exit()
}
END
"$TAPC" --simulate t.stp >text || fail "text: $?"
[[ $(<text) = $'reads pid=-5 name=a,"b"\n\r\'c\' \377%s\nreads pid=-9223372036854775808 name=\nno row\nno row' ]] || fail "$(cat text)"
for format in csv sql; do
	"$TAPC" --simulate --output=$format -o rows.$format t.stp 2>err || fail "$format: $?"
	[[ $(<err) = 'WARNING: 2 lines or events are not rows of a table, and are not in the file' ]] || fail "$format: $(cat err)"
done
python3 - <<'END' || fail "$(cat rows.csv rows.sql)"
import csv, sqlite3
expected = [(10000000, 0, -5, 'a,"b"\n\r\'c\' \ufffd%s'), (10000000, 0, -1 << 63, '')]
rows = list(csv.reader(open('rows.csv', newline='')))
assert rows[0] == ['time', 'cpu', 'pid', 'name', 'tapc_lost'], rows
assert [(int(a), int(b), int(c), d) for a, b, c, d, lost in rows[1:] if lost == '0'] == expected, rows
db = sqlite3.connect(':memory:')
db.executescript(open('rows.sql', newline='').read())
assert db.execute('select * from reads').fetchall() == expected
assert db.execute('select * from tapc_lost').fetchall() == []
END
"$TAPC" --simulate --output=perfetto -o timeline t.stp || fail "rows in a timeline: $?"
grep -aq 'reads pid=-5 name=a,"b"' timeline || fail "rows are lines in a timeline"
"$TAPC" --simulate --output=csv -e 'probe begin { @row("a(x)", 1) exit() @row("b(x)", 1) }' 2>err && fail "two tables"
grep -qx 'ERROR: this --output has the rows of one table, but the script has 2 tables: --output=sql has all' err || fail "$(cat err)"
"$TAPC" --simulate --output=sqlite -o file -e 'probe begin { @row("a(x)", 1) exit() }' 2>err && fail "a database"
grep -qx 'ERROR: --simulate writes no database: --output=sql prints what sqlite3 reads' err || fail "$(cat err)"
"$TAPC" --simulate --output=csv -e 'probe begin { println(1) exit() }' 2>err && fail "no rows"
grep -qx 'ERROR: the script prints nothing for this --output: it shows rows of tables, which @row() prints' err || fail "$(cat err)"
