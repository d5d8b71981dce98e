# Six threads compete for the second processor, each for 150 ms.
for _ in 1 2 3 4 5 6; do
	taskset -c 1 perl -e '$end = (times)[0] + 0.15; 1 while (times)[0] < $end' &
done
wait
