#!/bin/bash
# --output=parquet and arrow of rows: texts and numbers that are difficult, no rows, many groups
fail() { echo "$format: $*"; exit 1; }
show() { python3 "$SRC/tests/lib/$format.py" "$1" || fail "$1 cannot be read"; }
simulate() { "$TAPC" --simulate --output=$format "$@"; }

cat >t.stp <<'END'
probe timer.ms(10)
{
	@row("reads(pid, name)", -5, "a,\"b\"\n\r'c' \377%s")
	@row(" reads ( pid , name ) ", 0x8000000000000000, "")
	@row("reads(pid, name)", 0x7fffffffffffffff, "é\355\240\200")
	printf("no row\n")
	exit()
}
END
cat >expected <<'END'
["time", "cpu", "pid", "name", "tapc_lost"]
[10000000, 0, -5, "a,\"b\"\n\r'c' �%s", 0]
[10000000, 0, -9223372036854775808, "", 0]
[10000000, 0, 9223372036854775807, "é���", 0]
END
none='probe begin { if (cpu() > 5000) @row("a(x, y)", 1, "") exit() }'
cat >many.stp <<'END'
global n
probe timer.us(100) { for (i = 0; i < 10000; i++) @row("numbers(n)", ++n) if (n == 400000) exit() }
END
cat >long.stp <<'END'
global n, text
probe begin { text = "0123456789abcdef" for (i = 0; i < 6; i++) text .= text }
probe timer.us(100) { for (i = 0; i < 1000; i++) @row("texts(n, text)", ++n, text) if (n == 20000) exit() }
END
# a group has 131072 rows, or somewhat more than 8 MB
cat >groups.py <<'END'
import importlib, sys
read = importlib.import_module(sys.argv[1]).read
names, rows, groups = read('many')
assert groups == [131072, 131072, 131072, 6784], groups
assert [row[2] for row in rows] == list(range(1, 400001))
names, rows, groups = read('long')
size = 8 * 4 + 4 + 1024
assert groups[:-1] == [-(-(8 << 20) // size)] * 2 and sum(groups) == 20000, groups
assert all(row[3] == '0123456789abcdef' * 64 for row in rows)
END

for format in parquet arrow; do
	simulate -o rows t.stp 2>err || fail "$? $(cat err)"
	[[ $(<err) = 'WARNING: 1 lines or events are not rows of a table, and are not in the file' ]] || fail "$(cat err)"
	show rows | diff - expected || fail "values"
	# in a pipe, too
	simulate t.stp 2>/dev/null | cmp - rows || fail "in a pipe"

	simulate -o none -e "$none" || fail "no rows: $?"
	[[ $(show none) = '["time", "cpu", "x", "y", "tapc_lost"]' ]] || fail "no rows: $(show none)"

	simulate -DMAXACTION=100000 -o many many.stp || fail "many: $?"
	simulate -DMAXACTION=100000 -DMAXSTRINGLEN=2000 -o long long.stp || fail "long: $?"
	PYTHONPATH=$SRC/tests/lib python3 groups.py $format || fail "groups"

	simulate -o two -e 'probe begin { @row("a(x)", 1) exit() @row("b(x)", 1) }' 2>err && fail "two tables"
	grep -qx 'ERROR: this --output has the rows of one table, but the script has 2 tables: --output=sql has all' err || fail "$(cat err)"
done
