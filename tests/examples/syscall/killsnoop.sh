# Two signals that arrive, one to a process that does not exist.
sleep 60 &
kill -CONT $!
kill -TERM $!
wait $! 2>/dev/null
kill -USR1 4000000 2>/dev/null
:
