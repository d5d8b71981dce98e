/* Passes an address to a function again and again, in 4 threads, without touching it.
 *	fetch-stuck fuse		of a file in $SILENT, whose file system does not answer
 *	fetch-stuck uffd		of a userfaultfd, which does not answer
 *	fetch-stuck load		of pages that each thread drops before each call */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 16, THREADS = 4 };

static char *map;
static int drops;

__attribute__((noinline, noclone)) void touch(const char *p) { asm volatile("" :: "r"(p) : "memory"); }

static void *work(void *own)
{
	char *pages = drops ? own : map;

	for (unsigned i = 0;; i = (i + 1) % PAGES) {
		if (drops)
			madvise(pages + i * PAGE, PAGE, MADV_DONTNEED);
		touch(pages + i * PAGE);
	}
	return NULL;
}

static int missing_pages(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	map = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range.start = (size_t)map;
	range.range.len = PAGES * PAGE;
	return fd >= 0 && !ioctl(fd, UFFDIO_API, &api) && !ioctl(fd, UFFDIO_REGISTER, &range);
}

static int silent_pages(void)
{
	int fd = open(getenv("SILENT"), O_RDONLY);

	map = mmap(NULL, PAGES * PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	return fd >= 0 && map != MAP_FAILED;
}

/* Threads share the file, not its mappings. */
static int own_pages(int file, char **pages)
{
	*pages = mmap(NULL, PAGES * PAGE, PROT_READ, MAP_PRIVATE, file, 0);
	return *pages != MAP_FAILED;
}

int main(int argc, char **argv)
{
	int file = memfd_create("load", 0);
	pthread_t threads[THREADS];

	if (argc != 2)
		return 2;
	drops = strcmp(argv[1], "load") == 0;
	for (int i = 0; i < PAGES; i++)
		if (pwrite(file, "here", 5, (off_t)i * PAGE) != 5 || ftruncate(file, (off_t)PAGES * PAGE))
			return 3;
	if (!drops && !(strcmp(argv[1], "uffd") == 0 ? missing_pages() : silent_pages())) {
		perror(argv[1]);
		return 4;
	}
	for (int i = 0; i < THREADS; i++) {
		char *pages = NULL;

		if ((drops && !own_pages(file, &pages)) || pthread_create(&threads[i], NULL, work, pages))
			return 5;
	}
	puts("works");
	fflush(stdout);
	pause();
	return 0;
}
