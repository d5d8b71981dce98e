#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

volatile int watched, both, fixed;
volatile struct { char name[4]; short part; } pair;
static volatile long quiet;

/* QEMU reports the last watched access again at the next one, unless something else on the page was accessed in
 * between. */
static void touch_else(void)
{
	quiet++;
}

static void *writer(void *n)
{
	for (int i = 0; i < 100; i++)
		watched = i;
	touch_else();
	return n;
}

static int run_anew(void)
{
	for (int i = 0; i < 3; i++)
		watched = 1000 + i;
	touch_else();
	both = 1;
	quiet += both;
	return 0;
}

static int child(void)
{
	for (int i = 0; i < 5; i++)
		watched = i;
	quiet += both;
	for (int i = 0; i < 2; i++)
		fixed = i;
	touch_else();
	return 0;
}

/* watched: written 10 times, in two threads 100 times each, in a child 5 times and, after another exec, 3 times;
 * both: written and read 3 + 4, 1, 2 times; fixed: written 1, 2 times */
int main(int argc, char **argv)
{
	pthread_t threads[2];

	(void)argv;
	if (argc > 1)
		return run_anew();
	for (int i = 0; i < 10; i++)
		watched = i;
	for (int i = 0; i < 7; i++)
		quiet += watched;
	for (int i = 0; i < 3; i++)
		both = i;
	for (int i = 0; i < 4; i++)
		quiet += both;
	fixed = 1;
	touch_else();
	pair.name[0] = 1;
	pair.part = 2;
	touch_else();
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, writer, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	if (!fork())
		return child();
	wait(0);
	return execl(argv[0], argv[0], "again", (char *)0);
}
