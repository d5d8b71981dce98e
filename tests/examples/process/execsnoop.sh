# Three programs with known arguments, and one that does not exist.
/bin/true one
/bin/true two three
/bin/echo 'a b' >/dev/null
/nonexistent/program 2>/dev/null
:
