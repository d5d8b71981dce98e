"$TAPC" -p1 "$SRC/tests/parse/arguments-point.stp" 'begin, timer.s(1) ? , kernel.function("f")'
