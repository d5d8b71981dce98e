# Arguments of a script follow its name.
"$TAPC" -p1 "$SRC/tests/parse/arguments.stp" '1+2' 'x(3)' 'a "b"'
