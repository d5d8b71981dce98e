# A running shell is moved to another processor ten times.
sh -c 'for i in 1 2 3 4 5; do
	taskset -p -c 1 $$ >/dev/null
	taskset -p -c 0 $$ >/dev/null
done' &
wait
