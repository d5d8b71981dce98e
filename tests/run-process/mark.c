#define MARK(provider, name, semaphore, arguments, ...) __asm__ volatile ("990: nop\n" \
	".pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 992f-991f,994f-993f,3\n991: .asciz \"stapsdt\"\n" \
	"992: .balign 4\n993: .8byte 990b, _.stapsdt.base, " semaphore "\n.asciz \"" provider "\"\n.asciz \"" name "\"\n" \
	".asciz \"" arguments "\"\n994: .balign 4\n.popsection\n" \
	".ifndef _.stapsdt.base\n.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
	".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base, 1\n.popsection\n.endif\n" \
	: : __VA_ARGS__)

/* Operands as compilers write them. */
#ifdef __aarch64__
#define WORK "-4@%w0 8@%1 -4@%3 2@%w2"
#define DONE "-1@%w0 -4@-5 8@%1"
#else
#define WORK "-4@%0 8@%1 -4@kept(%%rip) 2@%2"
#define DONE "-1@%b0 -4@$-5 8@%1"
#endif

__attribute__((section(".probes"))) volatile unsigned short demo_work_semaphore;
volatile int kept = 77;

/* In memory, addressed by two registers, and by the stack pointer. */
__attribute__((noipa)) void memory(long *array, long i)
{
	volatile int local = 99;

	MARK("demo", "memory", "0", "8@%0 8@%1 -4@%2 8@%3", "m"(array[i]), "m"(array[3]), "m"(local), "nor"(local + i));
}

int main(void)
{
	long other = 1000, array[] = { 11, -22, 33, 44 };

	for (int i = 0; i < 100; i++)
		if (demo_work_semaphore)
			MARK("demo", "work", "demo_work_semaphore", WORK,
			     "r"(-i), "r"(other), "r"(demo_work_semaphore), "m"(kept));
	MARK("demo", "done", "0", DONE, "r"((char)-3), "r"(123456789012L));
	memory(array, 2);
	MARK("other", "none", "0", "");
	MARK("other", "one", "0", "4@%0", "r"(0x1234));
	return 0;
}
