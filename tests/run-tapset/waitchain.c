// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads that wait for each other in known chains. At the end it prints for each of
 * them its name, for how many us it knows that it lived by this name, and for how many at most.
 *
 * 	waitchain DISK
 * 	waitchain lock		when there is a file "go", some wait for a lock, until they are killed */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 10, STEP_MS = 30, PACED = 200000 };

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void sleep_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&t, &t) < 0 && errno == EINTR)
		;
}

static void spin_ms(long ms)
{
	for (long end = now() + ms * 1000; now() < end;)
		;
}

static void check(long result, const char *what)
{
	if (result < 0) {
		perror(what);
		exit(1);
	}
}

static void pass(int from, int to)
{
	char c = 0;

	if (from >= 0)
		check(read(from, &c, 1), "read");
	if (to >= 0)
		check(write(to, &c, 1), "write");
}

enum { DEEP = 10 };
static int pipes[8][2], deeper[DEEP][2], sockets[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *disk;

/* p1 waits for p2, which waits for p3, which waits for p4, which sleeps. */
static void p1(void) { for (int i = 0; i < ROUNDS; i++) pass(pipes[0][0], -1); }
static void p2(void) { for (int i = 0; i < ROUNDS; i++) pass(pipes[1][0], pipes[0][1]); }
static void p3(void) { for (int i = 0; i < ROUNDS; i++) pass(pipes[2][0], pipes[1][1]); }
static void p4(void) { for (int i = 0; i < ROUNDS; i++) { sleep_ms(STEP_MS); pass(-1, pipes[2][1]); } }

/* A chain of ten threads, longer than is kept. */
static void deep(int i) { pass(i ? deeper[i - 1][0] : -1, i < DEEP - 1 ? deeper[i][1] : -1); }
static void e0(void) { sleep_ms(300); deep(0); }
#define E(i) static void e##i(void) { deep(i); }
E(1) E(2) E(3) E(4) E(5) E(6) E(7) E(8) E(9)

/* c1 waits for c2, which sleeps for two thirds of the time and needs a CPU for the rest. */
static void c1(void) { for (int i = 0; i < ROUNDS; i++) pass(pipes[3][0], -1); }
static void c2(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		sleep_ms(20);
		spin_ms(10);
		pass(-1, pipes[3][1]);
	}
}

/* f1 waits for the lock that f2 holds while it sleeps. */
static void f1(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		pass(pipes[4][0], -1);
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
		pass(-1, pipes[5][1]);
	}
}
static void f2(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		pass(-1, pipes[4][1]);
		sleep_ms(STEP_MS);
		pthread_mutex_unlock(&mutex);
		pass(pipes[5][0], -1);
	}
}

/* s1 waits for what s2 sends after sleeping, by the loopback device. */
static void s1(void)
{
	char c;

	for (int i = 0; i < ROUNDS; i++)
		check(recv(sockets[0], &c, 1, 0), "recv");
}
static void s2(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		sleep_ms(STEP_MS);
		check(send(sockets[1], "", 1, 0), "send");
	}
}

/* n1 waits for what n2 has sent before, all at once: the kernel sends it at a certain rate, by a timer. */
static void n1(void)
{
	static char data[PACED];

	for (ssize_t left = PACED, got; left; left -= got) {
		got = recv(sockets[0], data, left, 0);
		check(got ? got : -1, "recv");
	}
}
static void n2(void)
{
	static char data[PACED];
	unsigned int rate = PACED * 2;	/* bytes per second */

	check(setsockopt(sockets[1], SOL_SOCKET, SO_MAX_PACING_RATE, &rate, sizeof(rate)), "SO_MAX_PACING_RATE");
	check(send(sockets[1], data, PACED, 0), "send");
}

/* l1 waits for the lock of a file, which l2 holds while it waits for a page that l3 supplies after sleeping. A fault
 * shows that l2 holds the lock. */
enum { PAGE = 65536 };			/* at least that of any machine */
static int faults, file;
static char *missing;
static void prepare_lock(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	file = memfd_create("file", 0);
	check(file, "memfd_create");
	faults = syscall(SYS_userfaultfd, O_CLOEXEC);
	check(faults, "userfaultfd");
	check(ioctl(faults, UFFDIO_API, &api), "UFFDIO_API");
	missing = mmap(NULL, ROUNDS * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	area.range.start = (unsigned long)missing;
	area.range.len = ROUNDS * PAGE;
	check(ioctl(faults, UFFDIO_REGISTER, &area), "UFFDIO_REGISTER");
}
static void l1(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		pass(pipes[6][0], -1);
		pass(-1, file);
		pass(-1, pipes[7][1]);
	}
}
static void l2(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		check(write(file, missing + i * PAGE, 1), "write");
		pass(pipes[7][0], -1);
	}
}
static void let_l1_wait(void)
{
	struct uffd_msg m;

	check(read(faults, &m, sizeof(m)), "read");
	pass(-1, pipes[6][1]);
}
static void l3(void)
{
	static char zeros[PAGE];

	for (int i = 0; i < ROUNDS; i++) {
		struct uffdio_copy page = { .dst = (unsigned long)missing + i * PAGE, .src = (unsigned long)zeros };

		page.len = sysconf(_SC_PAGESIZE);
		let_l1_wait();
		sleep_ms(STEP_MS);
		check(ioctl(faults, UFFDIO_COPY, &page), "UFFDIO_COPY");
	}
}

