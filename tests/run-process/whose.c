#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int twice(int n);
int chosen(int n);

#ifdef LIBRARY
__attribute__((noipa)) static int kept_to_itself(int n) { return 2 * n; }
__attribute__((noipa)) static int first(int n) { return n + 1; }
__attribute__((noipa)) static int second(int n) { return n + 2; }
static volatile int never;
__attribute__((used)) static void *choose(void) { return never ? first : second; }
int chosen(int n) __attribute__((ifunc("choose")));
int twice(int n) { return kept_to_itself(n); }
#else
__attribute__((noipa)) int step(int n)
{
	long id;

	/* getpid through the 32-bit system call interface, where it has the number 20; 64-bit ones have writev
	 * there. */
	__asm__ volatile ("int $0x80" : "=a"(id) : "0"(20L), "b"(11L), "c"(22L) : "memory", "r8", "r9", "r10", "r11");
	return id == getpid() ? chosen(twice(n)) : -1;
}

static void *thread(void *unused)
{
	return unused;
}

static int steps(int n)
{
	for (int i = 0; i < n; i++)
		if (step(i) < 0)
			return 1;
	return 0;
}

/* Run a program as process NUMBER. */
static int run_as(pid_t number, char **program)
{
	uint64_t clone_arguments[11] = { [4] = SIGCHLD, [8] = (uintptr_t)&number, [9] = 1 };
	pid_t child = syscall(SYS_clone3, clone_arguments, sizeof(clone_arguments));
	int status;

	if (!child) {
		execvp(program[0], program);
		_exit(5);
	}
	return child != number || wait(&status) != child || status;
}

/* "as NUMBER PROGRAM ARGUMENT...", or words: N: so many steps; fork N: in a child; again N: in a child that executes
 * the program again; become N: execute the program again; wait: for a file "go". One thread starts and exits first. */
int main(int argc, char **argv)
{
	int status = 0;
	pthread_t t;

	if (argc > 3 && !strcmp(argv[1], "as"))
		return run_as(atoi(argv[2]), argv + 3);
	if (pthread_create(&t, NULL, thread, NULL) || pthread_join(t, NULL))
		return 2;
	for (char **word = argv + 1; *word && !status; word++) {
		char *kind = *word;

		if (!strcmp(kind, "wait")) {
			while (access("go", F_OK))
				usleep(10000);
			continue;
		}
		if (*kind < 'a') {
			status = steps(atoi(kind));
			continue;
		}
		word++;
		if (*kind == 'b' || !fork()) {
			if (*kind != 'f')
				execl(argv[0], argv[0], *word, (char *)NULL);
			_exit(*kind == 'f' ? steps(atoi(*word)) : 3);
		}
		wait(&status);
	}
	return status != 0;
}
#endif
