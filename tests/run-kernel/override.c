#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* 1000 calls of getuid, or, with an argument, endless calls: how many return 4711 */
int main(int argc, char **argv)
{
	long n = 0, other = 0;

	(void)argv;
	for (long i = 0; argc > 1 || i < 1000; i++)
		syscall(SYS_getuid) == 4711 ? n++ : other++;
	printf("%ld %ld\n", n, other);
	return 0;
}
