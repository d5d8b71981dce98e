#!/bin/bash
# A session that needs no library but that of C has no other in memory; one that needs a library which is not there says so, or does without
. "$SRC/tests/lib/session.sh"
readelf -lW "$TAPRUN" | grep -q INTERP || { echo "taprun is linked statically"; exit 77; }
start ./t_plain.ko
printed on
others=$(awk '/\.so/ { print $NF }' "/proc/$pid/maps" | sort -u | grep -v -e '/libc[.-]' -e '/ld-')
kill -INT $pid
wait $pid
[[ -z $others ]] || fail "libraries" "$others"

# without LIBRARY COMMAND...: as if it was not installed
without()
{
	local file

	file=$(realpath "$(ldconfig -p | awk -v name="$1" '$1 == name { print $NF; exit }')") || fail "no $1"
	mount --bind /dev/null "$file" || fail "cannot hide $file"
	"${@:2}" >out 2>err
	status=$?
	umount "$file"
}

without libsqlite3.so.0 "$TAPRUN" --output=sqlite -o rows ./t_rows.ko
[[ $status = 2 ]] && grep -qx 'ERROR: SQLite is missing: install libsqlite3-0 (Debian) or sqlite-libs (Fedora); --output=sql prints what sqlite3 reads' err || fail "SQLite: $status" "$(cat err)"
without libncursesw.so.6 script -qec "'$TAPRUN' --monitor ./t_plain.ko" /dev/null
[[ $status = 2 ]] && grep -q -- '--monitor needs ncurses for its screen: install libncursesw6 (Debian) or ncurses-libs (Fedora); taprun --monitor=NAME | cat prints what it would show' out || fail "ncurses: $status" "$(cat out)"
without libjansson.so.4 "$TAPRUN" --container=web ./t_plain.ko
[[ $status = 6 ]] && grep -q "^ERROR: no container 'web' .*; taprun has no jansson, so it needs the ID" err || fail "jansson: $status" "$(cat err)"
gone t_plain && gone t_rows || fail "still loaded"

# a file that is not compressed
"$TAPRUN" --output=parquet -o packed ./t_rows.ko || fail "Parquet"
without libzstd.so.1 "$TAPRUN" --output=parquet -o plain ./t_rows.ko
[[ $status = 0 && ! -s err ]] || fail "zstd: $status" "$(cat err)"
export PYTHONPATH=$SRC/tests/lib
for file in packed plain; do
	python3 -c "import parquet; print(sum(int(row[2]) for row in parquet.read('$file')[1]))" >sum 2>&1
	[[ $(<sum) = 499500 ]] || fail "$file" "$(cat sum)"
done
(($(stat -c %s packed) < $(stat -c %s plain))) || fail "sizes: $(stat -c %s packed plain)"
