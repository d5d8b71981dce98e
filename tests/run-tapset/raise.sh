trap 'echo 10' USR1
trap 'echo 12' USR2
kill -USR1 $$
sleep 0.1
