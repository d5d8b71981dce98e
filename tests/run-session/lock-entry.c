// SPDX-License-Identifier: GPL-2.0-or-later
/* A hundred timers expire while no lock is held, then a hundred during a write to /dev/null. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { TIMERS = 100 };

static void check(long result, const char *what)
{
	if (result >= 0)
		return;
	perror(what);
	exit(1);
}

/* One a millisecond. */
static void start(const int *timers)
{
	for (int i = 0; i < TIMERS; i++) {
		struct itimerspec at = { .it_value.tv_nsec = (i + 1) * 1000000 };

		check(timerfd_settime(timers[i], 0, &at, NULL), "timerfd_settime");
	}
}

static void await(const int *timers)
{
	unsigned long long times;

	for (int i = 0; i < TIMERS; i++)
		check(read(timers[i], &times, sizeof(times)), "read");
}

int main(void)
{
	int timers[TIMERS], null = open("/dev/null", O_WRONLY);

	check(null, "/dev/null");
	for (int i = 0; i < TIMERS; i++) {
		timers[i] = timerfd_create(CLOCK_MONOTONIC, 0);
		check(timers[i], "timerfd_create");
	}
	start(timers);
	await(timers);
	start(timers);
	check(write(null, "x", 1), "write");
	await(timers);
	return 0;
}
