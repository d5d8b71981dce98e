/* Every system call that can be made with nothing but -1s: they fail, or do no harm. Not: what would not
 * come back, and what would wait. */
static const short skipped[] = {
	15,			/* rt_sigreturn */
	34,			/* pause */
	57, 58,			/* fork, vfork */
	60, 231,		/* exit, exit_group */
	130,			/* rt_sigsuspend */
	153,			/* vhangup */
	219,			/* restart_syscall */
	335, 336,		/* uretprobe, uprobe */
};

static long call(long n)
{
	register long r10 __asm__("r10") = -1, r8 __asm__("r8") = -1, r9 __asm__("r9") = -1;
	long r;

	__asm__ volatile("syscall" : "=a"(r) : "a"(n), "D"(-1L), "S"(-1L), "d"(-1L), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return r;
}

static int is_skipped(int n)
{
	for (unsigned i = 0; i < sizeof(skipped) / sizeof(*skipped); i++)
		if (skipped[i] == n)
			return 1;
	return 0;
}

void _start(void)
{
	for (int n = 0; n < 480; n++)
		if (!is_skipped(n))
			call(n);
	__asm__ volatile("syscall" : : "a"(231), "D"(0));
}
