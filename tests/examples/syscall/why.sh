# Opens a file that does not exist.
LC_ALL=C cat /tmp/missing 2>/dev/null
:
