#!/bin/bash
# Each command of the tutorial prints what the tutorial says
# 6.12-debug: no, its stacks are those of 6.1
# host: python3 "$SRC/tests/lib/tutorial.py" build "$SRC/doc/tutorial.md"
python3 "$SRC/tests/lib/tutorial.py" run
