sleep 60 &
busybox renice -n 7 -p $! >/dev/null
busybox renice -n 5 -p $! >/dev/null
kill $!
