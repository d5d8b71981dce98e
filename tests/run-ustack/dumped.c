#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 64, PLACES = 16, OTHERS = 1000 };

typedef void function(void **);

/* Each calls the first function of its argument with the rest of it. */
static const unsigned char
/* push %rbp; mov %rsp,%rbp; mov (%rdi),%rax; add $8,%rdi; call *%rax; nop; pop %rbp; ret */
framed[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x8b, 0x07, 0x48, 0x83, 0xc7, 0x08, 0xff, 0xd0, 0x90, 0x5d, 0xc3 },
/* the same by a jump, with an address to return to that is not after a call: lea 8(%rip),%rdx; push %rdx; jmp *%rax */
jumping[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x8b, 0x07, 0x48, 0x83, 0xc7, 0x08, 0x48, 0x8d, 0x15, 0x08, 0, 0, 0,
	      0x52, 0xff, 0xe0, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x5d, 0xc3 },
/* sub $8,%rsp; mov (%rdi),%rax; add $8,%rdi; call *%rax; add $8,%rsp; ret: what CPython has */
frameless[] = { 0x48, 0x83, 0xec, 0x08, 0x48, 0x8b, 0x07, 0x48, 0x83, 0xc7, 0x08, 0xff, 0xd0, 0x48, 0x83, 0xc4, 0x08,
		0xc3 };

static char *memory;
static int fd;

__attribute__((noipa)) void reached(void **rest)
{
	__asm__ volatile("" : : "r"(rest) : "memory");
}

/* The code at place N. */
static void *make(int n, const unsigned char *code, size_t size)
{
	return memcpy(memory + n * SIZE, code, size);
}
#define MAKE(n, code) make(n, code, sizeof(code))

/* ---- the dump ---- */

static void put(const void *data, size_t size)
{
	if (write(fd, data, size) != (ssize_t)size)
		exit(1);
}

static void put_head(uint32_t kind, size_t size)
{
	struct { uint32_t kind, size; uint64_t time; } head = { kind, sizeof(head) + size, 1 };

	put(&head, sizeof(head));
}

static void begin(const char *path)
{
	struct { uint32_t magic, version, size, machine, reserved, pid; uint64_t time, flags, more; } head = {
		.magic = 0x4a695444, .version = 1, .size = sizeof(head), .machine = 62, .pid = getpid(),
	};

	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED) {
		perror(path);
		exit(1);
	}
	put(&head, sizeof(head));
}

/* CLAIMED is the size of the code according to the record, which has SIZE bytes of it. */
static void load_as(int n, uint64_t number, const char *name, size_t name_size, uint64_t claimed)
{
	struct { uint32_t pid, thread; uint64_t in_file, at, size, number; } place = {
		.at = (uint64_t)(memory + n * SIZE), .size = claimed, .number = number,
	};

	put_head(0, sizeof(place) + name_size + SIZE);
	put(&place, sizeof(place));
	put(name, name_size);
	put(memory + n * SIZE, SIZE);
}

static void load(int n, uint64_t number, const char *name)
{
	load_as(n, number, name, strlen(name) + 1, SIZE);
}

static void move(int from, int to, uint64_t number)
{
	struct { uint32_t pid, thread; uint64_t in_file, from, to, size, number; } moved = {
		.from = (uint64_t)(memory + from * SIZE), .to = (uint64_t)(memory + to * SIZE), .size = SIZE,
		.number = number,
	};

	put_head(1, sizeof(moved));
	put(&moved, sizeof(moved));
}

static void line(int n, int offset, uint32_t number, const char *file)
{
	struct { uint64_t at; uint32_t line, column; } line = { (uint64_t)(memory + n * SIZE + offset), number, 0 };

	put(&line, sizeof(line));
	put(file, strlen(file) + 1);
}

static void lines(int n)
{
	const uint64_t head[] = { (uint64_t)(memory + n * SIZE), 3 };

	put_head(2, sizeof(head) + 3 * 16 + sizeof("dir/made.src") + 2 * sizeof("\xff"));
	put(head, sizeof(head));
	line(n, 0, 10, "dir/made.src");
	line(n, 5, 11, "\xff");
	line(n, 13, 12, "\xff");
}

/* What is no record of code. */
static void malformed(void)
{
	static const char endless[3 * SIZE] = { [0 ... 3 * SIZE - 1] = 'b' };

	load_as(1, 90, "", 1, SIZE);
	load_as(1, 91, "bad size", 9, 0);
	load_as(1, 92, "bad claim", 10, 1000);
	load_as(1, 93, endless, sizeof(endless), SIZE);
	load_as(1, 94, "bad end", 8, UINT64_MAX);
	put_head(0, 8);
	put(endless, 8);
	put_head(2, 3);
	put(endless, 3);
	put_head(7, 5);
	put(endless, 5);
	move(1, 2, 12345);
}

/* ---- calls ---- */

/* Calls the functions until the file exists. */
static void use(void **calls, const char *until)
{
	while (access(until, F_OK)) {
		((function *)calls[0])(calls + 1);
		usleep(20000);
	}
}

/* PATH [HOW]: the dump's path; it is "closed" first, or a command is run when it is written, with it as $1 and PID. */
int main(int argc, char **argv)
{
	void *first, *calls[8] = { 0 };
	char path[4096];
	const char *how = argc > 2 ? argv[2] : "";

	memory = mmap(NULL, PLACES * SIZE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	snprintf(path, sizeof(path), "%s/jit-%d.dump", argv[1], getpid());
	begin(path);
	malformed();
	if (!strcmp(how, "closed")) {
		load(1, 1, "older");
		load(3, 2, "older");
		load(7, 3, "bad rest");
		put_head(3, 0);
	}
	for (int i = 0; i < OTHERS; i++)
		load(PLACES - 1 - i % 3, 100 + i, "other");
	first = calls[0] = MAKE(1, framed);
	calls[1] = MAKE(3, jumping);
	calls[2] = MAKE(5, frameless);
	calls[3] = MAKE(7, framed);
	calls[4] = reached;
	load(1, 10, "replaced");
	load_as(0, 11, "large", 6, 2 * SIZE);
	lines(1);
	load(1, 12, "first");
	load(9, 13, "frameless \033[1m");
	load(5, 14, "bad older");
	load(3, 15, "jumping");
	move(9, 5, 13);
	if (strcmp(how, "later"))
		load(7, 16, "last");
	if (*how && strcmp(how, "closed") && strcmp(how, "later")) {
		setenv("DUMP", path, 1);
		if (system(how))
			return 2;
	}
	use(calls, "second");
	if (!strcmp(how, "later"))
		load(7, 16, "last");
	calls[0] = calls[3];
	calls[3] = first;
	use(calls, "over");
	return 0;
}
