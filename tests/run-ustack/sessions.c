#include <stdio.h>
#include <stdlib.h>

#define KEPT __attribute__((noinline, noclone, noipa))

/* Loops forever in one place, reached through known callers, and prints a line; with an argument that many blocks
 * are allocated before. */
static volatile unsigned long sum;

KEPT int inner(int n)
{
	do
		sum++;
	while (!n || sum % 1000);
	return n;
}

KEPT int outer(int n)
{
	volatile char room[n + 16];

	room[n] = 1;
	return inner(n) + room[n];
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;

	puts("on");
	fflush(stdout);
	while (n-- > 1) {
		void *volatile block = malloc(7654);

		free(block);
		outer(n % 100 + 1);
	}
	return outer(0) + 1;		/* a call, not a jump */
}
