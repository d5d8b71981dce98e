/* A program with the structures of a Python 3.11, which it changes at random: pointers within them, to themselves, to
 * nowhere and to the kernel, all sizes. Argument: how often. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WORDS = 1 << 14 };

static const int followed[] = { 5, 514, 1031, 1537, 2052, 2054, 2055, 3086, 3088, 3089, 5122, 5124, 6146 };

uint64_t _PyRuntime[WORDS] = { 1 };
const unsigned long Py_Version = 0x030b02f0;

static uint64_t any(char *edge)
{
	uint64_t inside = (uintptr_t)&_PyRuntime[(unsigned)random() % WORDS];

	switch (random() % 10) {
	case 0: return 0;
	case 1: return (uint64_t)random() << 33 ^ (uint64_t)random();
	case 2: return (uint64_t)getpid();
	case 3: return (uintptr_t)edge - (uint64_t)random() % 200;	/* the next page is not mapped */
	case 4: return 0xffffffff81000000 + (uint64_t)random();
	case 5: return (uint64_t)random() & 0xff;
	default: return inside;
	}
}

/* A thread with frames at random places, of which all but what is changed afterwards is as it should be. */
static void build(void)
{
	uint64_t at = (uintptr_t)_PyRuntime;

	memset(_PyRuntime, 0, sizeof(_PyRuntime));
	_PyRuntime[5] = at + 4096;				/* interpreters.head */
	_PyRuntime[512 + 2] = at + 8192;			/* threads.head */
	_PyRuntime[1024 + 20] = (uint64_t)gettid();
	_PyRuntime[1024 + 7] = at + 12288;			/* cframe */
	_PyRuntime[1536 + 1] = at + 16384;			/* current_frame */
	for (unsigned i = 0; i < 8; i++) {
		uint64_t *frame = &_PyRuntime[2048 + 16 * i], *code = &_PyRuntime[3072 + 64 * i];

		frame[4] = (uintptr_t)code;
		frame[6] = (uintptr_t)(frame + 16);
		frame[7] = (uintptr_t)code + 184 + (unsigned)random() % 100;
		code[14] = code[16] = at + 40960;		/* co_filename, co_qualname */
		code[17] = at + 49152;				/* co_linetable */
	}
	_PyRuntime[5120 + 2] = 12;				/* a text */
	_PyRuntime[5120 + 4] = 0xe4;
	memcpy(&_PyRuntime[5120 + 6], "abc;def\x1b[1mg", 12);
	_PyRuntime[6144 + 2] = 1 << (unsigned)random() % 20;	/* a table */
	for (unsigned i = 4; i < 4096; i++)
		_PyRuntime[6144 + i] = (uint64_t)random() << 40 ^ (uint64_t)random() << 20 ^ (uint64_t)random();
}

int main(int argc, char **argv)
{
	char *edge = (char *)mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) + 4096;

	munmap(edge, 4096);
	srandom(1);
	for (int i = atoi(argv[1]); argc && i; i--) {
		build();
		for (unsigned n = (unsigned)random() % 8; n; n--)
			_PyRuntime[(unsigned)random() % 5200] = any(edge);
		if (i % 2)		/* on a pointer that is followed */
			_PyRuntime[followed[(unsigned)random() % (sizeof(followed) / sizeof(*followed))]] = any(edge);
		getppid();
	}
	return 0;
}
