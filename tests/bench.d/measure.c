// SPDX-License-Identifier: GPL-2.0-or-later
/* The measuring program of tests/bench, for the host and, linked statically, for the guest.
 *
 * 	measure calls FILE		nanoseconds of one fcntl, which calls security_file_fcntl once
 * 	measure renames FILE		the same for one prctl, which hits the tracepoint task_rename once
 * 	measure opens FILE		the same for one openat of a file that does not exist
 * 	measure switches FILE		the same for a switch to another process, which this one waits for, by pipes
 * 	measure user FILE		the same for one probed(), a function in this program
 * 	measure landing FILE		the same for landing(), which begins with a landing pad
 * 	measure walk FILE N M		the same for N calls with arguments 1...N, then for M more such rounds
 * 	measure spin FILE SECONDS	nanoseconds for a fixed amount of work
 * 	measure busy FILE SECONDS	the same, with a third of it in the kernel
 * 	measure flood N RATE		N calls, at most RATE per second (0: no limit)
 * 	measure session COMMAND...	milliseconds until its first output, then from SIGINT to its exit
 * 	measure cost COMMAND...		its CPU seconds, wall seconds, megabytes
 * 	measure load FILE		milliseconds in which the kernel loads the module FILE, and unloads it
 * 	measure free			kilobytes of free memory
 * 	measure memory COMMAND...	kilobytes of memory used while it runs, after its first output
 *
 * Calls are timed in batches, and the result is the median batch, which excludes timer ticks. Real-time priority
 * keeps a tool's reader from running in between. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PIECES = 21, CALLS = 200 };

static void die(const char *what)
{
	perror(what);
	exit(125);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void pause_for(double seconds)
{
	struct timespec t = { (time_t)seconds, (seconds - (time_t)seconds) * 1e9 };

	nanosleep(&t, NULL);
}

static void say(const char *path, const char *format, ...)
{
	FILE *f = fopen(path, "w");
	va_list args;

	if (!f)
		die(path);
	va_start(args, format);
	vfprintf(f, format, args);
	va_end(args);
	if (fclose(f))
		die(path);
}

static int open_null(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		die("/dev/null");
	return fd;
}

static void be_alone(void)
{
	struct sched_param p = { .sched_priority = 50 };

	if (sched_setscheduler(0, SCHED_FIFO, &p))
		die("sched_setscheduler");
}

static inline void call(int fd, long n)
{
	syscall(SYS_fcntl, fd, F_GETFL, n);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void call_null(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = open_null();
	call(fd, 0);
}

static void rename_self(void)
{
	prctl(PR_SET_NAME, "measure");
}

static void open_nothing(void)
{
	if (open("/run/there/is/no/such/file", O_RDONLY) >= 0)
		die("no such file");
}

__attribute__((noinline, noclone)) int probed(int n)
{
	__asm__ volatile("" : : "r" (n));
	return n;
}

static void call_probed(void)
{
	probed(7);
}

#ifdef __x86_64__
/* As compilers write it with -fcf-protection. */
__asm__(".text; .globl landing; .type landing, @function; landing: .cfi_startproc; endbr64; push %rbx; "
	".cfi_adjust_cfa_offset 8; mov %edi, %ebx; mov %ebx, %eax; pop %rbx; .cfi_adjust_cfa_offset -8; ret; "
	".cfi_endproc; .size landing, . - landing");
#else
__attribute__((noinline, noclone)) int landing(int n) { return probed(n); }
#endif
int landing(int n);

static void call_landing(void)
{
	landing(7);
}

/* Two switches and two wake-ups: another process, which ends with this one, sends back what it gets. */
static void switch_twice(void)
{
	static int to[2] = { -1 }, from[2];
	char c = 0;

	if (to[0] < 0) {
		if (pipe(to) || pipe(from))
			die("pipe");
		if (!fork()) {
			close(to[1]);
			while (read(to[0], &c, 1) == 1 && write(from[1], &c, 1) == 1)
				;
			_exit(0);
		}
		close(to[0]);
		to[0] = 0;
	}
	if (write(to[1], &c, 1) != 1 || read(from[0], &c, 1) != 1)
		die("pipe");
}

