// SPDX-License-Identifier: GPL-2.0-or-later
/* Each file gets its own process, so that a malicious file that takes over its reader learns nothing about
 * other files. The reader gets the file as a descriptor and writes its result to a memfd, which is read here
 * when the reader has ended. The limits leave address space for a large program with its debug file, and enough
 * CPU time to read the largest program many times. */
#include "reader.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/host.h"
#include "image.h"
#include "made.h"
#include "common/message.h"
#include "unpack.h"

enum {
	NOBODY = 65534,
	MOST_MEMORY = 1 << 30,		/* in addition to what this program uses already */
	MOST_SECONDS = 20,		/* of CPU time */
	PATIENCE = 120000,		/* ms, for slow file systems */
	FILE_FD = 3, RESULT_FD = 4, DONE_FD = 5,
};

#define FILE_PATH "/proc/self/fd/3"	/* FILE_FD */

#if defined(__x86_64__)
#define OUR_MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_MACHINE AUDIT_ARCH_AARCH64
#else
#define OUR_MACHINE 0			/* no filter on other machines */
#endif

/* ---- the reader ---- */

#define ALLOW(name) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Allows memory, the two files, and the separate debug file, which is opened by name. */
static bool allow_few_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_MACHINE, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(read), ALLOW(write), ALLOW(close), ALLOW(lseek), ALLOW(fstat),
#ifdef __NR_newfstatat
		ALLOW(newfstatat),
#endif
		ALLOW(mmap), ALLOW(mprotect), ALLOW(munmap), ALLOW(mremap), ALLOW(brk), ALLOW(madvise), ALLOW(openat),
		ALLOW(getrandom), ALLOW(futex), ALLOW(sched_getaffinity), ALLOW(exit), ALLOW(exit_group),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	const struct sock_fprog program = { ARRAY_SIZE(filter), filter };

	return !OUR_MACHINE || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* The size of this process in pages. */
static size_t pages_in_use(void)
{
	_cleanup_free_ char *line = host_read_line("/proc/self/statm");

	return line ? strtoul(line, NULL, 10) : 0;
}

static bool limit(int what, rlim_t most)
{
	const struct rlimit limit = { most, most };

	return setrlimit(what, &limit) == 0;
}

static bool limit_resources(void)
{
	rlim_t pages = pages_in_use();

	return pages && limit(RLIMIT_AS, pages * (rlim_t)sysconf(_SC_PAGESIZE) + MOST_MEMORY) &&
	       limit(RLIMIT_CPU, MOST_SECONDS) && limit(RLIMIT_NPROC, 0) && limit(RLIMIT_CORE, 0) &&
	       limit(RLIMIT_FSIZE, TAP_IMAGE_MOST);
}

/* A process without CAP_SETGID cannot become nobody; it only drops its capabilities. */
static bool drop_rights(void)
{
	struct {
		uint32_t version;
		int pid;
	} head = { 0x20080522, 0 };		/* _LINUX_CAPABILITY_VERSION_3 */
	const uint32_t none[6] = { 0 };

	if (setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
	    setresuid(NOBODY, NOBODY, NOBODY) < 0)
		return false;
	return syscall(SYS_capset, &head, none) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

/* Moves the three descriptors to fixed numbers and closes all others. */
static bool keep_descriptors(int file, int result, int done)
{
	const int from[] = { file, result, done };
	int high[ARRAY_SIZE(from)];

	for (size_t i = 0; i < ARRAY_SIZE(from); i++)
		if ((high[i] = fcntl(from[i], F_DUPFD, 16)) < 0)
			return false;
	for (size_t i = 0; i < ARRAY_SIZE(from); i++)
		if (dup2(high[i], FILE_FD + (int)i) < 0)
			return false;
	return syscall(SYS_close_range, DONE_FD + 1, ~0u, 0) == 0;
}

/* What to read: a program, or the names that a process has written. */
struct job {
	int file;
	const char *path;
	bool lines;
	struct made *made;		/* NULL: a program */
	u64 window;
};

/* The descriptor may be O_PATH, or that of a directory, so the file is opened here. If its file system never answers,
 * only this process hangs. */
static bool open_file(const struct job *job)
{
	int fd;

	if (job->made) {
		job->made->root = FILE_FD;
		fd = made_open(job->made);
		if (fd < 0)		/* the program has written no names: the directory cannot be read */
			return true;
	} else {
		fd = open(FILE_PATH, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	}

	if (fd < 0 || dup2(fd, FILE_FD) < 0)
		return false;
	return fd == FILE_FD || close(fd) == 0;
}

static bool write_all(const char *data, size_t size)
{
	while (size) {
		ssize_t n = write(RESULT_FD, data, size);

		if (n <= 0)
			return false;
		data += n;
		size -= (size_t)n;
	}
	return true;
}

static void say_nothing(int priority, const char *text, size_t size)
{
	(void)priority, (void)text, (void)size;
}

/* The final byte confirms that the result is complete. */
static _Noreturn void read_file(const struct job *job, int result, int done)
{
	struct tap_image_head *head;
	size_t size;

	message_to(say_nothing);
	if (!keep_descriptors(job->file, result, done) || !open_file(job) || !limit_resources() || !drop_rights() ||
	    !allow_few_calls())
		_exit(1);
	head = job->made ? made_read(job->made, FILE_FD, job->window, job->lines, &size) :
			   image_of_file(FILE_FD, job->path, job->lines, &size);
	if (write_all((const char *)head, size) && write(DONE_FD, "", 1) == 1)
		_exit(0);
	_exit(1);
}

/* ---- waiting for the reader ---- */

/* The session gets SIGCHLD for the reader, too, and reaps all children. So the end is detected through the
 * pipe. */
static bool await(pid_t pid, int done)
{
	struct pollfd p = { .fd = done, .events = POLLIN };
	ssize_t n;
	char byte;

	while (poll(&p, 1, PATIENCE) < 0 && errno == EINTR)
		;
	if (!p.revents) {
		kill(pid, SIGKILL);
		return false;
	}
	do {
		n = read(done, &byte, 1);
	} while (n < 0 && errno == EINTR);
	return n == 1;
}

static bool read_elsewhere(const struct job *job, int result)
{
	int done[2];
	bool good;
	pid_t pid;

	if (pipe2(done, O_CLOEXEC) < 0)
		return false;
	unpack_load();			/* the reader cannot open them */
	pid = fork();
	if (pid == 0)
		read_file(job, result, done[1]);
	host_close(&done[1]);
	good = pid > 0 && await(pid, done[0]);
	host_close(&done[0]);
	return good;
}

static struct tap_image_head *image_of_job(const struct job *job, size_t *size)
{
	_cleanup_close_ int result = memfd_create("image", MFD_CLOEXEC);
	struct tap_image_head *head = NULL;

	if (result < 0 || !read_elsewhere(job, result) || lseek(result, 0, SEEK_SET) < 0)
		return NULL;
	head = (void *)host_read_file(result, TAP_IMAGE_MOST, size);
	if (head && *size >= sizeof(*head))
		return head;
	free(head);
	return NULL;
}

struct tap_image_head *reader_image_of_file(int fd, const char *path, bool lines, size_t *size)
{
	return image_of_job(&(struct job){ .file = fd, .path = path, .lines = lines }, size);
}

struct tap_image_head *reader_image_of_made(const struct made *made, u64 window, bool lines, size_t *size)
{
	struct made copy = *made;

	return image_of_job(&(struct job){ .file = copy.root, .path = copy.path, .lines = lines, .made = &copy,
					   .window = window }, size);
}
