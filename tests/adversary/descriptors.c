// SPDX-License-Identifier: GPL-2.0-or-later
/* A user who loads a module through tapd, and then tries everything that is possible with the two descriptors of a
 * session, its file control and its directory: several processes, in separate user, mount, pid and network namespaces.
 *
 *	descriptors MODULE.ko COUNT SEED	COUNT sessions, one after the other; TAPD_SOCKET is the daemon's
 *
 * None of the attempts needs to succeed; the last line counts those that did. The exit status is not 0 if tapd refuses
 * a session, or if one of the processes cannot be killed. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "abi/tap_wire.h"
#include "client.h"
#include "party.h"

enum { CHILDREN = 4, ROUNDS = 400, MOST_FDS = 64 };

static struct {
	int control, dir;
	int mesh[2];			/* all processes send descriptors to each other through it */
	pid_t children[CHILDREN];
	unsigned depth;			/* of forks */
	char name[MODULE_NAME_SIZE];
} our;

/* What succeeded in all processes, in shared memory. */
static struct {
	unsigned commands, opened, passed, namespaces, chroots, mounts;
} *total;

static void count(unsigned *n, bool succeeded)
{
	if (succeeded)
		__atomic_add_fetch(n, 1, __ATOMIC_RELAXED);
}

static unsigned pick(unsigned n)
{
	return (unsigned)random() % n;
}

static const char *const names[] = {
	"control", "monitor", "meta", "cpu0", "cpu1", "cpu7", "images", ".", "..", "nothing", "../self/root/etc/passwd",
};

/* ---- attempts ---- */

static void command(void)
{
	struct {
		struct tap_command head;
		char payload[8192];
	} packet = { .head = { TAP_WIRE_MAGIC, TAP_WIRE_VERSION, (u16)pick(14), 0 } };
	static const uint32_t sizes[] = {
		0, 4, sizeof(struct tap_configuration), sizeof(struct tap_owner), 3, 100, 8192,
	};
	size_t size;

	packet.head.size = sizes[pick(7)];
	for (unsigned i = 0; i < packet.head.size && pick(3); i++)
		packet.payload[i] = (char)random();
	size = sizeof(packet.head) + packet.head.size - (pick(20) == 0);
	count(&total->commands, write(our.control, &packet, size) > 0);
}

static void nonsense(void)
{
	char text[300];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)random();
	(void)!write(our.control, text, pick(sizeof(text)));
	(void)!pwrite(our.control, text, pick(sizeof(text)), random());
}

static void read_some(void)
{
	char room[10000];

	(void)!read(our.control, room, pick(sizeof(room)));
	(void)!pread(our.control, room, pick(sizeof(room)), pick(2) ? 0 : random());
	lseek(our.control, random(), (int)pick(5));
}

static void visit(void)
{
	static const int flags[] = {
		O_RDONLY, O_WRONLY, O_RDWR, O_PATH, O_RDONLY | O_DIRECTORY, O_RDWR | O_CREAT, O_RDWR | O_TRUNC,
	};
	int fd = openat(our.dir, names[pick(11)], flags[pick(7)] | O_NONBLOCK | O_NOFOLLOW, 0666);
	char room[5000] = "";

	count(&total->opened, fd >= 0);
	if (fd < 0)
		return;
	(void)!read(fd, room, pick(sizeof(room)));
	(void)!write(fd, room, pick(100));
	if (pick(8))
		close(fd);		/* otherwise it is open until this process exits */
}

static void poll_control(void)
{
	struct epoll_event e = { .events = EPOLLIN | EPOLLOUT };
	struct pollfd p = { .fd = our.control, .events = (short)random() };
	int fd = epoll_create1(0);

	poll(&p, 1, (int)pick(3));
	epoll_ctl(fd, EPOLL_CTL_ADD, our.control, &e);
	epoll_ctl(fd, EPOLL_CTL_ADD, our.dir, &e);
	epoll_wait(fd, &e, 1, (int)pick(3));
	if (pick(8))
		close(fd);
}

static void map(void)
{
	int protection = PROT_READ | (pick(2) ? PROT_WRITE : 0);
	void *p = mmap(NULL, 4096, protection, pick(2) ? MAP_SHARED : MAP_PRIVATE, our.control, 0);

	if (p != MAP_FAILED)
		munmap(p, 4096);
}

