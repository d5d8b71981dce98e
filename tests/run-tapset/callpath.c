// SPDX-License-Identifier: GPL-2.0-or-later
/* System calls that fail for known reasons, each with a different pair of call and error. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/quota.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ROOM "/tmp/denied"
#define DISK "/tmp/denied-disk"

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

static void write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0755);

	write(fd, text, strlen(text));
	close(fd);
}

/* Paths and files that are in the way. */
static void by_paths(void)
{
	static char name[8192];
	int fd;

	symlink("loop", ROOM "/loop");
	open(ROOM "/loop", O_RDONLY);				/* ELOOP */
	memset(name, 'x', sizeof(name) - 1);
	open(name, O_RDONLY);					/* ENAMETOOLONG: the path */
	memcpy(name, ROOM "/", strlen(ROOM "/"));
	name[strlen(ROOM "/") + 256] = 0;
	chdir(name);						/* ENAMETOOLONG: one component */
	mkdir(ROOM "/mine/x", 0755);				/* ENOTDIR */
	rmdir(ROOM "/ro");					/* EBUSY: a mount point */
	fd = open(ROOM "/ro", O_RDONLY | O_DIRECTORY);
	umount2(ROOM "/ro", 0);					/* EBUSY: in use */
	close(fd);
	mkfifo(ROOM "/fifo", 0600);
	open(ROOM "/fifo", O_WRONLY | O_NONBLOCK);		/* ENXIO */
	syscall(SYS_getcwd, name, 1);				/* ERANGE */
	getxattr(ROOM "/mine", "trusted.missing", name, 9);	/* ENODATA */
	setxattr(ROOM "/mine", "trusted.large", name, 70000, 0);	/* E2BIG */
}

/* Programs that cannot be executed. */
static void by_programs(void)
{
	static char large[200000];
	char *const few[] = { "x", NULL }, *const many[] = { "x", large, NULL };
	int fd;

	write_text(ROOM "/junk", "no program at all");
	execve(ROOM "/junk", few, NULL);			/* ENOEXEC */
	fd = open(ROOM "/junk", O_WRONLY);
	execve(ROOM "/junk", few, NULL);			/* ETXTBSY */
	close(fd);
	memset(large, 'x', sizeof(large) - 1);
	execve(ROOM "/junk", many, NULL);			/* E2BIG */
}

static void by_sockets(void)
{
	static char large[66000];
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(7),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int first = socket(AF_INET, SOCK_STREAM, 0), second = socket(AF_INET, SOCK_STREAM, 0);
	int udp = socket(AF_INET, SOCK_DGRAM, 0);

	bind(first, (struct sockaddr *)&in, sizeof(in));
	bind(second, (struct sockaddr *)&in, sizeof(in));	/* EADDRINUSE */
	accept(first, NULL, NULL);				/* EINVAL: does not listen */
	recv(second, large, 1, 0);				/* ENOTCONN */
	sendto(udp, large, sizeof(large), 0, (struct sockaddr *)&in, sizeof(in));	/* EMSGSIZE */
	in.sin_addr.s_addr = htonl(0xc0000201);
	connect(udp, (struct sockaddr *)&in, sizeof(in));	/* ENETUNREACH */
	socket(99, SOCK_STREAM, 0);				/* EAFNOSUPPORT */
	close(first);
	close(second);
	close(udp);
}