static void many(void (*one)(void))
{
	for (int i = 0; i < CALLS; i++)
		one();
}

static int pieces_of(const char *path, void (*one)(void), int parts)
{
	double piece[PIECES];

	be_alone();
	many(one);
	for (int k = 0; k < PIECES; k++) {
		uint64_t begun = now();

		many(one);
		piece[k] = (double)(now() - begun) / CALLS;
	}
	qsort(piece, PIECES, sizeof(*piece), by_size);
	say(path, "%.1f\n", piece[PIECES / 2] / parts);
	return 0;
}

static int pieces(const char *path, void (*one)(void)) { return pieces_of(path, one, 1); }

static int calls(char **args) { return pieces(args[0], call_null); }
static int renames(char **args) { return pieces(args[0], rename_self); }
static int switches(char **args) { return pieces_of(args[0], switch_twice, 2); }
static int opens(char **args) { return pieces(args[0], open_nothing); }
static int user(char **args) { return pieces(args[0], call_probed); }
static int with_pad(char **args) { return pieces(args[0], call_landing); }

static double round_of(int fd, long n)
{
	uint64_t begun = now();

	for (long i = 1; i <= n; i++)
		call(fd, i);
	return (double)(now() - begun) / n;
}

static int walk(char **args)
{
	long n = atol(args[1]), rounds = atol(args[2]);
	int fd = open_null();
	double first, sum = 0;

	be_alone();
	call(fd, 0);
	first = round_of(fd, n);
	for (long k = 0; k < rounds; k++)
		sum += round_of(fd, n);
	say(args[0], "%.1f %.1f\n", first, sum / rounds);
	return 0;
}

static int spin(char **args)
{
	volatile uint64_t x = 0;
	uint64_t begun, n = atof(args[1]) * 1e8;

	begun = now();
	for (uint64_t i = 0; i < n; i++)
		x += i;
	say(args[0], "%llu\n", (unsigned long long)(now() - begun));
	return 0;
}

static int flood(char **args)
{
	long n = atol(args[0]), rate = atol(args[1]);
	uint64_t begun = now();
	int fd = open_null();

	for (long i = 0; i < n; i++) {
		call(fd, i);
		if (rate && i % 100 == 0)
			while ((double)(now() - begun) < i * 1e9 / rate)
				sched_yield();
	}
	return 0;
}

static int busy(char **args)
{
	volatile uint64_t x = 0;
	uint64_t begun, n = atof(args[1]) * 1e5;
	static char page[4096];
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		die("/dev/zero");
	begun = now();
	for (uint64_t i = 0; i < n; i++) {
		for (int k = 0; k < 700; k++)
			x += k;
		if (read(fd, page, sizeof(page)) != sizeof(page))
			die("/dev/zero");
	}
	say(args[0], "%llu\n", (unsigned long long)(now() - begun));
	return 0;
}

/* ---- other programs ---- */

struct child {
	pid_t pid;
	int output;		/* its stdout */
};

static struct child start(char **command)
{
	struct child c;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		die("pipe");
	c.output = ends[0];
	c.pid = fork();
	if (c.pid < 0)
		die("fork");
	if (!c.pid) {
		dup2(ends[1], 1);
		execvp(*command, command);
		die(*command);
	}
	close(ends[1]);
	return c;
}

static void wait_for_line(struct child *c)
{
	char ch;

	while (read(c->output, &ch, 1) == 1)
		if (ch == '\n')
			return;
	fprintf(stderr, "measure: no line came\n");
	exit(125);
}

/* If its first line is "Attaching ...", which bpftrace prints before it attaches, the second line counts. */
static void wait_for_output(struct child *c)
{
	char text[4096];
	size_t n = 0;

	for (;;) {
		while (n < sizeof(text) - 1 && read(c->output, text + n, 1) == 1 && text[n] != '\n')
			n++;
		text[n] = '\0';
		if (strncmp(text, "Attaching", 9) != 0)
			break;
		n = 0;
	}
	if (!n)
		wait_for_line(c);
}

