. "$SRC/tests/lib/memory.sh"
huge_pages never
exec dd if=/dev/zero of=/dev/null bs=16M count=2 status=none
