/* Passes its structures to the kernel. */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct part { int a; long b; const char *name; struct part *next; };

static struct part second = { 20, 200, "second", 0 };
static struct part parts[] = { { 1, 10, "first", &second }, { 2, 20, "next", 0 } };

__attribute__((noipa)) int work(struct part *p) { return p->a; }

int main(void)
{
	struct timespec t = { 0, 1234567 };

	syscall(SYS_madvise, parts, 0, 0);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
	return work(parts) - 1;
}