/* Limits of what the kernel keeps for users. */
static void by_limits(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct timespec soon = { 0, 1000000 };
	int fd = inotify_init1(0), other, word = 1;

	write_text("/proc/sys/fs/inotify/max_user_watches", "0");
	inotify_add_watch(fd, ROOM, IN_CREATE);			/* ENOSPC */
	write_text("/proc/sys/fs/inotify/max_user_instances", "0");
	inotify_init1(0);					/* EMFILE */
	write_text("/proc/sys/fs/inotify/max_user_watches", "8192");
	write_text("/proc/sys/fs/inotify/max_user_instances", "128");
	other = epoll_create1(0);
	epoll_ctl(other, EPOLL_CTL_ADD, fd, &event);
	epoll_ctl(other, EPOLL_CTL_ADD, fd, &event);		/* EEXIST */
	close(other);
	close(fd);
	write_text("/proc/sys/kernel/msgmni", "0");
	msgget(IPC_PRIVATE, 0600);				/* ENOSPC */
	write_text("/proc/sys/kernel/msgmni", "32000");
	write_text("/proc/sys/kernel/keys/maxkeys", "1");
	fd = open(ROOM "/mine", O_RDWR);
	other = open(ROOM "/mine", O_RDWR);
	flock(fd, LOCK_EX);
	flock(other, LOCK_EX | LOCK_NB);			/* EAGAIN */
	close(fd);
	close(other);
	syscall(SYS_futex, &word, FUTEX_WAIT, 1, &soon, NULL, 0);	/* ETIMEDOUT */
	syscall(SYS_futex, &word, FUTEX_WAIT, 2, &soon, NULL, 0);	/* EAGAIN */
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
	ftruncate(fd, 0);
	signal(SIGXFSZ, SIG_IGN);
	limit(RLIMIT_FSIZE, 4096);
	ftruncate(fd, 8192);					/* EFBIG */
	pwrite(fd, "x", 1, 8192);				/* EFBIG */
	limit(RLIMIT_FSIZE, RLIM_INFINITY);
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
	by_paths();
	by_programs();
	by_sockets();
	by_limits();
	waitpid(-1, NULL, 0);					/* ECHILD */
	access((const char *)8, R_OK);				/* EFAULT */
	kill(4000000, SIGTERM);					/* ESRCH */
	limit(RLIMIT_NOFILE, 6);
	dup(0), dup(0), dup(0), dup(0), dup(0), dup(0), dup(0), dup(0);	/* EMFILE */
	limit(RLIMIT_NOFILE, 1024);
	limit(RLIMIT_AS, 1 << 20);
	mmap(NULL, 1 << 24, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);	/* ENOMEM */
}

/* The disk has a quota for the user, and is small. */
static void by_disk(const char *device)
{
	static char block[65536];
	struct dqblk quota = { .dqb_bhardlimit = 64, .dqb_bsoftlimit = 64, .dqb_valid = QIF_BLIMITS };
	int fd;

	if (quotactl(QCMD(Q_SETQUOTA, USRQUOTA), device, 65534, (char *)&quota))
		perror("quotactl");
	fd = open(DISK "/full", O_CREAT | O_WRONLY, 0644);
	while (pwrite(fd, block, sizeof(block), lseek(fd, 0, SEEK_END)) > 0)	/* ENOSPC */
		lseek(fd, sizeof(block), SEEK_END);
	ftruncate(fd, 0);
	close(fd);
}

static void over_quota(void)
{
	static char block[65536];
	int fd = open(DISK "/quota", O_CREAT | O_WRONLY, 0644);

	while (write(fd, block, sizeof(block)) > 0)	/* EDQUOT */
		;
	close(fd);
}

/* Refused without them. */
static void as_user(void)
{
	setgid(65534);
	setuid(65534);
	over_quota();
	syscall(SYS_add_key, "user", "one", "x", 1, -2);
	syscall(SYS_add_key, "user", "two", "x", 1, -2);	/* EDQUOT */
	chroot("/");						/* EPERM */
	setuid(0);						/* EPERM */
	ptrace(PTRACE_ATTACH, 1, 0, 0);				/* EPERM */
	setpriority(PRIO_PROCESS, 0, -5);			/* EACCES */
	limit(RLIMIT_MEMLOCK, 0);
	mlock(ROOM, 1);						/* EPERM */
	open(ROOM "/mine", O_RDONLY);				/* EACCES */
	chmod(ROOM "/mine", 0644);				/* EPERM */
	sethostname("x", 1);					/* EPERM */
	kill(1, SIGTERM);					/* EPERM */
	limit(RLIMIT_NPROC, 0);
	fork();							/* EAGAIN */
	refuse_getpriority();
	getpriority(PRIO_PROCESS, 0);				/* EOVERFLOW */
}

/* The argument is the device that is mounted at DISK. */
int main(int argc, char **argv)
{
	as_root();
	by_disk(argc > 1 ? argv[1] : "");
	as_user();
	return 0;
}
