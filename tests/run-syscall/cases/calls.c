/* 30 calls of lseek(7, 1000 + i, 1) as 64-bit programs make them, 20 with 2000 + i as 32-bit ones. */
static long call64(long n, long a, long b, long c)
{
	long r;

	__asm__ volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return r;
}

static long call32(long n, long a, long b, long c)
{
	long r;

	__asm__ volatile("int $0x80" : "=a"(r) : "a"(n), "b"(a), "c"(b), "d"(c) : "memory", "r8", "r9", "r10", "r11");
	return r;
}

void _start(void)
{
	for (int i = 0; i < 30; i++)
		call64(8, 7, 1000 + i, 1);
	for (int i = 0; i < 20; i++)
		call32(19, 7, 2000 + i, 1);
	call64(60, 0, 0, 0);
}
