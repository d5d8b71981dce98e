// SPDX-License-Identifier: GPL-2.0-or-later
/* Has a child that does not get as far as user space until SIGUSR1 comes: the kernel writes the child's thread id to
 * a page that userfaultfd withholds. Any user can do the same with a page of a FUSE file. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *page;

static void check(long result, const char *what)
{
	if (result >= 0)
		return;
	perror(what);
	exit(77);
}

/* Returns a descriptor that reports accesses to the page. */
static int keep_page_back(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .range.len = getpagesize(), .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);

	check(fd, "userfaultfd");
	page = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range.start = (unsigned long)page;
	check(ioctl(fd, UFFDIO_API, &api), "UFFDIO_API");
	check(ioctl(fd, UFFDIO_REGISTER, &range), "UFFDIO_REGISTER");
	return fd;
}

static void give_page(int fd)
{
	struct uffdio_zeropage zero = { .range = { (unsigned long)page, getpagesize() } };

	check(ioctl(fd, UFFDIO_ZEROPAGE, &zero), "UFFDIO_ZEROPAGE");
}

static int child(void *unused)
{
	return 0;
}

int main(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	struct pollfd waits = { .events = POLLIN };
	sigset_t go;
	pid_t pid;
	int signal;

	sigemptyset(&go);
	sigaddset(&go, SIGUSR1);
	sigprocmask(SIG_BLOCK, &go, NULL);
	waits.fd = keep_page_back();
	pid = clone(child, stack + sizeof(stack), CLONE_VM | CLONE_CHILD_SETTID | SIGCHLD, NULL, NULL, NULL, page);
	check(pid, "clone");
	check(poll(&waits, 1, -1), "poll");
	puts("waits");
	fflush(stdout);
	sigwait(&go, &signal);
	give_page(waits.fd);
	check(waitpid(pid, NULL, 0), "waitpid");
	puts("has run");
	return 0;
}
