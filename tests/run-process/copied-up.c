#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __aarch64__
enum { BREAKPOINT = 0xa0 };	/* the first byte of brk #5: UPROBES_BRK_IMM */
#else
enum { BREAKPOINT = 0xcc };
#endif

static volatile sig_atomic_t over;

__attribute__((noipa)) void step(void)
{
}

static void end(int signal)
{
	over = 1;
}

/* Until SIGUSR1; the exit status shows whether a breakpoint is left at step. */
int main(void)
{
	signal(SIGUSR1, end);
	puts("ready");
	fflush(stdout);
	while (!over) {
		step();
		usleep(1000);
	}
	return *(volatile unsigned char *)step == BREAKPOINT;
}
