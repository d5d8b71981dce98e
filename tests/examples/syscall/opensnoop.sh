# Ten files that exist, one that does not.
dir=$(mktemp -d)
for i in 0 1 2 3 4 5 6 7 8 9; do echo "$i" >"$dir/f$i"; done
cat "$dir"/f? >/dev/null
cat "$dir/missing" 2>/dev/null
rm -r "$dir"
