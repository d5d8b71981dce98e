/* System calls whose variables are checked, in the order of variables.out. All memory that the handlers read is
 * written before, so that it is mapped. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char from[] = "/none/a", to[] = "/none/b", device[] = "/dev/none", kind[] = "tmpfs", data[] = "size=\"1\"";
static char host[] = "here", queue[] = "none", buffer[64] = "abc";

static void paths(void)
{
	syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
	syscall(SYS_symlinkat, from, AT_FDCWD, to);
	syscall(SYS_unlinkat, AT_FDCWD, from, 0);
	syscall(SYS_mount, device, from, kind, 0, data);
	syscall(SYS_quotactl, 0x80000700, device, 0, 0);
	syscall(SYS_mq_open, queue, 0, 0, 0);
	syscall(SYS_sethostname, host, 4);
	syscall(SYS_setdomainname, host, 4);
}

static void addresses(void)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons(80), .sin_addr.s_addr = htonl(0x7f000001) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(443), .sin6_flowinfo = htonl(77),
				   .sin6_addr.s6_addr = { [15] = 1 }, .sin6_scope_id = 5 };

	syscall(SYS_bind, -1, &v4, sizeof(v4));
	syscall(SYS_connect, -1, &v6, sizeof(v6));
}

static void times_and_signals(void)
{
	struct timespec second = { 1, 5 };
	struct timex t = { .modes = ADJ_FREQUENCY | ADJ_TICK, .offset = -3, .freq = 4, .status = 6 };
	siginfo_t info = { .si_signo = SIGUSR1, .si_code = -1 };

	syscall(SYS_clock_settime, 99, &second);
	syscall(SYS_clock_adjtime, 99, &t);
	t = (struct timex){ .offset = 7 };
	syscall(SYS_adjtimex, &t);
	syscall(SYS_io_getevents, 0L, 0L, 1L, 0L, &second);
	syscall(SYS_rt_sigqueueinfo, 0x7ffffffe, SIGUSR1, &info);
	syscall(SYS_rt_sigtimedwait, 0, 0, 0, 3);
	syscall(SYS_sched_getattr, 0, 0, 48, 0);
	syscall(SYS_sysinfo, 0);
	syscall(SYS_times, 0);
	syscall(SYS_semctl, -1, 0, SETVAL, 0);
}

static void reap(int pid, int options)
{
	int status = 0;

	syscall(SYS_wait4, pid, &status, options, 0);
}

static void children(void)
{
	unsigned long message = 0;
	int pid = fork();

	if (!pid)
		_exit(3);
	reap(pid, 0);
	pid = fork();
	if (!pid) {
		pause();
		_exit(0);
	}
	kill(pid, SIGSTOP);
	reap(pid, WUNTRACED);
	syscall(SYS_ptrace, PTRACE_SEIZE, pid, 0, PTRACE_O_TRACEEXIT);
	kill(pid, SIGKILL);
	reap(pid, __WALL);
	syscall(SYS_ptrace, PTRACE_GETEVENTMSG, pid, 0, &message);
	syscall(SYS_ptrace, PTRACE_DETACH, pid, 0, 0);
	reap(pid, 0);
}

int main(void)
{
	int fds[2] = { -1, -1 };

	unshare(CLONE_NEWUTS);
	paths();
	addresses();
	times_and_signals();
	dup2(0, 100);
	fcntl(0, F_DUPFD, 101); /* so that the next ones are 3 and 4, whatever descriptors this program inherited */
	syscall(SYS_close_range, 3, 50, 0);
	syscall(SYS_pipe2, fds, O_CLOEXEC);
	syscall(SYS_getrandom, buffer, 5, 1);
	children();
#ifdef __x86_64__
	syscall(174, "none", 0);	/* create_module: removed in 2.6 */
#else
	syscall(42);			/* nfsservctl */
#endif
	return 0;
}
