#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void *thread(void *unused)
{
	return unused;
}

/* Threads and processes that are not waited for: they release themselves, and continue to run for a while. */
int main(void)
{
	pthread_attr_t detached;
	pthread_t t;

	signal(SIGCHLD, SIG_IGN);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < 100; i++) {
		if (pthread_create(&t, &detached, thread, NULL))
			return 1;
		switch (fork()) {
		case -1:
			return 2;
		case 0:
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
