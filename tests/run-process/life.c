#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *thread(void *unused)
{
	return unused;
}

/* 20 children that do not run another program, 3 threads each, 10 calls each */
int main(void)
{
	for (int child = 0; child < 20; child++) {
		if (fork()) {
			wait(0);
			continue;
		}
		for (int i = 0; i < 3; i++) {
			pthread_t t;

			if (!pthread_create(&t, 0, thread, 0))
				pthread_join(t, 0);
		}
		for (int i = 0; i < 10; i++)
			syscall(SYS_getppid, 11, 22, 33, 44, 55, 66);
		return 0;
	}
	return 0;
}
