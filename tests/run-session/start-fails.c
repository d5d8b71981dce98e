#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __aarch64__
enum { BREAKPOINT = 0xa0 };	/* the first byte of brk #5: UPROBES_BRK_IMM */
#else
enum { BREAKPOINT = 0xcc };
#endif

volatile long steps;
__attribute__((section(".probes"))) volatile unsigned short fails_step_semaphore;

__attribute__((noipa)) void step(int n)
{
	__asm__ volatile ("990: nop\n.pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 992f-991f,994f-993f,3\n"
		"991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b, 0, fails_step_semaphore\n.asciz \"fails\"\n"
		".asciz \"step\"\n.asciz \"-4@%0\"\n994: .balign 4\n.popsection" : : "r"(n));
}

static void *thread(void *unused)
{
	return unused;
}

/* stepper N: N steps, each with a write and a pause. The exit status shows changes to the program: 1, a breakpoint
 * at step, 2, an enabled semaphore of the mark. */
int main(int argc, char **argv)
{
	pthread_t t;

	for (int i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i--) {
		step(i);
		steps = i;
		usleep(1000);
	}
	if (pthread_create(&t, NULL, thread, NULL) || pthread_join(t, NULL))
		return 4;
	return (*(volatile unsigned char *)step == BREAKPOINT) | (fails_step_semaphore != 0) << 1;
}
