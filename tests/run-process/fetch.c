/* Passes strings and structs to functions that do not touch them, in pages that are in no memory: mincore() says so
 * before each call. The pages are those of a file on a disk.
 *	cold make FILE		writes the file
 *	cold FILE		says how many calls there were and how many pages were absent */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sdt.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 10000, SOME = 1000, FEW = 100 };

struct record {
	int number;
	char name[16];
	const char *more;
};

static char *map;
static int file;

#define PROBED __attribute__((noinline, noclone))
PROBED void entered(const char *p) { asm volatile("" :: "r"(p) : "memory"); }
PROBED void left(const char *p) { asm volatile("" :: "r"(p) : "memory"); }
PROBED const char *given(const char *p) { asm volatile("" : "+r"(p) :: "memory"); return p; }
PROBED void marked(const char *p) { STAP_PROBE1(cold, mark, p); asm volatile("" ::: "memory"); }
PROBED void printed(const char *p) { asm volatile("" :: "r"(p) : "memory"); }
PROBED void crossing(const char *p) { asm volatile("" :: "r"(p) : "memory"); }
PROBED void described(const struct record *r) { asm volatile("" :: "r"(r) : "memory"); }
PROBED void several(const char *p) { asm volatile("" :: "r"(p) : "memory"); }
PROBED void warned(const char *p) { asm volatile("" :: "r"(p) : "memory"); }
PROBED void counted(const char *p) { asm volatile("" :: "r"(p) : "memory"); }
PROBED void bad(const char *p) { asm volatile("" :: "r"(p) : "memory"); }

static void make(const char *path)
{
	FILE *f = fopen(path, "w");
	static char page[PAGE];

	for (int i = 0; i < PAGES; i++) {
		struct record *r = (struct record *)(page + 64);

		memset(page, 0, sizeof(page));
		sprintf(page, "text %d", i);
		r->number = i;
		sprintf(r->name, "name %d", i);
		/* begins on a page, ends on the next one */
		sprintf(page + 128, "%d", i);
		memset(page + PAGE - 8, 'x', 8);
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

	if (mincore((void *)((size_t)p & -(size_t)PAGE), PAGE, &in))
		exit(3);
	return !(in & 1);
}

static int pass(const char *name, void (*call)(const char *), int first, int step, int count)
{
	int absent = 0;

	drop();
	for (int i = 0; i < count; i++) {
		const char *p = map + first + (size_t)i * step;

		absent += is_absent(p);
		call(p);
	}
	return printf("%s %d %d\n", name, count, absent);
}

static void call_given(const char *p) { given(p); }
static void call_described(const char *p) { described((const struct record *)p); }

int main(int argc, char **argv)
{
	char *none = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *anonymous = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *gone = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (argc == 3)
		return make(argv[2]), 0;
	file = open(argv[1], O_RDONLY);
	map = mmap(NULL, PAGES * PAGE, PROT_READ, MAP_PRIVATE, file, 0);
	if (file < 0 || map == MAP_FAILED || madvise(map, PAGES * PAGE, MADV_RANDOM))
		return 2;
	munmap(gone, PAGE);
	pass("entered", entered, 0, PAGE, PAGES);
	pass("left", left, 0, PAGE, SOME);
	pass("given", call_given, 0, PAGE, SOME);
	pass("marked", marked, 0, PAGE, SOME);
	pass("printed", printed, 0, PAGE, SOME);
	pass("crossing", crossing, PAGE - 8, 2 * PAGE, FEW);
	pass("described", call_described, 64, PAGE, FEW);
	pass("several", several, 0, 3 * PAGE, FEW);
	pass("warned", warned, 0, PAGE, FEW);
	pass("counted", counted, 0, PAGE, FEW);
	bad(none);
	bad(gone);
	bad(NULL);
	bad((const char *)-1);
	bad(anonymous);			/* is empty text */
	return 0;
}
