// SPDX-License-Identifier: GPL-2.0-or-later
/* System calls that fail for known reasons, each with a different pair of call and error. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOM "/tmp/denied"

static void limit(int resource, rlim_t value)
{
	struct rlimit r;

	getrlimit(resource, &r);
	r.rlim_cur = value;
	setrlimit(resource, &r);
}

/* Seccomp answers getpriority() with EOVERFLOW. */
static void refuse_getpriority(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpriority, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOVERFLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { 4, code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Refused with the means of root. */
static void as_root(void)
{
	static char block[65536];
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(1),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd, ends[2];

	mkdir(ROOM, 0755);
	mount("none", ROOM, "tmpfs", 0, "size=128k");
	mkdir(ROOM "/a", 0700);
	mkdir(ROOM "/a/b", 0700);
	mkdir(ROOM "/ro", 0755);
	mount("none", ROOM "/ro", "tmpfs", MS_RDONLY, "size=4k");
	close(open(ROOM "/mine", O_CREAT | O_WRONLY, 0600));

	mkdir(ROOM "/ro/x", 0755);				/* EROFS */
	mkdir(ROOM "/a", 0755);					/* EEXIST */
	rmdir(ROOM "/a");					/* ENOTEMPTY */
	unlink(ROOM "/a");					/* EISDIR */
	rename(ROOM "/mine", "/dev/mine");			/* EXDEV */
	umount2(ROOM "/a", 0);					/* EINVAL */
	readlink(ROOM "/missing", block, 9);			/* ENOENT */
	fd = open(ROOM "/full", O_CREAT | O_WRONLY, 0644);
	for (int i = 0; i < 4; i++)
		if (write(fd, block, sizeof(block)) < 0)	/* ENOSPC */
			break;
	signal(SIGXFSZ, SIG_IGN);
	limit(RLIMIT_FSIZE, 4096);
	ftruncate(fd, 8192);					/* EFBIG */
	pwrite(fd, "x", 1, 8192);				/* EFBIG */
	signal(SIGPIPE, SIG_IGN);
	pipe(ends);
	close(ends[0]);
	write(ends[1], "x", 1);					/* EPIPE */
	pipe2(ends, O_NONBLOCK);
	read(ends[0], block, 1);				/* EAGAIN */
	fd = open(ROOM, O_RDONLY | O_DIRECTORY);
	read(fd, block, 1);					/* EISDIR */
	lseek(ends[0], 0, SEEK_SET);				/* ESPIPE */
	fd = socket(AF_INET, SOCK_STREAM, 0);
	connect(fd, (struct sockaddr *)&in, sizeof(in));	/* ECONNREFUSED */
	waitpid(-1, NULL, 0);					/* ECHILD */
	access((const char *)8, R_OK);				/* EFAULT */
	kill(4000000, SIGTERM);					/* ESRCH */
	limit(RLIMIT_NOFILE, 6);
	dup(0), dup(0), dup(0), dup(0), dup(0), dup(0), dup(0), dup(0);	/* EMFILE */
	limit(RLIMIT_NOFILE, 1024);
	limit(RLIMIT_AS, 1 << 20);
	mmap(NULL, 1 << 24, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);	/* ENOMEM */
}

/* Refused without them. */
static void as_user(void)
{
	setgid(65534);
	setuid(65534);
	open(ROOM "/mine", O_RDONLY);				/* EACCES */
	chmod(ROOM "/mine", 0644);				/* EPERM */
	sethostname("x", 1);					/* EPERM */
	kill(1, SIGTERM);					/* EPERM */
	limit(RLIMIT_NPROC, 0);
	fork();							/* EAGAIN */
	refuse_getpriority();
	getpriority(PRIO_PROCESS, 0);				/* EOVERFLOW */
}

int main(void)
{
	as_root();
	as_user();
	return 0;
}