/* SIGINT again if it takes long: bpftrace sometimes misses the first. */
static void finish(struct child *c)
{
	struct pollfd p = { .fd = c->output, .events = POLLIN };
	char buffer[4096];

	do {
		kill(c->pid, SIGINT);
		while (poll(&p, 1, 10000) > 0 && read(c->output, buffer, sizeof(buffer)) > 0)
			;
	} while (!(p.revents & POLLHUP));
	waitpid(c->pid, NULL, 0);
}

static int session(char **args)
{
	uint64_t begun = now(), first, stopped;
	struct child c = start(args);

	wait_for_output(&c);
	first = now() - begun;
	pause_for(0.2);
	stopped = now();
	finish(&c);
	printf("%.2f %.2f\n", first / 1e6, (now() - stopped) / 1e6);
	return 0;
}

static int cost(char **args)
{
	struct rusage u;
	uint64_t begun = now();
	int status;
	pid_t pid = fork();

	if (!pid) {
		int fd = open("/dev/null", O_WRONLY);

		dup2(fd, 1);
		execvp(*args, args);
		die(*args);
	}
	wait4(pid, &status, 0, &u);
	printf("%.4f %.4f %.1f\n", u.ru_utime.tv_sec + u.ru_stime.tv_sec +
	       (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6, (now() - begun) / 1e9,
	       u.ru_maxrss / 1024.0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}

static long sum_of_lines(const char *path, const char *format)
{
	char line[256];
	long n, sum = 0;
	FILE *f = fopen(path, "r");

	if (!f)
		die(path);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, format, &n) == 1)
			sum += n;
	fclose(f);
	return sum;
}

/* Free pages in the per-CPU lists are not in MemFree. */
static long memory_free(void)
{
	for (int i = 0; i < 3; i++) {	/* memory freed by RCU follows later */
		sync();
		say("/proc/sys/vm/drop_caches", "3\n");
		pause_for(0.2);
	}
	return sum_of_lines("/proc/meminfo", "MemFree: %ld") +
	       4 * sum_of_lines("/proc/zoneinfo", " count: %ld");
}

static long memory_of(char **command)
{
	long before = memory_free(), during;
	struct child c = start(command);

	wait_for_output(&c);
	during = memory_free();
	finish(&c);
	return before - during;
}

/* The median of the runs after the first, which warms caches that cannot be dropped. */
static int memory(char **args)
{
	long a, b, c;

	memory_of(args);
	a = memory_of(args);
	b = memory_of(args);
	c = memory_of(args);
	printf("%ld\n", a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b));
	return 0;
}

static int free_now(char **args)
{
	(void)args;
	printf("%ld\n", memory_free());
	return 0;
}

/* The module's name is the file name without .ko. */
static int load(char **args)
{
	int fd = open(args[0], O_RDONLY | O_CLOEXEC);
	const char *slash = strrchr(args[0], '/');
	char *name = strdup(slash ? slash + 1 : args[0]);
	uint64_t begun = now(), loaded;

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		die(args[0]);
	loaded = now();
	name[strcspn(name, ".")] = '\0';
	if (syscall(SYS_delete_module, name, 0))
		die(name);
	printf("%.2f %.2f\n", (loaded - begun) / 1e6, (now() - loaded) / 1e6);
	free(name);
	return 0;
}

static const struct verb {
	const char *name;
	int least;
	int (*run)(char **args);
} verbs[] = {
	{ "switches", 1, switches },
	{ "calls", 1, calls },	   { "renames", 1, renames }, { "opens", 1, opens },   { "user", 1, user },
	{ "landing", 1, with_pad },
	{ "walk", 3, walk },	   { "spin", 2, spin },	      { "busy", 2, busy },     { "flood", 2, flood },
	{ "session", 1, session }, { "cost", 1, cost },	      { "memory", 1, memory }, { "load", 1, load },
	{ "free", 0, free_now },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(verbs) / sizeof(*verbs); i++)
		if (strcmp(argv[1], verbs[i].name) == 0 && argc - 2 >= verbs[i].least)
			return verbs[i].run(argv + 2);
	fprintf(stderr, "usage: see the head of measure.c\n");
	return 2;
}
