// SPDX-License-Identifier: GPL-2.0-or-later
/* A reader process gives the same results as reading directly, also for very many names; sections of zeros and
 * functions that begin with the same long program do not take more memory and steps than their file justifies. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/host.h"
#include "images/image.h"
#include "images/made.h"
#include "images/reader.h"
#include "scratch.h"

enum { ZEROS = 192 << 20, MOST_KILOBYTES = 120 << 10 };

static int failures;
#define CHECK(c) \
	((c) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #c)))

static void run(const char *format, const char *dir)
{
	char command[2048];

	snprintf(command, sizeof(command), format, dir);
	if (system(command) != 0) {
		printf("failed: %s\n", command);
		exit(1);
	}
}

static int open_in(const char *dir, const char *name)
{
	_cleanup_free_ char *path = host_printf("%s/%s", dir, name);

	return open(path, O_RDONLY | O_CLOEXEC);
}

static void test_same(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), again = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	size_t size = 0, same = 0;
	void *one = image_of_file(fd, "self", true, &size);
	void *other = reader_image_of_file(again, "self", true, &same);

	CHECK(other && size == same && memcmp(one, other, size) == 0);
	CHECK(size > 10000);
	free(one);
	free(other);
	close(fd);
	close(again);
}

static u32 symbols_of(struct tap_image_head *head)
{
	u32 count = head ? head->symbol_count : 0;

	free(head);
	return count;
}

/* 100,000 functions, as many names of one address, and as many that a program gave to its code: a reader sorts
 * them without other system calls than those that it may make. Before anything is sorted in this process, because
 * the C library remembers what it has asked the kernel for. */
static void test_many(const char *dir)
{
	_cleanup_close_ int root = -1;
	struct made map = { .user = getuid(), .path = "/tmp/perf-1.map" };
	size_t size;
	int fd;

	run("cd %s && { echo '.text; .globl _start; _start: nop'; "
	    "seq 100000 | sed 's/.*/.globl f&; .type f&, @function; f&: nop; .globl s&; .set s&, _start/'; } >many.s && "
	    "gcc -nostdlib -no-pie -o many many.s", dir);
	fd = open_in(dir, "many");
	CHECK(symbols_of(reader_image_of_file(fd, "many", false, &size)) == 100001);
	close(fd);

	run("cd %s && mkdir tmp && seq 100000 | awk '{ printf \"%%x 10 g%%d\\n\", 4096 + 16 * $1, $1 }' >tmp/perf-1.map", dir);
	map.root = root = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	CHECK(symbols_of(reader_image_of_made(&map, 0, false, &size)) == 100000);
}

static u32 rows_of(const char *dir, const char *name)
{
	size_t size;
	int fd = open_in(dir, name);
	struct tap_image_head *head = reader_image_of_file(fd, name, false, &size);
	u32 count = head ? head->row_count : 0;

	free(head);
	close(fd);
	return count;
}

/* Frames are found in a program that has lost its section headers, by its program headers. */
static void test_no_sections(const char *dir)
{
	run("cd %s && printf 'int main(void) { return 0; }' >whole.c && gcc -o whole whole.c && cp whole bare && "
	    "for at in 40 60; do head -c $((at == 40 ? 8 : 4)) /dev/zero | "
	    "dd of=bare bs=1 seek=$at conv=notrunc status=none || exit; done && ! readelf -S bare | grep -q eh_frame", dir);
	CHECK(rows_of(dir, "whole") > 5 && rows_of(dir, "bare") == rows_of(dir, "whole"));
}

/* In a child process, whose memory use is known when it has ended. */
static void test_zeros(const char *dir)
{
	struct rusage usage;
	int status;
	pid_t pid;

	run("cd %s && printf 'int main(void) { return 0; }' >a.c && gcc -o a a.c", dir);
	run("cd %s && head -c 201326592 /dev/zero >zeros && objcopy --add-section .debug_line=zeros "
	    "--add-section .debug_str=zeros --add-section .debug_line_str=zeros a c && "
	    "objcopy --compress-debug-sections=zlib c b && rm c zeros && test $(stat -c %%s b) -lt 2000000", dir);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		size_t size;
		int fd = open_in(dir, "b");

		free(image_of_file(fd, "b", true, &size));
		_exit(fd < 0);
	}
	CHECK(wait4(pid, &status, 0, &usage) == pid && status == 0);
	printf("%ld kB for sections of zeros\n", usage.ru_maxrss);
#ifndef __SANITIZE_ADDRESS__
	CHECK(usage.ru_maxrss < MOST_KILOBYTES);
#endif
}

/* 40,000 functions, each with 800,000 instructions: not all of them are run. */
static void test_steps(const char *dir)
{
	struct rusage usage;
	int status;
	pid_t pid;

	run("cd %s && { echo '.text; .globl main; main: .fill 50000, 1, 0x90; ret; .section .eh_frame, \"a\", @progbits;"
	    " c: .long e - b; b: .long 0; .byte 1; .asciz \"zR\"; .uleb128 1; .sleb128 -8; .byte 16; .uleb128 1;"
	    " .byte 0x1b; .fill 800000, 2, 0x080c; e:'; seq 40000 | sed 's/.*/.long g& - h&; h&: .long h& - c; .long main + & - .;"
	    " .long 1; .uleb128 0; g&:/'; } >steps.s && "
	    "gcc -nostartfiles -no-pie -Wl,-e,main,--no-ld-generated-unwind-info -o steps steps.s 2>/dev/null", dir);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		const struct rlimit minute = { 60, 60 };	/* CPU time in seconds; three are needed */
		struct tap_image_head *head;
		size_t size;
		int fd = open_in(dir, "steps");

		setrlimit(RLIMIT_CPU, &minute);
		head = image_of_file(fd, "steps", true, &size);
		_exit(fd < 0 || !head || head->magic != TAP_IMAGE_MAGIC);
	}
	CHECK(wait4(pid, &status, 0, &usage) == pid && status == 0);
	printf("%ld s for 32 billion steps\n", (long)usage.ru_utime.tv_sec);
}

int main(void)
{
	char *dir = scratch_template("tapc-unit-reader");

	if (!mkdtemp(dir))
		return 1;
	test_many(dir);
	test_no_sections(dir);
	test_same();
	test_zeros(dir);
	test_steps(dir);
	run("rm -rf %s", dir);
	return failures != 0;
}
