for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 0.01; done
exec /bin/dd if=/dev/zero of=/dev/null bs=4M count=8 status=none
