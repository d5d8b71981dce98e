/* Waits for a line on standard input, does things that are counted, tells so, and waits for the end of the input. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PARENTS = 100, WRITES = 50, FILES = 7, PAGES = 300, BLOCKS = 64, SLEEPS = 20, BLOCK = 4096 };

static void check(int good)
{
	if (!good)
		_exit(1);
}

int main(int argc, char **argv)
{
	const struct timespec moment = { 0, 1000000 };
	int null = open("/dev/null", O_WRONLY), disk = open(argv[1], O_WRONLY | O_DIRECT);
	char *pages, *block, line;

	check(argc == 2 && null >= 0 && disk >= 0 && posix_memalign((void **)&block, BLOCK, BLOCK) == 0);
	pages = mmap(NULL, PAGES * BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	check(pages != MAP_FAILED && madvise(pages, PAGES * BLOCK, MADV_NOHUGEPAGE) == 0);
	check(read(STDIN_FILENO, &line, 1) == 1);
	for (int i = 0; i < PARENTS; i++)
		syscall(SYS_getppid);
	for (int i = 0; i < WRITES; i++)
		check(write(null, "x", 1) == 1);
	for (int i = 0; i < FILES; i++)
		check(close(open("/dev/null", O_RDONLY)) == 0);
	for (int i = 0; i < PAGES; i++)
		pages[i * BLOCK] = 1;
	for (int i = 0; i < BLOCKS; i++)
		check(pwrite(disk, block, BLOCK, i * BLOCK) == BLOCK);
	for (int i = 0; i < SLEEPS; i++)
		nanosleep(&moment, NULL);
	check(write(STDOUT_FILENO, "done\n", 5) == 5);
	while (read(STDIN_FILENO, &line, 1) > 0)
		;
	return 0;
}