/* d1 reads a disk, past the cache. */
static void d1(void)
{
	int fd = open(disk, O_RDONLY | O_DIRECT);
	void *block;

	check(fd, disk);
	if (posix_memalign(&block, 4096, 65536))
		exit(1);
	for (int i = 0; i < 200; i++)
		check(pread(fd, block, 65536, i % 16 * 65536), "pread");
}

/* w1 waits for work on each processor. */
static void w1(void)
{
	int fd = open("/proc/sys/vm/stat_refresh", O_WRONLY);

	check(fd, "stat_refresh");
	for (int i = 0; i < ROUNDS; i++)
		check(write(fd, "1", 1), "write");
}

/* h1 waits for the whole life of a thread with a long history, which started later. */
static void h2(void) { for (int i = 0; i < 400; i++) sleep_ms(1); }
static void *h3(void *unused) { prctl(PR_SET_NAME, "h2"); h2(); return NULL; }
static void h1(void)
{
	pthread_t t;

	pthread_create(&t, NULL, h3, NULL);
	pthread_join(t, NULL);
}

static struct role {
	const char *name;
	void (*run)(void);
	long took, created, whole;
} roles[] = {
	{ "p1", p1 }, { "p2", p2 }, { "p3", p3 }, { "p4", p4 }, { "c1", c1 }, { "c2", c2 }, { "f1", f1 }, { "f2", f2 },
	{ "s1", s1 }, { "s2", s2 }, { "h1", h1 },
	/* the one that sleeps comes last: then all others wait for it */
	{ "e9", e9 }, { "e8", e8 }, { "e7", e7 }, { "e6", e6 }, { "e5", e5 }, { "e4", e4 }, { "e3", e3 }, { "e2", e2 },
	{ "e1", e1 }, { "e0", e0 },
	{ "n1", n1 }, { "n2", n2 },
	{ "l1", l1 }, { "l2", l2 }, { "l3", l3 },
	{ "d1", d1 },
	{ "w1", w1 },
};

static void *play(void *data)
{
	struct role *r = data;
	long begun;

	prctl(PR_SET_NAME, r->name);
	begun = now();
	r->run();
	r->took = now() - begun;
	return NULL;
}

static void connect_sockets(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(in);
	int server = socket(AF_INET, SOCK_STREAM, 0);

	check(bind(server, (struct sockaddr *)&in, size), "bind");
	check(listen(server, 1), "listen");
	check(getsockname(server, (struct sockaddr *)&in, &size), "getsockname");
	sockets[1] = socket(AF_INET, SOCK_STREAM, 0);
	check(connect(sockets[1], (struct sockaddr *)&in, size), "connect");
	sockets[0] = accept(server, NULL, NULL);
	check(sockets[0], "accept");
}

static void hold_lock(void)
{
	static struct role holder = { "l2", l2, 0, 0, 0 }, other = { "l1", l1, 0, 0, 0 };
	pthread_t t;

	while (access("go", F_OK))
		sleep_ms(10);
	pthread_create(&t, NULL, play, &other);
	pthread_create(&t, NULL, play, &holder);
	let_l1_wait();
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	enum { ROLES = sizeof(roles) / sizeof(*roles) };
	pthread_t ids[ROLES];

	disk = argv[1];
	prepare_lock();
	for (int i = 0; i < 8; i++)
		check(pipe(pipes[i]), "pipe");
	for (int i = 0; i < DEEP; i++)
		check(pipe(deeper[i]), "pipe");
	if (argc > 1 && strcmp(disk, "lock") == 0)
		hold_lock();
	connect_sockets();
	/* one group after the other: a busy guest delays its threads */
	for (int i = 0; i < ROLES;) {
		int first = i;

		for (; i < ROLES && roles[i].name[0] == roles[first].name[0]; i++) {
			roles[i].created = now();
			pthread_create(&ids[i], NULL, play, &roles[i]);
		}
		for (int k = first; k < i; k++) {
			pthread_join(ids[k], NULL);
			roles[k].whole = now() - roles[k].created;
		}
	}
	for (int i = 0; i < ROLES; i++)
		printf("lived %s %ld %ld\n", roles[i].name, roles[i].took, roles[i].whole);
	return argc < 2;
}
