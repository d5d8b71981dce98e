/* System calls with paths in pages that are in no memory: mincore() says so before each call. The
 * pages are those of a file on a disk.
 *	cold make FILE		writes the file
 *	cold FILE		says how many calls there were and how many pages were absent */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 1000 };

static char *map;
static int file, from;

static void make(const char *path)
{
	FILE *f = fopen(path, "w");
	static char page[PAGE];

	for (int i = 0; i < PAGES; i++) {
		struct sockaddr_un *a = (struct sockaddr_un *)(page + 64);

		memset(page, 0, sizeof(page));
		sprintf(page, "/none/%d", i);
		a->sun_family = AF_UNIX;
		sprintf(a->sun_path, "/none/%d", i);
		fwrite(page, PAGE, 1, f);
	}
	fclose(f);
}

static void drop(void)
{
	FILE *f = fopen("/proc/sys/vm/drop_caches", "w");

	madvise(map, PAGES * PAGE, MADV_DONTNEED);
	posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
	if (f) {
		fputs("1", f);
		fclose(f);
	}
}

static int is_absent(const char *p)
{
	unsigned char in = 1;

	if (mincore((void *)p, PAGE, &in))
		exit(3);
	return !(in & 1);
}

static void call_open(const char *p) { openat(AT_FDCWD, p, O_RDONLY); }
static void call_connect(const char *p)
{
	connect(from, (const struct sockaddr *)(p + 64), sizeof(struct sockaddr_un));
}

static void call_execve(const char *p)
{
	char *none[] = { NULL };

	execve(p, none, none);
}

static void pass(const char *name, void (*call)(const char *))
{
	int absent = 0;

	drop();
	for (int i = 0; i < PAGES; i++) {
		absent += is_absent(map + (size_t)i * PAGE);
		call(map + (size_t)i * PAGE);
	}
	printf("%s %d %d\n", name, PAGES, absent);
}

int main(int argc, char **argv)
{
	if (argc == 3)
		return make(argv[2]), 0;
	file = open(argv[1], O_RDONLY);
	from = socket(AF_UNIX, SOCK_STREAM, 0);
	map = mmap(NULL, PAGES * PAGE, PROT_READ, MAP_PRIVATE, file, 0);
	if (file < 0 || from < 0 || map == MAP_FAILED || madvise(map, PAGES * PAGE, MADV_RANDOM))
		return 2;
	pass("open", call_open);
	pass("connect", call_connect);
	pass("execve", call_execve);
	return 0;
}
