#include <pthread.h>
#include <unistd.h>

volatile long steps;

__attribute__((noipa)) void step(void)
{
}

static void *thread(void *unused)
{
	return unused;
}

/* Triggers every kind of process probe. */
int main(void)
{
	pthread_t t;

	for (int i = 0; i < 100; i++) {
		step();
		steps = i;
		getppid();
	}
	return pthread_create(&t, NULL, thread, NULL) || pthread_join(t, NULL);
}
