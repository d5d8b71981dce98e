# A shell's processor is changed ten times while it runs.
sh -c 'for i in 1 2 3 4 5; do
	taskset -p -c 1 $$ >/dev/null
	taskset -p -c 0 $$ >/dev/null
done' &
wait
