#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_barrier_t together;
static char *pages[4];

/* the first access to each page is a fault */
__attribute__((noinline)) void touch(int which, int n)
{
	for (int i = 0; i < n; i++)
		((volatile char *)pages[which])[i * 4096L] = 1;
}

static void *thread(void *n)
{
	touch(3, 0);
	pthread_barrier_wait(&together);
	touch((long)n, 100 * (long)n);
	return n;
}

int main(int argc, char **argv)
{
	(void)argv;
	pthread_t threads[2];

	for (int i = 0; i < 4; i++) {
		pages[i] = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		madvise(pages[i], 1 << 20, MADV_NOHUGEPAGE);
	}
	if (argc > 1)		/* time to be found running */
		getchar();
	pthread_barrier_init(&together, 0, 2);
	touch(3, 0);
	touch(3, 10);
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, thread, (void *)(i + 1));
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	if (!fork()) {
		touch(0, 0);		/* the child's own stack */
		touch(0, 50);
		return 0;
	}
	wait(0);
	return 0;
}
