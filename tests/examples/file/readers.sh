# Three programs that read, until they are done.
dd if=/dev/zero of=/dev/null bs=64 count=20000 2>/dev/null &
cat /proc/*/status >/dev/null 2>&1
wc -c /bin/* >/dev/null 2>&1
wait
