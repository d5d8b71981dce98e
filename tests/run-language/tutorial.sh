#!/bin/bash
# Each command of the tutorial prints what the tutorial says
# host: python3 "$SRC/tests/lib/tutorial.py" build "$SRC/doc/tutorial.md"
python3 "$SRC/tests/lib/tutorial.py" run
