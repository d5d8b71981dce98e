/* System calls with known arguments, in the order of syscalls.out; most fail, for a reason that is known. */
static long call(long n, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	long r;

	__asm__ volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return r;
}

static long call32(long n, long a, long b, long c)
{
	long r;

	__asm__ volatile("int $0x80" : "=a"(r) : "a"(n), "b"(a), "c"(b), "d"(c)
			 : "memory", "r8", "r9", "r10", "r11");
	return r;
}

#define CALL(n, ...) CALL_(n, __VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define CALL_(n, a, b, c, d, e, f, ...) call(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

typedef unsigned char u8;
typedef unsigned short u16;
static char none[] = "/nonexistent/f\t\"x", here[] = ".", name[] = "user.tap", buffer[256];
static const long second[2] = { 1, 500000000 }, pair[4] = { 0, 250000, 3, 7 },
	now[4] = { 0, 0x3fffffff, 0, 0x3ffffffe };
static const struct { u16 family, port; u8 ip[4]; u8 zero[8]; } v4 = { 2, 0x5000, { 127, 0, 0, 1 } };
static const struct { u16 family, port; int flow; u8 ip[16]; int scope; } v6 = { 10, 0xbb01, 0, { [15] = 1 } };
static const struct { u16 family; char path[14]; } local = { 1, "/tmp/none" };
static const struct { void *base; long size; } vector[2] = { { "abc", 3 }, { "defg", 4 } };
static const struct { int fd; short events, got; } polled[2] = { { 3, 1, 0 }, { -1, 4 | 8, 0 } };
static const struct { void *name; int size; const void *vector; long count; void *control; long room; int flags; }
	message = { (void *)&v4, 16, vector, 2, 0, 0, 0 };
static const long action[4] = { 1, 0x14000004, 0, 1 << 9 | 1 << 1 }, set[1] = { 1 << 9 | 1 };
static const unsigned long limit[2] = { 100, -1 };
static const struct { u16 number; short op, flags; } operations[1] = { { 2, -1, 04000 } };
static const struct { unsigned long flags, mode, resolve; } how = { 0101, 0600, 8 };
static const struct __attribute__((packed)) { int events; long data; } event = { 1 | 1u << 31, 77 };
static char *const arguments[] = { "prog", "a b", 0 }, *const environment[] = { "A=1", "B=2", 0 };
static const int one = 1, short_time[2] = { 0, 5 }, short_send[4] = { -1, 0, 5, 0x40 };

/* A handler reads only mapped memory: the pages of the texts are mapped once they have been read. */
static void touch(void)
{
	static const void *const all[] = {
		none, here, name, buffer, second, &v4, vector, polled, action, limit, operations, &how,
		&event, arguments, environment, &one, short_time, short_send, "/dev/null", "-x",
	};

	for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++)
		(void)*(const volatile char *)all[i];
}

/* TEXT at the end of the last mapped page. */
static char pages[8192] __attribute__((aligned(4096)));
static char *at_end(const char *text)
{
	char *p = pages + 4096;
	long n = 0;

	while (text[n])
		n++;
	for (p[-1] = 0, p -= n + 1; n--;)
		p[n] = text[n];
	return p;
}

