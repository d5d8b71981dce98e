#include <signal.h>
#include <stdio.h>

static volatile int caught;

static void handler(int signal) { caught += signal == SIGUSR1; }

int main(int argc, char **argv)
{
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	raise(SIGUSR1);
	printf("%d arguments, the last is %s, %d signals\n", argc - 1, argv[argc - 1], caught);
	return 0;
}
