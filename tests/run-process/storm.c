#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int last;

__attribute__((noipa)) int twice(int n) { return 2 * n; }

static void *work(void *wrong)
{
	for (int i = 0; i < 200; i++) {
		int doubled = twice(i);

		last = doubled;
		if (doubled != 2 * i)
			*(int *)wrong = 1;
	}
	return NULL;
}

static int threads(void)
{
	pthread_t t[3];
	int wrong = 0;

	for (int i = 0; i < 3; i++)
		if (pthread_create(&t[i], NULL, work, &wrong))
			return 3;
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return wrong;
}

/* storm STOP [REST]: until a file STOP exists, children work and exit; half of them execute the program again
 * before. REST is a pause in milliseconds after each. */
int main(int argc, char **argv)
{
	useconds_t rest = argc > 2 ? (useconds_t)atoi(argv[2]) * 1000 : 0;
	int status;

	if (argc == 1)
		return threads();
	for (int i = 0; access(argv[1], F_OK); i++) {
		pid_t child = fork();

		if (child < 0)
			return 4;
		if (!child && i & 1)
			execl("/proc/self/exe", "storm", (char *)NULL);
		if (!child)
			_exit(threads());
		if (waitpid(child, &status, 0) != child || status)
			return 5;
		usleep(rest);
	}
	return 0;
}
