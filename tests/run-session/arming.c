#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FOLDER "/proc/systemtap/t_arming/"

enum { MOST = 64, TRIES = 20000 };

static int null, panic, to;
static struct sockaddr_in here;

__attribute__((noipa)) int work(int n)
{
	__asm__ volatile ("990: nop\n.pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 992f-991f,994f-993f,3\n"
		"991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b, 0, 0\n.asciz \"arming\"\n.asciz \"mark\"\n"
		".asciz \"-4@%0\"\n994: .balign 4\n.popsection" : : "r"(n));
	return n + 1;
}

static void *thread(void *tid)
{
	*(long *)tid = syscall(SYS_gettid);
	return NULL;
}

/* pthread_join returns as soon as the thread's memory is released, which is before its end is an event. */
static void wait_for_end(long tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%ld", tid);
	while (!access(path, F_OK))
		sched_yield();
}

/* Each thing once. */
static void round_of_all(void)
{
	char byte = 0;
	pthread_t t;
	long tid;

	if (write(null, &byte, 1) != 1 || pwrite(panic, "0\n", 2, 0) != 2 || work(1) != 2)
		exit(2);
	syscall(SYS_getppid);
	if (sendto(to, &byte, 1, 0, (struct sockaddr *)&here, sizeof(here)) != 1 || recv(to, &byte, 1, 0) != 1)
		exit(3);
	if (pthread_create(&t, NULL, thread, &tid) || pthread_join(t, NULL))
		exit(4);
	wait_for_end(tid);
	if (!fork())
		_exit(0);
	wait(NULL);
	munmap(memset(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1, 1), 4096);
}

struct counts {
	int n;
	struct count { char name[32]; long n; } list[MOST];
};

static long of(const struct counts *c, const char *name)
{
	for (int i = 0; i < c->n; i++)
		if (!strcmp(c->list[i].name, name))
			return c->list[i].n;
	return 0;
}

static struct counts counted(void)
{
	FILE *f = fopen(FOLDER "counts", "r");
	struct counts c = { 0 };

	if (!f)
		exit(5);
	while (c.n < MOST && fscanf(f, "%31s %ld", c.list[c.n].name, &c.list[c.n].n) == 2)
		c.n++;
	fclose(f);
	return c;
}

/* A file whose probe has a condition, too. */
static int answers(void)
{
	char text[8];
	int fd = open(FOLDER "answer", O_RDONLY), n = fd < 0 ? -1 : read(fd, text, sizeof(text));

	close(fd);
	return n > 0;
}

static void want(int on)
{
	FILE *f = fopen(FOLDER "want", "w");

	if (!f)
		exit(6);
	fprintf(f, "%d", on);
	fclose(f);
}

/* Or other events. */
static int is_by_clock(const char *name)
{
	return strchr(name, '~') != NULL;
}

/* Rounds until FULL of them are counted; timers may have been counted before. */
static void settle_on(int full)
{
	struct counts start = counted();

	for (int i = 0, counting = 0; i < TRIES; i++, counting = 0) {
		struct counts before = counted(), after;

		round_of_all();
		after = counted();
		for (int n = 0; n < after.n; n++) {
			const char *name = after.list[n].name;

			counting += after.list[n].n > of(is_by_clock(name) ? &start : &before, name);
		}
		if (counting == full)
			return;
	}
	printf("never %d of them\n", full);
	exit(7);
}

/* Rounds until several consecutive ones are not counted. */
static void settle_off(void)
{
	int quiet = 0;

	for (int i = 0; i < TRIES && quiet < 3; i++) {
		struct counts before = counted(), after;

		round_of_all();
		after = counted();
		quiet = memcmp(&before, &after, sizeof(after)) ? 0 : quiet + 1;
	}
	if (quiet < 3) {
		printf("never off\n");
		exit(8);
	}
}

/* The events that were not counted exactly once per round. */
static void show(const char *when, int rounds, int is_on)
{
	struct counts before = counted(), after;

	for (int i = 0; i < rounds; i++)
		round_of_all();
	after = counted();
	printf("%s: answer %d", when, answers());
	for (int i = 0; i < after.n; i++) {
		long n = after.list[i].n - of(&before, after.list[i].name);

		if (is_on ? !is_by_clock(after.list[i].name) && n != rounds : n != 0)
			printf(", %s %ld", after.list[i].name, n);
	}
	printf("\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	socklen_t size = sizeof(here);

	null = open("/dev/null", O_WRONLY);
	panic = open("/proc/sys/kernel/panic", O_WRONLY);
	to = socket(AF_INET, SOCK_DGRAM, 0);
	here = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	if (argc != 2 || null < 0 || panic < 0 || bind(to, (struct sockaddr *)&here, size) ||
	    getsockname(to, (struct sockaddr *)&here, &size))
		return 1;
	show("before", 20, 0);
	for (int i = 0; i < 2; i++) {
		want(1);
		settle_on(atoi(argv[1]));
		show("on", 20, 1);
		want(0);
		settle_off();
		show("off", 20, 0);
	}
	return 0;
}
