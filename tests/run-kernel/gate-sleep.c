/* sleepers COUNT FIFO: COUNT threads read a pipe, which wakes them up one by one; after a line from FIFO they get a
 * byte each. The threads need no stacks: so many would take much memory, and each one that gave it back would interrupt
 * all processors. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static char byte;
static unsigned left;

/* Returns the thread's number; the thread only runs what is below. */
static long create(int pipe)
{
	long result = SYS_clone;
	unsigned long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
	register long child_tid __asm__("r10") = 0, tls __asm__("r8") = 0;

	__asm__ volatile("xor %%esi, %%esi\n\txor %%edx, %%edx\n\tsyscall\n\t"
			 "test %%rax, %%rax\n\tjnz 1f\n\t"
			 "mov %[pipe], %%edi\n\tlea %[byte], %%rsi\n\tmov $1, %%edx\n\tmov %[read], %%eax\n\t"
			 "syscall\n\t"
			 "xor %%edi, %%edi\n\tcmp $1, %%rax\n\tjne 2f\n\t"
			 "lock incl %[left]\n\tmov %[exit], %%eax\n\tsyscall\n"
			 "2:\tmov $3, %%edi\n\tmov %[exit_group], %%eax\n\tsyscall\n"
			 "1:"
			 : "+a"(result), "+D"(flags), "+r"(child_tid), "+r"(tls)
			 : [pipe] "b"(pipe), [byte] "m"(byte), [left] "m"(left), [read] "i"(SYS_read),
			   [exit] "i"(SYS_exit), [exit_group] "i"(SYS_exit_group)
			 : "rsi", "rdx", "rcx", "r11", "memory", "cc");
	return result;
}

int main(int argc, char **argv)
{
	int count = argc == 3 ? atoi(argv[1]) : 0, ends[2];
	char *all = calloc((size_t)count + 1, 1), line[10];
	FILE *fifo;

	if (!count || !all || pipe(ends) < 0)
		return 2;
	for (int i = 0; i < count; i++)
		if (create(ends[0]) < 0) {
			perror("clone");
			return 1;
		}
	fifo = fopen(argv[2], "r");
	if (!fifo || !fgets(line, sizeof(line), fifo) || write(ends[1], all, (size_t)count) != count)
		return 1;
	while (__atomic_load_n(&left, __ATOMIC_RELAXED) < (unsigned)count)
		usleep(100000);
	return 0;
}
