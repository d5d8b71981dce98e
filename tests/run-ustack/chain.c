#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone, noipa))

/* Linked as libchain.so, stripped: only its exported names are left. */
extern int relay(int (*callback)(int), int n);

#ifdef LIBRARY
static KEPT int hidden(int (*callback)(int), int n)
{
	volatile int room[100];

	room[n] = n;
	return callback(n) + room[n];
}

KEPT int relay(int (*callback)(int), int n)
{
	return hidden(callback, n) + 1;
}
#else
static volatile int sum;

KEPT int inner(int n)
{
	sum += n;
	return n;
}

/* With a variable-length array the frame is described by a register other than the stack pointer. */
KEPT int middle(int n)
{
	volatile char room[n + 1];

	room[n] = 1;
	return inner(n) + room[n];
}

/* C++ names as the linker has them. */
KEPT int outer(int n) __asm__("_ZN3app5outerEi");
KEPT int outer(int n)
{
	return middle(n) + 1;
}

#ifdef __aarch64__
#define TRAP "nop; brk #0"
#define AFTER_TRAP(context) (((ucontext_t *)(context))->uc_mcontext.pc += 4)
#else
#define TRAP "int3"
#define AFTER_TRAP(context) (void)(context)
#endif

static KEPT void on_trap(int signal, siginfo_t *info, void *context)
{
	(void)info;
	sum += inner(signal) ? 1 : 0;
	AFTER_TRAP(context);
}

KEPT int trap(int n)
{
	__asm__ volatile(TRAP);
	return n + sum;
}

KEPT void *allocate(int n)
{
	void *p = malloc(n);

	sum += p != NULL;
	return p;
}

KEPT int aligned(int n)
{
	volatile char room[64] __attribute__((aligned(64)));

	room[n & 63] = 1;
	return inner(n) + room[n & 63];
}

KEPT int look(int n)
{
	char c;

	return (int)pread(n, &c, 1, 54321) + sum;
}

int main(int argc, char **argv)
{
	void *loaded = dlopen(argv[1], RTLD_NOW);
	int (*loaded_relay)(int (*)(int), int) = loaded ? (int (*)(int (*)(int), int))dlsym(loaded, "relay") : NULL;

	if (argc > 2)
		return free(allocate(7654321)), 0;
	if (!loaded_relay)
		return 1;
	sigaction(SIGTRAP, &(struct sigaction){ .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO }, NULL);
	outer(1);
	relay(outer, 2);
	loaded_relay(inner, 3);
	trap(4);
	aligned(6);
	free(allocate(7654321));
	look(0);
	return 0;
}
#endif
