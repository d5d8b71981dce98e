// SPDX-License-Identifier: GPL-2.0-or-later
#include "ways.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/tap_wire.h"
#include "party.h"

enum { PAGE = 4096, THREADS = 4 };

/* ---- the files ---- */

const struct file files[] = {
	{ "control", "/proc/tap:%s/control", true, true, false },
	{ "monitor", "/proc/tap:%s/monitor", true, false, false },
	{ "meta", "/proc/tap:%s/meta", false, false, false },
	{ "cpu", "/proc/tap:%s/cpu0", false, false, false },
	{ "images", "/proc/tap:%s/images", true, false, false },
	{ "procfs", "/proc/systemtap/%s/d/n", true, false, true },
	{ 0 },
};

/* ---- ways to hold one ---- */

static int open_file(struct hold *h)
{
	if (!h->file->is_loaders)
		h->fd = open(h->path, (h->file->is_written ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_CLOEXEC);
	return h->fd < 0 ? errno : 0;
}

/* Waits until thread TID sleeps in the kernel. */
static bool sleeps(pid_t tid)
{
	char path[64], line[256] = "";
	int fd, seen = 0;

	for (int64_t until = waited_ms() + LIMIT; waited_ms() < until && seen < 3; pause_ms(2)) {
		const char *state;
		ssize_t n;

		snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)tid);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		n = read(fd, line, sizeof(line) - 1);
		close(fd);
		line[n > 0 ? n : 0] = 0;
		state = strrchr(line, ')');
		seen = state && (state[2] == 'S' || state[2] == 'D') ? seen + 1 : 0;
	}
	return seen == 3;
}

struct worker {
	struct hold *h;
	void (*work)(struct hold *h);
	volatile pid_t tid;
};

static void *run_worker(void *data)
{
	struct worker *w = data;

	w->tid = (pid_t)syscall(SYS_gettid);
	w->work(w->h);
	return NULL;
}

static int start_worker(struct hold *h, void (*work)(struct hold *h), bool until_it_sleeps)
{
	struct worker *w = calloc(1, sizeof(*w));
	pthread_t thread;

	*w = (struct worker){ .h = h, .work = work };
	if (pthread_create(&thread, NULL, run_worker, w))
		return EAGAIN;
	while (!w->tid)
		pause_ms(1);
	return until_it_sleeps && !sleeps(w->tid) ? ETIME : 0;
}

static int way_open(struct hold *h)
{
	return open_file(h);
}

/* Memory that is never filled: accessing it waits. */
static char *missing_memory(void)
{
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	struct uffdio_api api = { .api = UFFD_API };
	char *p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_register r = { .range = { (uintptr_t)p, 4 * PAGE }, .mode = UFFDIO_REGISTER_MODE_MISSING };

	if (fd < 0 || p == MAP_FAILED || ioctl(fd, UFFDIO_API, &api) < 0 || ioctl(fd, UFFDIO_REGISTER, &r) < 0)
		return NULL;
	return p;
}

