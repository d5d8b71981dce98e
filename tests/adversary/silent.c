// SPDX-License-Identifier: GPL-2.0-or-later
/* An adversary: a file that never answers. Any user can create one: a FUSE file system in a separate user and mount
 * namespace, served by a process that accepts requests and keeps them. A process that reads the file, has it
 * mapped, or (-c) closes the last descriptor of it, waits for as long as that server likes.
 *
 *	silent [OPTION...] serve			only the mount, until killed
 *	silent [OPTION...] exec COMMAND...		COMMAND, with the file's path in $SILENT
 *	silent [OPTION...] read FILE [SIZE]		reads FILE into a mapping of the file: waits in copy_to_user()
 *	silent [OPTION...] pread FILE [SIZE] [AT]	the same at a position
 *	silent [OPTION...] write FILE [SIZE]		writes FILE from the mapping: waits in copy_from_user()
 *	silent [OPTION...] map				maps the file as code
 *	silent [OPTION...] send SOCKET COUNT [EACH]	COUNT packets to a SEQPACKET socket, each with EACH descriptors
 *
 * FILE may be - for standard input, which may be a descriptor from another process.
 *
 *	-k FILE	stores what was read in FILE
 *	-d DIR	where it is mounted (/tmp); without -r only the adversary sees it there
 *	-g N	the first N bytes of a mapping are present, so that a copy stops in its middle (with read, pread, write)
 *	-c	keeps FLUSH, RELEASE: closing waits, too
 *	-o	keeps OPEN, too
 *	-l	the same, except for the first one
 *	-u	waits cannot be ended by kill -9 once the request was accepted
 *	-r	root: the mount is visible to all
 *
 * It prints "server PID" first, and "keeps READ" (or OPEN, FLUSH, RELEASE) when a process waits: if that server is
 * killed all waits end in an error, and after SIGUSR1 they are answered with zeros. read, pread and write print the
 * result of the call, as "read: 512" or "read: Bad address". */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILE_SIZE = 1 << 20, MOST_KEPT = 4096, MOST_EACH = 253, ROOT = 1, PAGE = 2 };

static struct {
	const char *dir, *kept;
	size_t given;
	bool keeps_open, keeps_later, keeps_close, unkillable, public;
	char path[4096];
} o = { .dir = "/tmp" };

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "silent: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

/* ---- the server ---- */

static struct kept {
	uint64_t unique;
	uint32_t opcode, size;
} kept[MOST_KEPT];
static unsigned kept_count;
static volatile sig_atomic_t answers;		/* from now on */

static void relent(int signal)
{
	(void)signal;
	answers = 1;
}

static void reply(int fuse, uint64_t unique, int error, const void *data, size_t size)
{
	static char text[sizeof(struct fuse_out_header) + FILE_SIZE];
	struct fuse_out_header head = { .len = (uint32_t)(sizeof(head) + size), .error = -error, .unique = unique };

	memcpy(text, &head, sizeof(head));
	if (size)
		memcpy(text + sizeof(head), data, size);
	if (write(fuse, text, head.len) < 0 && errno != ENOENT)
		fail("answer");
}

static struct fuse_attr attributes_of(uint64_t node)
{
	return (struct fuse_attr){
		.ino = node, .size = node == ROOT ? 0 : FILE_SIZE,
		.mode = node == ROOT ? S_IFDIR | 0755 : S_IFREG | 0755,
		.nlink = 1, .uid = geteuid(), .gid = getegid(), .blksize = 4096,
	};
}

static void reply_init(int fuse, uint64_t unique)
{
	struct fuse_init_out init = {
		.major = FUSE_KERNEL_VERSION, .minor = 31, .max_write = 4096, .max_background = 1000,
		.flags = o.unkillable ? 0 : FUSE_ASYNC_READ,
	};

	reply(fuse, unique, 0, &init, sizeof(init));
}

static void reply_entry(int fuse, uint64_t unique, const char *name)
{
	struct fuse_entry_out entry = {
		.nodeid = PAGE, .entry_valid = 1 << 20, .attr_valid = 1 << 20, .attr = attributes_of(PAGE),
	};

	if (strcmp(name, "page") != 0)
		reply(fuse, unique, ENOENT, NULL, 0);
	else
		reply(fuse, unique, 0, &entry, sizeof(entry));
}

static void reply_attributes(int fuse, uint64_t unique, uint64_t node)
{
	struct fuse_attr_out out = { .attr_valid = 1 << 20, .attr = attributes_of(node) };

	reply(fuse, unique, 0, &out, sizeof(out));
}

