#!/bin/bash
# umodaddr is the address that nm shows, umodbuildid what the file's note has: of programs that are loaded anywhere, of others, and of
# 32 bits where the compiler can make them
# kernels: all
# host: for how in 'pie -fpie -pie' 'fixed -no-pie' 'none -Wl,--build-id=none' 'narrow -m32'; do gcc -g -O1 -Wl,--build-id ${how#* } -o ${how%% *} placed.c 2>/dev/null || { [ "${how%% *}" = narrow ] && continue || exit; }; name=${how%% *}; readelf -n $name | sed -n 's/.*Build ID: //p' >$name.id; nm $name | sed -n 's/^0*\([0-9a-f]*\) [TD] \(here\|data\)$/\2 \1/p' >$name.nm; "$TAPC" $TAPC_ARGS -p4 -m t_$name -e "probe process(\"./$name\").function(\"here\") { printf(\"here %x\\ndata %x\\n\", umodaddr(uaddr()), umodaddr(\$address)); try { println(umodbuildid(\$address)) } catch (e) { println(e) } try { println(umodaddr(7)) } catch (e) { println(e) } try { println(umodbuildid(7)) } catch (e) { println(e) } }" || exit; done
. "$SRC/tests/lib/session.sh"
for name in pie fixed none narrow; do
	[[ -e $name ]] || { echo "no $name"; continue; }
	"$TAPRUN" -c "./$name" ./t_$name.ko >out 2>err || fail "$name: $?" "$(cat out err)"
	base=0
	[[ $name != fixed ]] || base=0x400000
	while read -r symbol address; do
		grep -qx "$symbol $(printf %x $((0x$address - base)))" out || fail "$name: $symbol is at $address" "$(cat out)"
	done <$name.nm
	[[ $(sed -n 3p out) =~ $([[ -s $name.id ]] && cat $name.id || echo "the file at 0x[0-9a-f]* has no build ID that can be read now") ]] || fail "$name: ID" "$(cat out $name.id)"
	[[ $(grep -c '^0x7 is in no file' out) = 2 ]] || fail "$name: 7" "$(cat out)"
done
[[ $(wc -l <pie.nm) = 2 && -s pie.id && ! -s none.id ]] || fail "nothing is shown"
