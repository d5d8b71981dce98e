sleep 60 &
sleeper=$!
strace -q -o /dev/null -p $sleeper &
until grep -q "TracerPid:.*[1-9]" /proc/$sleeper/status; do sleep 0.1; done
kill $sleeper
wait
