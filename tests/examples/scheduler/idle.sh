# The first processor sleeps for half a second while the other one works.
taskset -c 1 perl -e 'use Time::HiRes "time"; $start = $now = time; $now = time while $now < $start + 0.5;
	printf "%d ms went by\n", ($now - $start) * 1000'