static void reply_at_last(int fuse, const struct kept *k)
{
	static const char zeros[FILE_SIZE];
	struct fuse_open_out open = { 0 };

	if (k->opcode == FUSE_READ)
		reply(fuse, k->unique, 0, zeros, k->size);
	else if (k->opcode == FUSE_OPEN)
		reply(fuse, k->unique, 0, &open, sizeof(open));
	else
		reply(fuse, k->unique, 0, NULL, 0);
}

static void keep(int fuse, const struct kept *k, const char *name, bool keeps)
{
	if (answers || !keeps) {
		reply_at_last(fuse, k);
		return;
	}
	say("keeps %s", name);
	if (kept_count < MOST_KEPT)
		kept[kept_count++] = *k;
}

static void serve_one(int fuse, const struct fuse_in_header *head, const char *data)
{
	struct kept k = { head->unique, head->opcode, 0 };

	switch (head->opcode) {
	case FUSE_INIT:
		reply_init(fuse, head->unique);
		break;
	case FUSE_LOOKUP:
		reply_entry(fuse, head->unique, data);
		break;
	case FUSE_GETATTR:
		reply_attributes(fuse, head->unique, head->nodeid);
		break;
	case FUSE_OPENDIR:
		k.opcode = FUSE_OPEN;
		reply_at_last(fuse, &k);
		break;
	case FUSE_OPEN:
		keep(fuse, &k, "OPEN", o.keeps_open);
		o.keeps_open |= o.keeps_later;
		break;
	case FUSE_READ: {
		const struct fuse_read_in *in = (const void *)data;

		k.size = in->size;
		/* regardless of read-ahead */
		keep(fuse, &k, "READ", in->offset + in->size > o.given);
		break;
	}
	case FUSE_FLUSH:
		keep(fuse, &k, "FLUSH", o.keeps_close);
		break;
	case FUSE_RELEASE:
		keep(fuse, &k, "RELEASE", o.keeps_close);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break;		/* these expect no answer */
	default:
		reply(fuse, head->unique, ENOSYS, NULL, 0);
	}
}

static _Noreturn void serve(int fuse)
{
	static char request[FILE_SIZE];
	struct sigaction relenting = { .sa_handler = relent };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigaction(SIGUSR1, &relenting, NULL);
	for (;;) {
		ssize_t n = read(fuse, request, sizeof(request));

		for (; answers && kept_count; kept_count--)
			reply_at_last(fuse, &kept[kept_count - 1]);
		if (n < 0 && errno == ENODEV)
			_exit(0);
		if (n < 0 && errno != EINTR && errno != EAGAIN && errno != ENOENT)
			fail("/dev/fuse");
		if (n >= (ssize_t)sizeof(struct fuse_in_header))
			serve_one(fuse, (const void *)request, request + sizeof(struct fuse_in_header));
	}
}

/* ---- the mount ---- */

static void write_file(const char *path, const char *format, ...)
{
	int fd = open(path, O_WRONLY);
	va_list args;

	va_start(args, format);
	if (fd < 0 || vdprintf(fd, format, args) < 0)
		fail(path);
	va_end(args);
	close(fd);
}

static void enter_namespaces(void)
{
	unsigned user = geteuid(), group = getegid();

	if (o.public)
		return;
	if (unshare(CLONE_NEWNS | (user ? CLONE_NEWUSER : 0)) < 0)
		fail("namespaces");
	if (user) {
		write_file("/proc/self/setgroups", "deny");
		write_file("/proc/self/uid_map", "%u %u 1", user, user);
		write_file("/proc/self/gid_map", "%u %u 1", group, group);
	}
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		fail("/");
}

static void mount_it(void)
{
	char options[200];
	pid_t server;
	int fuse;

	enter_namespaces();
	fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);	/* must be opened in the same user namespace */
	if (fuse < 0)
		fail("/dev/fuse");
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=%u,group_id=%u%s", fuse, geteuid(), getegid(),
		 o.public ? ",allow_other" : "");
	if (mount("silent", o.dir, "fuse", MS_NOSUID | MS_NODEV, options) < 0)
		fail(o.dir);
	server = fork();
	if (server < 0)
		fail("fork");
	if (server == 0)
		serve(fuse);
	close(fuse);
	say("server %d", (int)server);
	snprintf(o.path, sizeof(o.path), "%s/page", o.dir);
	setenv("SILENT", o.path, 1);
}

