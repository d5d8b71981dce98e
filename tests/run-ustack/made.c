#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 64 };

#ifdef __aarch64__
static const unsigned code[] = { 0xa9bf7bfd, 0x910003fd, 0xd63f0000, 0xa8c17bfd, 0xd65f03c0 };
#else
static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3 };
#endif

__attribute__((noipa)) void reached(void)
{
	__asm__ volatile("" : : : "memory");
}

/* A function that calls its argument. */
static void *make(char *at)
{
	memcpy(at, code, sizeof(code));
	__builtin___clear_cache(at, at + SIZE);
	return at;
}

static FILE *names(const char *mode)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	f = fopen(path, mode);
	if (!f)
		exit(1);
	return f;
}

/* Calls the function until the file exists. */
static void use(void (*made)(void (*)(void)), const char *until)
{
	while (access(until, F_OK)) {
		made(reached);
		usleep(20000);
	}
}

/* [COMMAND]: the command is run when the names are written, before the first function is used; then the file of
 * names becomes a new one. */
int main(int argc, char **argv)
{
	char *memory = mmap(NULL, 16 * SIZE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *first = make(memory + SIZE), *second = make(memory + 4 * SIZE), path[64];
	FILE *f = names("w");

	/* lines that are no names, an older function in the same memory, one that a newer one overlaps */
	fprintf(f, "\nzz 10 bad\n%lx\n%lx 0 nothing\n%lx -1 bad\n", (long)first, (long)first, (long)first);
	fprintf(f, "%lx %x older\n", (long)first, SIZE);
	fprintf(f, "%lx %x large\n", (long)memory, 16 * SIZE - 1);
	fprintf(f, "ffffffffffffff00 100 far\n123456789012345678 1 longer\n");
	fprintf(f, "%lx %x %s (a.js:1)\033[1m\n", (long)first, SIZE, argc > 1 ? "bad" : "first");
	fprintf(f, "%lx %x cut", (long)first, SIZE);
	fclose(f);
	if (argc > 1) {
		snprintf(path, sizeof(path), "%d", (int)getpid());
		setenv("PID", path, 1);
		if (system(argv[1]))
			return 2;
		use((void *)first, "again");
		snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
		unlink(path);
		f = names("w");
		fprintf(f, "%lx %x good\n", (long)first, SIZE);
		fclose(f);
		use((void *)first, "over");
		return 0;
	}
	use((void *)first, "second");
	f = names("a");
	fprintf(f, "\n%lx %x another [function]\n", (long)second, SIZE);
	fclose(f);
	use((void *)second, "over");
	return 0;
}
