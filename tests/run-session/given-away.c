#ifdef __aarch64__
enum { BREAKPOINT = 0xa0 };	/* the first byte of brk #5: UPROBES_BRK_IMM */
#else
enum { BREAKPOINT = 0xcc };
#endif

__attribute__((noipa)) void step(void)
{
}

/* Whether it is probed. */
int main(void)
{
	step();
	return *(volatile unsigned char *)step == BREAKPOINT;
}