static char *far_memory(void)
{
	int fd = open(FAR_FILE, O_RDONLY | O_CLOEXEC);
	char *p = fd < 0 ? MAP_FAILED : mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void read_far(struct hold *h)
{
	while (read(h->fd, h->far, 4 * PAGE) < 0 && errno == EAGAIN)
		pause_ms(1);
	pause();
}

/* The head of a command is present, its payload is not. */
static void write_far(struct hold *h)
{
	const struct tap_command head = { TAP_WIRE_MAGIC, TAP_WIRE_VERSION, TAP_SET, PAGE };
	char *p = mmap(NULL, 5 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mremap(h->far, 4 * PAGE, 4 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, p + PAGE) == MAP_FAILED)
		return;
	memcpy(p + PAGE - sizeof(head), &head, sizeof(head));
	if (write(h->fd, p + PAGE - sizeof(head), sizeof(head) + PAGE) < 0)
		pause();
	pause();
}

static int hold_far(struct hold *h, char *memory, void (*work)(struct hold *h))
{
	int err = memory ? open_file(h) : errno;

	h->far = memory;
	return err ? err : start_worker(h, work, true);
}

static int way_read(struct hold *h)
{
	return hold_far(h, missing_memory(), read_far);
}

static int way_far_read(struct hold *h)
{
	return hold_far(h, far_memory(), read_far);
}

static int way_far_write(struct hold *h)
{
	return h->file->is_written ? hold_far(h, far_memory(), write_far) : EBADF;
}

static void poll_on(struct hold *h)
{
	struct pollfd p = { .fd = h->fd };	/* only errors are reported, so that it waits */

	for (;; pause_ms(5))
		poll(&p, 1, -1);
}

static int way_poll(struct hold *h)
{
	int err = open_file(h);

	return err ? err : start_worker(h, poll_on, true);
}

static int way_epoll(struct hold *h)
{
	struct epoll_event e = { .events = EPOLLIN | EPOLLET };
	int err = open_file(h), fd = epoll_create1(EPOLL_CLOEXEC);

	if (err)
		return err;
	return epoll_ctl(fd, EPOLL_CTL_ADD, h->fd, &e) < 0 || epoll_wait(fd, &e, 1, 0) < 0 ? errno : 0;
}

/* The kernel polls for us. */
static int way_aio(struct hold *h)
{
	static aio_context_t context;
	static struct iocb request, *list = &request;
	int err = open_file(h);

	if (err)
		return err;
	request = (struct iocb){ .aio_lio_opcode = IOCB_CMD_POLL, .aio_fildes = (uint32_t)h->fd, .aio_buf = POLLPRI };
	if (syscall(SYS_io_setup, 4, &context) < 0)
		return errno;
	/* a file that is always ready has no queue to wait in */
	return syscall(SYS_io_submit, context, 1, &list) == 1 ? 0 : errno == EINVAL ? EBADF : errno;
}

/* It cannot be mapped: that is refused, and the file is only open. */
static int way_map(struct hold *h)
{
	int err = open_file(h);

	if (!err && mmap(NULL, PAGE, PROT_READ, MAP_SHARED, h->fd, 0) != MAP_FAILED)
		return EISCONN;
	return err;
}

static int way_in_flight(struct hold *h)
{
	int ends[2], err = open_file(h);

	if (err || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return err ? err : errno;
	send_fd(ends[0], h->fd, 0);
	close(h->fd);
	close(ends[0]);
	return 0;
}

/* Nothing can receive it any more: the kernel has to detect that. */
static int way_cycle(struct hold *h)
{
	int ends[2], err = open_file(h);

	if (err || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return err ? err : errno;
	send_fd(ends[0], h->fd, 0);
	send_fd(ends[0], ends[1], 0);
	send_fd(ends[1], ends[0], 0);
	close(h->fd);
	close(ends[0]);
	close(ends[1]);
	return 0;
}

static void keep_received(int socket, const void *unused)
{
	int fd = receive_fd(socket);

	(void)unused;
	say(socket, fd < 0 ? EBADF : 0);
	pause();
}

/* Another process has it, which exits when this one does. */
static int way_passed(struct hold *h)
{
	int err = open_file(h);
	struct process friend;

	if (err)
		return err;
	friend = start(keep_received, NULL);
	send_fd(friend.socket, h->fd, 0);
	close(h->fd);
	return hear(friend.socket);
}

static void keep_copy(int socket, const void *unused)
{
	(void)unused;
	say(socket, 0);
	pause();
}

static int way_dup(struct hold *h)
{
	int err = open_file(h), copy;

	if (err)
		return err;
	copy = dup(h->fd);
	close(h->fd);
	if (fcntl(copy, F_DUPFD_CLOEXEC, 100) < 0)
		return errno;
	err = hear(start(keep_copy, NULL).socket);
	close(copy);
	return err;
}

static void use(int fd, unsigned i)
{
	struct tap_command reset = { TAP_WIRE_MAGIC, TAP_WIRE_VERSION, TAP_RESET, 0 };
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char room[3 * PAGE] = "";

	switch (i % 6) {
	case 0: (void)!read(fd, room, sizeof(room)); break;
	case 1: (void)!pread(fd, room, 100, (off_t)(i % 300)); break;
	case 2: (void)!write(fd, &reset, sizeof(reset)); break;
	case 3: lseek(fd, 0, SEEK_SET); break;
	case 4: poll(&p, 1, 0); break;
	case 5: (void)!write(fd, room, i % sizeof(room)); break;
	}
}

static void use_on(struct hold *h)
{
	for (unsigned i = (unsigned)syscall(SYS_gettid); !*h->ended; i++)
		use(h->fd, i);
}

static int start_workers(struct hold *h, void (*work)(struct hold *h))
{
	for (int i = 0; i < THREADS; i++)
		if (start_worker(h, work, false))
			return EAGAIN;
	return 0;
}

static int way_threads(struct hold *h)
{
	int err = open_file(h);

	return err ? err : start_workers(h, use_on);
}

static void open_on(struct hold *h)
{
	for (unsigned i = (unsigned)syscall(SYS_gettid); !*h->ended; i++) {
		int fd = open(h->path, (h->file->is_written && i & 1 ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_CLOEXEC);

		if (fd >= 0)
			use(fd, i);
		close(fd);
		if (i % 16 == 0)
			pause_ms(1);
	}
}

/* It is open from time to time, even while the module is being unloaded. */
static int way_reopen(struct hold *h)
{
	return start_workers(h, open_on);
}

/* Not open: there is an O_PATH descriptor of it, its directory is the working directory, and it is mounted
 * elsewhere. */
static int way_place(struct hold *h)
{
	static const char elsewhere[] = "/run/lifetimes.here";
	char *slash = strrchr(h->path, '/');
	int fd = open(h->path, O_PATH | O_CLOEXEC), made = open(elsewhere, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	if (h->fd >= 0)
		close(h->fd);
	h->fd = fd;
	if (fd < 0 || unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 || made < 0 ||
	    mount(h->path, elsewhere, NULL, MS_BIND, NULL) < 0)
		return errno;
	*slash = 0;
	return chdir(h->path) < 0 ? errno : 0;
}

const struct way ways[] = {
	{ "open", way_open, PINS, 0 },
	{ "read", way_read, PINS, 0 },
	{ "poll", way_poll, PINS, 0 },
	{ "epoll", way_epoll, PINS, 0 },
	{ "aio", way_aio, PINS, 0 },
	{ "far-read", way_far_read, PINS, FAR },
	{ "far-write", way_far_write, PINS, FAR },
	{ "map", way_map, PINS, 0 },
	{ "in-flight", way_in_flight, PINS, OTHERS },
	{ "cycle", way_cycle, PINS_AT_TIMES, 0 },
	{ "passed", way_passed, PINS, OTHERS },
	{ "dup", way_dup, PINS, 0 },
	{ "threads", way_threads, PINS, 0 },
	{ "reopen", way_reopen, PINS_AT_TIMES, 0 },
	{ "place", way_place, PINS_NOT, 0 },
	{ 0 },
};