static void change(void)
{
	int fd = pick(2) ? our.control : our.dir;

	fchmod(fd, 0777);
	fchown(fd, getuid(), getgid());
	(void)!ftruncate(fd, 0);
	fallocate(fd, 0, 0, 4096);
	fsync(fd);
	ioctl(fd, (unsigned long)random(), &fd);
	fcntl(fd, F_SETLEASE, F_WRLCK);
	fcntl(fd, F_SETOWN, getppid());
	fcntl(fd, F_SETFL, O_ASYNC | O_APPEND | O_NONBLOCK);
	fcntl(fd, F_NOTIFY, DN_ACCESS | DN_MULTISHOT);
	fcntl(fd, F_SETLK, &(struct flock){ .l_type = F_WRLCK });
	flock(fd, LOCK_EX | LOCK_NB);
	fremovexattr(fd, "user.x");
}

/* A socket that is sent through itself is freed by the kernel's garbage collector only. */
static void pass_on(void)
{
	const int fds[] = { our.control, our.dir, our.mesh[pick(2)] };

	count(&total->passed, try_send_fd(our.mesh[pick(2)], fds[pick(3)], 0));
}

static void receive(void)
{
	int fd = receive_fd(our.mesh[pick(2)]);

	if (fd >= 0 && fd < MOST_FDS && pick(2))
		(void)!read(fd, &fd, 1);
	else if (fd >= 0)
		close(fd);
}

static void open_again(void)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/fd/%d", pick(2) ? "self" : "thread-self", our.control);
	fd = open(path, O_RDWR);
	if (fd >= 0)
		close(fd);
}

static void copy_over(void)
{
	int ends[2];

	if (pipe(ends) < 0)
		return;
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	splice(our.control, NULL, ends[1], NULL, 4096, SPLICE_F_NONBLOCK);
	splice(ends[0], NULL, our.control, NULL, 4096, SPLICE_F_NONBLOCK);
	sendfile(ends[1], our.control, NULL, 4096);
	copy_file_range(our.control, NULL, our.control, NULL, 10, 0);
	close(ends[0]);
	close(ends[1]);
}

/* Most of these need a user namespace. */
static void change_root_and_mounts(void)
{
	switch (pick(6)) {
	case 0: (void)!fchdir(our.dir); break;
	case 1: count(&total->chroots, fchdir(our.dir) == 0 && chroot(".") == 0); break;
	case 2: count(&total->mounts, mount(".", "/tmp", NULL, MS_BIND | MS_REC, NULL) == 0); break;
	case 3: umount2("/proc", MNT_DETACH); break;
	case 4: mount("proc", "/proc", "proc", 0, NULL); break;
	case 5: unshare(pick(2) ? CLONE_FILES : CLONE_FS); break;
	}
}

static void look_around(void)
{
	char room[4096];
	struct stat st;

	syscall(SYS_getdents64, our.dir, room, sizeof(room));
	lseek(our.dir, random() % 20, SEEK_SET);
	fstat(our.control, &st);
	fstatat(our.dir, names[pick(11)], &st, AT_SYMLINK_NOFOLLOW);
	unlinkat(our.dir, names[pick(11)], 0);
	linkat(our.dir, names[pick(11)], AT_FDCWD, "x", 0);
}

static void kill_another(void)
{
	pid_t pid = our.children[pick(CHILDREN)];

	if (pid <= 0)			/* not yet started; 0 would be the whole process group */
		return;
	kill(pid, pick(3) ? SIGSTOP : SIGKILL);
	kill(pid, SIGCONT);
}

static void attempt(unsigned rounds);

static void multiply(void)
{
	if (our.depth++ > 2 || fork() != 0)
		return;
	srandom((unsigned)getpid());
	attempt(ROUNDS / 4);
	_exit(0);
}

static void attempt(unsigned rounds)
{
	static void (*const attempts[])(void) = {
		command, command, command, nonsense, read_some, visit, visit, poll_control, map, change, pass_on,
		receive, open_again, copy_over, change_root_and_mounts, look_around, kill_another, multiply,
	};

	for (unsigned i = 0; i < rounds; i++)
		attempts[pick(sizeof(attempts) / sizeof(*attempts))]();
}