void _start(void)
{
	touch();
	/* texts that end with the mapped memory, or beyond it */
	CALL(11, pages + 4096, 4096);				/* munmap */
	CALL(80, at_end("/nonexistent/where/memory/ends"));	/* chdir */
	CALL(80, at_end("/none"));
	CALL(80, at_end("\303\244/none"));
	CALL(80, at_end(""));
	at_end("/none")[5] = '!';
	CALL(80, pages + 4090);
	/* files */
	CALL(2, "/dev/null", 02000001, 0);			/* open: 3 */
	CALL(0, -1, buffer, 5);
	CALL(1, 3, "ab\n", 3);
	CALL(1, 3, "0123456789012345678901234567890123456789", 40);
	CALL(17, 3, buffer, 5, -1L);
	CALL(18, 3, "xy", 2, 0);
	CALL(8, 3, -5L, 2);
	CALL(257, -100, none, 0102, 0644);
	CALL(257, -100, none, 0, 0644);
	CALL(437, -100, none, &how, 24);
	CALL(85, none, 0600);
	CALL(21, none, 4 | 1);
	CALL(439, -100, none, 2, 0x200);
	CALL(262, -100, none, buffer, 0x100);
	CALL(332, -1, none, 0x1000, 0x7ff, buffer);
	CALL(258, -100, none, 0755);
	CALL(259, -100, none, 020644, 0x103);
	CALL(263, 3, "x", 0x200);
	CALL(316, -100, none, -1, none, 1);
	CALL(265, -100, none, -100, none, 0x400);
	CALL(266, none, -100, none);
	CALL(89, none, buffer, 20);
	CALL(92, none, 5, -1);
	CALL(268, -100, none, 0640);
	CALL(280, -100, none, now, 0x100);
	CALL(235, none, pair);
	CALL(188, none, name, "value", 5, 1);
	CALL(191, none, name, buffer, 10);
	CALL(72, 3, 2, 1);
	CALL(72, 3, 4, 04000);
	CALL(72, 3, 1030, 20);
	CALL(73, 3, 2 | 4);
	CALL(16, 3, 0x5401, buffer);
	CALL(16, 3, 0x80081272, buffer);
	CALL(16, 3, 0xc0087a05, buffer);
	CALL(285, 3, 3, 0, 4096);
	CALL(221, 3, 0, 4096, 3);
	CALL(20, -1, vector, 2);
	CALL(328, -1, vector, 2, 0, 0, 8);
	CALL(7, polled, 2, 0);
	CALL(32, -1);
	CALL(292, 3, 3, 02000000);
	CALL(436, -1, 50, 4);
	CALL(293, 0, 02004000);
	CALL(319, "memory", 3);
	CALL(291, 02000000);
	CALL(233, -1, 1, 3, &event);
	CALL(254, -1, here, 0x2 | 0x100);
	/* file systems */
	CALL(165, "src", none, "tmpfs", 1 | 4096, "size=1");
	CALL(166, none, 2);
	CALL(442, -1, "", 0x1000, 0, 0);
	CALL(430, "nosuchfs", 1);
	CALL(167, none, 0x8000);
	/* memory */
	CALL(9, 0, 4096, 3, 0x22, -1, 0);
	CALL(9, 0, 0, 0, 0x100011, 3, 0);
	CALL(10, 1, 4096, 5);
	CALL(28, 1, 4096, 8);
	CALL(25, 1, 0, 4096, 3, 0);
	CALL(26, 1, 4096, 4);
	CALL(151, 64);
	CALL(237, 1, 0, 2 | 1 << 15, 0, 0, 1);
	/* sockets */
	CALL(41, 2, 02000001, 6);				/* socket: 4 */
	CALL(41, 16, 3, 99);
	CALL(42, -1, &v4, 16);
	CALL(42, -1, &v6, 28);
	CALL(42, -1, &local, 16);
	CALL(49, -1, &v4, 16);
	CALL(44, -1, "ping", 4, 0x4000, &v4, 16);
	CALL(46, -1, &message, 0x40);
	CALL(45, -1, buffer, 10, 0x42, 0, 0);
	CALL(54, 4, 1, 2, &one, 4);
	CALL(55, 4, 6, 1, 0, 0);
	CALL(48, -1, 1);
	CALL(288, -1, 0, 0, 04000);
	CALL(53, 1, 5, 0, 0);
	/* processes and signals */
	CALL(13, 10, action, 0, 8);
	CALL(14, 0, set, 0, 8);
	CALL(62, 0x7ffffffe, 9);
	CALL(234, -1, -1, 34);
	CALL(128, set, 0, second, 3);
	CALL(131, 0, 0);
	CALL(56, 0x10000 | 17, 1);				/* a thread without shared memory: refused */
	CALL(59, none, arguments, environment);
	CALL(322, -100, none, arguments, 0, 0x1000);
	CALL(61, -1, 0, 1 | 2, 0);
	CALL(247, 1, 0x7ffffffe, 0, 4);
	CALL(97, 7, 0);
	CALL(160, 99, limit);
	CALL(302, 0x7ffffffe, 7, limit, 0);
	CALL(140, 0, 0x7ffffffe);
	CALL(251, 3, 0);
	CALL(144, 0x7ffffffe, 1, &one);
	CALL(203, 0x7ffffffe, 8, set);
	CALL(157, 999, 1);
	CALL(157, 15, "calls");
	CALL(101, 16, 0x7ffffffe);
	CALL(272, 0x10000 | 0x400);
	CALL(135, 0x40000);
	CALL(317, 9, 0, 0);
	CALL(324, 999);
	CALL(425, 0, 0);
	/* times */
	CALL(35, pair, 0);					/* 250 microseconds */
	CALL(230, 1, 1, second, 0);
	CALL(228, 1, buffer);
	CALL(38, 9, pair, 0);
	CALL(222, 99, 0, 0);
	CALL(283, 99, 02000000);
	CALL(286, -1, 1, pair, 0);
	CALL(202, &one, 128, 7, pair);
	CALL(202, &one, 129, 1);
	/* System V, modules, keys, the machine */
	CALL(29, 0, 4096, 0x200 | 04000 | 0600);
	CALL(31, -1, 2, 0);
	CALL(64, 0x1234, 1, 0600);
	CALL(65, -1, operations, 1);
	CALL(69, -1, buffer, 5, 04000);
	CALL(66, -1, 0, 16, 0);
	CALL(176, "none", 04000);
	CALL(313, -1, "a=1", 2);
	CALL(250, 99, 0);
	CALL(248, "keyring", "x", 0, 0, -99);
	CALL(169, 0xfee1dead, 1, 0x1234567, 0);
	CALL(103, 99, 0, 0);
	CALL(321, 99, 0, 0);
	CALL(298, 0, 0, -1, -1, 8);
	CALL(95, 022);
	CALL(95, 022);
	/* of 32-bit programs */
	call32(5, (long)none, 0, 0);
	call32(162, (long)short_time, -1, 0);
	call32(102, 9, (long)short_send, 0);
	CALL(231, 0);
}
