for _ in 1 2 3 4 5 6 7 8; do cat /proc/self/stat; done >/dev/null
sleep 20
