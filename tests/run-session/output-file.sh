#!/bin/bash
# -o FILE with %-escapes, -S rotates, -b has a file for each processor: together they hold everything, once
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_out -e 'global n probe kernel.function("write_null") { if (execname() == "dd") { n++; printf("%0100d\n", n) } }'
. "$SRC/tests/lib/session.sh"
work='for i in 1 2; do dd if=/dev/zero of=/dev/null bs=1 count=6000 status=none & done; wait'
"$TAPRUN" -o 'out-%Y%%' -c "$work" ./t_out.ko >stdout 2>err || fail "-o: $?" "$(cat err)"
[[ -s out-$(date +%Y)% && ! -s stdout ]] || fail "-o: $(ls)"
seq -f %0100.0f 12000 | cmp - "out-$(date +%Y)%" || fail "-o"
"$TAPRUN" -S 1 -o part -c "$work" ./t_out.ko 2>err || fail "-S: $?" "$(cat err)"
[[ $(ls part* | wc -l) -ge 2 ]] || fail "-S: $(ls)"
seq -f %0100.0f 12000 | cmp - <(cat $(ls part* | sort -V)) || fail "-S"
"$TAPRUN" -b -o bulk -c "$work" ./t_out.ko 2>err || fail "-b: $?" "$(cat err)"
seq -f %0100.0f 12000 | cmp - <(cat bulk_cpu* | sort) || fail "-b: $(ls)"
