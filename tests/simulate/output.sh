# -o writes the output to a file, and a session that cannot write reports it.
"$TAPC" --simulate -o out -e 'probe begin { println("in a file"); warn("on stderr") }' 2>err || exit 1
[ "$(cat out)" = "in a file" ] || exit 1
[ "$(cat err)" = "WARNING: on stderr" ] || exit 1
"$TAPC" --simulate -o /no/such/folder/file -e 'probe begin { }' 2>err
[ $? = 2 ] || exit 1
grep -q "cannot write to '/no/such/folder/file'" err || exit 1
"$TAPC" --simulate -e 'probe begin { for (i = 0; i < 5000; i++) println("text") }' >/dev/full 2>err
[ $? = 8 ] || exit 1
"$TAPC" --simulate -c true -e 'probe begin { }' 2>err
[ $? = 2 ] || exit 1
