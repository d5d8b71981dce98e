#!/bin/bash
# --output=parquet and arrow: DuckDB, a reader in JavaScript and Apache Arrow, fetched by npm, read the same rows, which are
# the script's
# default: no
# sanitizers: no
# timeout: 600
. "$SRC/tests/lib/packages.sh"
. "$SRC/tests/lib/kernels.sh"
. "$SRC/tests/lib/npm.sh"
fail() { echo "$*"; exit 1; }
npm_modules "$SRC/tests/simulate/readers"
cp "$SRC"/tests/simulate/readers/*.mjs . && ln -s "$modules/node_modules" . || exit
make -s -C "$BUILD" tests/unit/staging-timeline >log 2>&1 || { cat log; exit 1; }
# readers FILE [QUERY]; arrow FILE PARQUET
arrow() { timeout 200 node arrow.mjs "$@" >out 2>&1 || fail "$*: $? $(cat out)"; }
readers() { timeout 200 node read.mjs "$@" >out 2>&1 || fail "$*: $? $(cat out)"; }
cat >t.stp <<'END'
probe timer.ms(10)
{
	@row("reads(pid, name)", -5, "a,\"b\"\n\r'c' \377%s")
	@row(" reads ( pid , name ) ", 0x8000000000000000, "")
	@row("reads(pid, name)", 0x7fffffffffffffff, "é")
	exit()
}
END
"$TAPC" --simulate --output=parquet -o rows t.stp || fail "tapc: $?"
readers rows 'SELECT pid, name FROM FILE'
diff - out <<'END' || fail "values"
time BIGINT, cpu BIGINT, pid BIGINT, name VARCHAR, tapc_lost BIGINT
3 rows in 1 groups
[{"pid":"-5","name":"a,\"b\"\n\r'c' �%s"},{"pid":"-9223372036854775808","name":""},{"pid":"9223372036854775807","name":"é"}]
END
"$TAPC" --simulate --output=arrow -o rows.arrow t.stp || fail "tapc: $?"
arrow rows.arrow rows
diff - out <<'END' || fail "values"
time Int64, cpu Int64, pid Int64, name Utf8, tapc_lost Int64
3 rows in 1 groups
END
"$TAPC" --simulate --output=parquet -o none -e 'probe begin { if (cpu() > 5000) @row("a(x, y)", 1, "") exit() }' || fail "no rows: $?"
readers none 'SELECT count(*) AS n FROM FILE'
[[ $(tail -n 2 out) = $'0 rows in 0 groups\n[{"n":"0"}]' ]] || fail "no rows: $(cat out)"

# compressed, several groups, losses; cut by a full disk
query='SELECT count(*) AS rows, sum(n) AS sum, min(square) AS least, max(square) AS most, sum(tapc_lost) AS lost,
	count(DISTINCT name) AS different FROM FILE'
export ROWS=300000
"$BUILD/tests/unit/staging-timeline" parquet many >log || fail "many: $?"
readers many "$query"
tail -n 2 out | diff - <(cat <<'END'
300000 rows in 3 groups
[{"rows":"300000","sum":"44999850000","least":"0","most":"89999400001","lost":"60","different":"4"}]
END
) || fail "many"
"$BUILD/tests/unit/staging-timeline" arrow many.arrow >log || fail "many: $?"
arrow many.arrow many
[[ $(tail -n 1 out) = '300000 rows in 3 groups' ]] || fail "many: $(cat out)"
"$BUILD/tests/unit/staging-timeline" parquet cut 1000000 2>err || fail "cut: $?"
left=$(sed -n "s/^WARNING: the last \([0-9]*\) rows are not in 'cut'$/\1/p" err)
readers cut 'SELECT count(*) AS rows, max(n) AS last FROM FILE'
[[ $left -gt 0 && $(tail -n 1 out) = "[{\"rows\":\"$((ROWS - left))\",\"last\":\"$((ROWS - left - 1))\"}]" ]] || fail "cut: $(cat err out)"