/* The child of a process that has created a pid namespace is its first process, whose exit kills the others. */
static void run_child(unsigned seed)
{
	static const int choices[] = {
		0, CLONE_NEWUSER, CLONE_NEWUSER | CLONE_NEWNS, CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID,
		CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC,
	};
	int spaces;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	srandom(seed);
	alarm(60);
	spaces = choices[pick(5)];
	count(&total->namespaces, spaces && unshare(spaces) == 0);
	if (pick(2) && fork() > 0)
		_exit(0);
	attempt(ROUNDS);
	_exit(0);
}

/* ---- a session ---- */

static int ask_tapd(const char *module, int *tapd)
{
	struct tapd_packet p;
	int err;

	*tapd = client_connect(getenv("TAPD_SOCKET"));
	err = *tapd < 0 ? ECONNREFUSED : client_load(*tapd, module, TAPD_RENAME, &p);
	if (err)
		return err;
	our.control = p.fds[0];
	our.dir = p.fds[1];
	memcpy(our.name, p.session.name, sizeof(our.name));
	return 0;
}

static void begin_session(void)
{
	const struct tap_configuration c = { .loader = getpid(), .remote = -1, .buffer = 1 << 16 };
	struct {
		struct tap_command head;
		struct tap_configuration c;
	} configure = { { TAP_WIRE_MAGIC, TAP_WIRE_VERSION, TAP_CONFIGURE, sizeof(c) }, c };
	const struct tap_command start = { TAP_WIRE_MAGIC, TAP_WIRE_VERSION, TAP_START, 0 };

	(void)!write(our.control, &configure, sizeof(configure));
	if (pick(4))
		(void)!write(our.control, &start, sizeof(start));
}

static void end_session(int tapd)
{
	static const enum tapd_kind kinds[] = { TAPD_END, TAPD_DETACH, TAPD_REMOVE, TAPD_MESSAGE };
	unsigned how = pick(6);

	if (how < 4)
		protocol_send(tapd, kinds[how], 0, "x", 1, &our.control, pick(2));
	if (pick(2))
		pause_ms(pick(20));
	close(our.control);
	close(our.dir);
	close(tapd);
}

/* All of this user's processes are descendants, and become children of this process when their parents exit. */
static bool kill_all(void)
{
	for (int64_t until = waited_ms() + LIMIT; waited_ms() < until; pause_ms(2)) {
		kill(-1, SIGKILL);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD)
			return true;
	}
	return false;
}

static bool session(const char *module, unsigned seed)
{
	int tapd, err = ask_tapd(module, &tapd);

	if (err) {
		printf("no session: %s\n", strerror(err));
		if (tapd >= 0)
			close(tapd);
		return false;
	}
	begin_session();
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, our.mesh) < 0)
		die("socketpair");
	fflush(stdout);
	for (unsigned i = 0; i < CHILDREN; i++)
		if ((our.children[i] = fork()) == 0)
			run_child(seed * CHILDREN + i);
	pause_ms(pick(800));
	end_session(tapd);
	close(our.mesh[0]);
	close(our.mesh[1]);
	if (!kill_all())
		die("a process that cannot be killed");
	return true;
}

int main(int argc, char **argv)
{
	unsigned most = argc == 4 ? (unsigned)atoi(argv[2]) : 0, seed, sessions = 0;

	if (!most || !getenv("TAPD_SOCKET"))
		die("descriptors MODULE COUNT SEED, and TAPD_SOCKET");
	seed = (unsigned)atoi(argv[3]);
	srandom(seed);
	total = mmap(NULL, sizeof(*total), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (getuid() == 0 || total == MAP_FAILED)
		die("needs memory, and a user other than root, all of whose processes it kills");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	signal(SIGIO, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	for (unsigned i = 0; i < most; i++)
		sessions += session(argv[1], seed + i);
	printf("%u sessions; succeeded: %u commands, %u opens, %u passed on, %u unshare, %u chroot, %u mount\n", sessions,
	       total->commands, total->opened, total->passed, total->namespaces, total->chroots, total->mounts);
	return sessions < most;
}