static int open_it(void)
{
	int fd = open(o.path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fail(o.path);
	return fd;
}

/* ---- using the file ---- */

static char *map_it(void)
{
	int fd = open_it();
	char *page = mmap(NULL, FILE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

	if (page == MAP_FAILED)
		fail("mmap");
	madvise(page, FILE_SIZE, MADV_RANDOM);		/* no read-ahead */
	close(fd);
	for (size_t i = 0; i < o.given; i += 4096)
		page[i] = 0;
	return page;
}

static int map_code(void)
{
	int fd = open_it();

	if (mmap(NULL, FILE_SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		fail("map");
	close(fd);
	say("mapped");
	pause();
	return 0;
}

static void keep_text(const char *text, size_t size)
{
	int fd = open(o.kept, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, text, size) < 0)
		fail(o.kept);
	close(fd);
}

static int call(const char *what, char **words)
{
	bool writes = strcmp(what, "write") == 0;
	int fd = strcmp(words[0], "-") == 0 ? 0 : open(words[0], writes ? O_WRONLY : O_RDONLY);
	size_t size = words[1] ? strtoul(words[1], NULL, 0) : 65536;
	long at = words[1] && words[2] ? strtol(words[2], NULL, 0) : 0;
	char *page = map_it();
	ssize_t n;

	if (fd < 0)
		fail(words[0]);
	say("opened");
	n = writes ? write(fd, page, size) : *what == 'p' ? pread(fd, page, size, at) : read(fd, page, size);
	if (n < 0)
		say("%s: %s", what, strerror(errno));
	else
		say("%s: %zd", what, n);
	if (n > 0 && o.kept)
		keep_text(page, (size_t)n);
	return n < 0;
}

static void send_descriptors(int socket, int each)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(MOST_EACH * sizeof(int))];
	} rights = { .head = { .cmsg_len = CMSG_LEN((size_t)each * sizeof(int)), .cmsg_level = SOL_SOCKET,
			       .cmsg_type = SCM_RIGHTS } };
	struct iovec byte = { "t", 1 };
	struct msghdr message = { .msg_iov = &byte, .msg_iovlen = 1, .msg_control = &rights,
				  .msg_controllen = CMSG_SPACE((size_t)each * sizeof(int)) };
	int fds[MOST_EACH];

	for (int i = 0; i < each; i++)
		fds[i] = open_it();
	memcpy(CMSG_DATA(&rights.head), fds, (size_t)each * sizeof(int));
	/* the receiver may have answered before, or forbid descriptors (since Linux 6.16) */
	if (sendmsg(socket, &message, MSG_NOSIGNAL) < 0 && errno != EPIPE && errno != ECONNRESET && errno != EPERM)
		fail("send");
	/* closing them in this process would wait, too */
	for (int i = 0; i < each && !o.keeps_close; i++)
		close(fds[i]);
}

static int send_to(char **words)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int count = words[1] ? atoi(words[1]) : 1, each = words[1] && words[2] ? atoi(words[2]) : 1;

	if (each < 1 || each > MOST_EACH || strlen(words[0]) >= sizeof(address.sun_path))
		return 2;
	strcpy(address.sun_path, words[0]);
	for (int i = 0; i < count; i++) {
		int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

		if (s < 0 || connect(s, (struct sockaddr *)&address, sizeof(address)) < 0)
			fail(words[0]);
		send_descriptors(s, each);
	}
	say("sent %d", count);
	pause();
	return 0;
}

static int execute(char **words)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execvp(words[0], words);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}

int main(int argc, char **argv)
{
	const char *what;
	int letter;

	while ((letter = getopt(argc, argv, "+d:g:k:clour")) >= 0)
		switch (letter) {
		case 'd': o.dir = optarg; break;
		case 'g': o.given = strtoul(optarg, NULL, 0) & ~4095ul; break;
		case 'k': o.kept = optarg; break;
		case 'c': o.keeps_close = true; break;
		case 'l': o.keeps_later = true; break;
		case 'o': o.keeps_open = true; break;
		case 'u': o.unkillable = true; break;
		case 'r': o.public = true; break;
		default: return 2;
		}
	what = argv[optind++];
	if (!what || (strcmp(what, "serve") != 0 && strcmp(what, "map") != 0 && !argv[optind]))
		return 2;
	mount_it();
	if (strcmp(what, "serve") == 0)
		pause();
	else if (strcmp(what, "exec") == 0)
		return execute(argv + optind);
	else if (strcmp(what, "map") == 0)
		return map_code();
	else if (strcmp(what, "send") == 0)
		return send_to(argv + optind);
	else if (strcmp(what, "read") == 0 || strcmp(what, "pread") == 0 || strcmp(what, "write") == 0)
		return call(what, argv + optind);
	return 2;
}
