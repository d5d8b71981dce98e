# One process that waits 40 times, and two that compete for one processor.
perl -e '$0 = "waits"; select undef, undef, undef, 0.002 for 1 .. 40'
for name in busy1 busy2; do
	taskset -c 1 perl -e '$0 = shift; $end = (times)[0] + 0.3; 1 while (times)[0] < $end' $name &
done
wait
