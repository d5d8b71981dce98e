# A terminal of 72 columns and 33 rows, and a program that writes a line to it.
script -qec 'stty cols 72 rows 33; exec 2>&1; echo hello' /dev/null </dev/null >/dev/null
