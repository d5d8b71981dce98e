// SPDX-License-Identifier: GPL-2.0-or-later
/* A question comes with a descriptor of the file, so mount namespaces, deleted files and processes that have
 * exited do not matter. Every question is answered, if necessary with empty tables; otherwise the module would
 * ask forever.
 *
 * A file that other users have mapped may be on a file system that never answers (FUSE), and a process that
 * waits for it cannot be killed. So the descriptors of such files are O_PATH, no operation here reaches their
 * file systems, and the reader opens them (reader.h).
 *
 * Files that processes have mapped already are sent without a question, so that the first stacks of a session
 * are complete, too; questions take precedence. */
#include "service.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "binary.h"
#include "common/elf_wide.h"
#include "common/host.h"
#include "image.h"
#include "made.h"
#include "common/message.h"
#include "reader.h"

enum {
	MOST_DEPTH = 16, MOST_PROGRAM = 512 << 20, LONGEST_END = 5,
	MOST_NEEDED = 512,		/* libraries of one file */
	MOST_UNREAD = 16,		/* unread files after which only those of root are read */
};

struct known {
	dev_t device;
	ino_t inode;
};

/* ---- answers ---- */

/* Returns 0 or errno. */
static int send_image(const struct images *i, struct tap_image_head *head, size_t size, u32 request, int fd)
{
	ssize_t n;

	head->request = request;
	head->fd = fd;
	do {
		n = write(i->fd, head, size);
	} while (n < 0 && errno == EINTR);
	return n < 0 ? errno : 0;
}

/* Sends at least the file's name. */
static void tell_name(const struct images *i, u32 request, int fd, const char *path)
{
	size_t size;
	struct tap_image_head *head = image_of_file(-1, path, false, &size);

	if (request)
		send_image(i, head, size, request, fd);
	free(head);
}

static void note(unsigned *count, char **first, const char *path)
{
	if (!(*count)++)
		*first = host_printf("%s", path);
}

/* What the kernel has cached, without asking the file system. */
static bool look_at(int fd, struct statx *st)
{
	return statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO | STATX_UID, st) == 0;
}

/* Devices can be mapped, too, and opening one may have side effects. */
static bool is_device(int fd)
{
	struct statx st;

	return look_at(fd, &st) && !S_ISREG(st.stx_mode);
}

/* Files of other users must not keep failing forever: after too many failures only root's are read. */
static bool may_read(const struct images *i, int fd)
{
	struct statx st;

	return i->unread < MOST_UNREAD || (look_at(fd, &st) && !st.stx_uid);
}

/* False if the module has no room for more. */
static bool tell(struct images *i, u32 request, int fd, const char *path)
{
	size_t size;
	struct tap_image_head *head = fd < 0 || is_device(fd) ? image_of_file(-1, path, false, &size) :
				      may_read(i, fd) ? reader_image_of_file(fd, path, i->lines, &size) : NULL;
	int err;

	if (!head) {
		note(&i->unread, &i->first_unread, path);
		tell_name(i, request, fd, path);
		return true;
	}
	err = send_image(i, head, size, request, fd);
	free(head);
	if (err != ENOSPC && err != ENOMEM && err != EINVAL)
		return true;
	note(&i->left_out, &i->first_left_out, path);
	tell_name(i, request, fd, path);
	return false;
}

static void tell_vdso(struct images *i)
{
	size_t size;
	struct tap_image_head *head = image_of_vdso(&size);

	if (head)
		send_image(i, head, size, 0, -1);
	free(head);
}

/* Names of code without a file. A process that writes none has an answer as well, an empty one. */
static void tell_made(struct images *i, const struct tap_image_request *r)
{
	struct tap_image_head *head = NULL;
	struct made made;
	size_t size;

	if (made_find(&made, r->made) && (!made.user || i->unread < MOST_UNREAD)) {
		head = reader_image_of_made(&made, r->window, i->lines, &size);
		if (!head)
			note(&i->unread, &i->first_unread, made.path);
	}
	if (!head || send_image(i, head, size, r->request, -1) != 0)
		tell_name(i, r->request, -1, made.path);
	free(head);
	host_close(&made.root);
}

static void answer_questions(struct images *i)
{
	struct tap_image_request *r = host_alloc(sizeof(*r));

	while (read(i->fd, r, sizeof(*r)) == (ssize_t)sizeof(*r)) {
		r->path[sizeof(r->path) - 1] = 0;
		if (r->made)
			tell_made(i, r);
		else
			tell(i, r->request, r->fd, r->path);
		host_close(&r->fd);
	}
	free(r);
}

/* ---- files without a question ---- */

static bool is_told(struct images *i, int fd)
{
	struct statx st;
	dev_t device;

	if (!look_at(fd, &st) || !S_ISREG(st.stx_mode))
		return true;
	device = makedev(st.stx_dev_major, st.stx_dev_minor);
	for (size_t n = 0; n < i->known_count; n++)
		if (i->known[n].inode == st.stx_ino && i->known[n].device == device)
			return true;
	i->known = host_grow(i->known, (i->known_count + 1) * sizeof(*i->known));
	i->known[i->known_count++] = (struct known){ device, st.stx_ino };
	return false;
}

static bool tell_once(struct images *i, int fd, const char *path)
{
	return is_told(i, fd) || tell(i, 0, fd, path);
}

/* "55d0-55d8 r-xp 00001000 08:01 1234   /usr/bin/x"; the file is opened through the address of its mapping. */
static bool tell_mapping(struct images *i, pid_t pid, const char *line)
{
	unsigned long start, end, inode;
	char rights[8], *path;
	int at = 0, fd;
	bool room;

	if (sscanf(line, "%lx-%lx %7s %*x %*x:%*x %lu %n", &start, &end, rights, &inode, &at) != 4 || !at ||
	    rights[2] != 'x' || !inode)
		return true;
	path = host_printf("/proc/%d/map_files/%lx-%lx", (int)pid, start, end);
	fd = open(path, O_PATH | O_CLOEXEC);
	free(path);
	if (fd < 0)
		return true;
	path = host_printf("%s", line + at);
	path[strcspn(path, "\n")] = 0;
	room = tell_once(i, fd, path);
	free(path);
	host_close(&fd);
	return room;
}

/* Answers questions between two files. False: stop. */
static bool take_turn(struct images *i)
{
	struct pollfd p[] = { { .fd = i->running ? i->stop : -1, .events = POLLIN },
			      { .fd = i->fd, .events = POLLIN } };

	poll(p, 2, 0);
	if (i->running && p[1].revents & POLLIN)
		answer_questions(i);
	return !(p[0].revents & POLLIN);
}

static bool tell_mappings(struct images *i, pid_t pid)
{
	char *path = host_printf("/proc/%d/maps", (int)pid), *line = NULL;
	FILE *maps = fopen(path, "re");
	size_t room = 0;
	bool goes_on = true;

	free(path);
	while (maps && goes_on && getline(&line, &room, maps) > 0)
		goes_on = tell_mapping(i, pid, line) && take_turn(i);
	free(line);
	if (maps)
		fclose(maps);
	return goes_on;
}

/* Skips this process, whose files may be mapped nowhere else. */
static void tell_all(struct images *i)
{
	DIR *proc = opendir("/proc");
	const struct dirent *d;
	bool goes_on = true;

	while (proc && goes_on && (d = readdir(proc)))
		if (isdigit((unsigned char)d->d_name[0]) && atoi(d->d_name) != getpid())
			goes_on = tell_mappings(i, (pid_t)atoi(d->d_name));
	if (proc)
		closedir(proc);
}

/* ---- libraries by name ---- */

static const char *const library_directories[] = {
	"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu",
	"/usr/lib/aarch64-linux-gnu", "/lib/i386-linux-gnu", "/usr/lib/i386-linux-gnu", "/lib64", "/usr/lib64", "/lib",
	"/usr/lib", "/lib32", "/usr/lib32", "/usr/local/lib",
};

/* How a file came to be sent: the file that needs it, and how far libraries have been followed. */
struct asked {
	const struct binary *by;	/* must match this file's machine; NULL: any */
	bool libraries;
	unsigned depth;
};

static bool tell_file(struct images *i, const char *path, struct asked asked);

/* $ORIGIN is the directory of the file that needs the library. */
static bool tell_in(struct images *i, const char *directory, size_t size, const char *origin, const char *name,
		    struct asked asked)
{
	static const char word[] = "$ORIGIN";
	bool relative = size >= sizeof(word) - 1 && memcmp(directory, word, sizeof(word) - 1) == 0;
	size_t skip = relative ? sizeof(word) - 1 : 0;
	const char *slash = strrchr(origin, '/');
	char *path = host_printf("%.*s%.*s/%s", relative && slash ? (int)(slash - origin) : 0, origin,
				 (int)(size - skip), directory + skip, name);
	bool found = tell_file(i, path, asked);

	free(path);
	return found;
}

static void tell_library(struct images *i, const char *run_path, const char *origin, const char *name,
			 struct asked asked)
{
	for (const char *at = run_path; *at; at += strcspn(at, ":"), at += *at == ':')
		if (tell_in(i, at, strcspn(at, ":"), origin, name, asked))
			return;
	for (size_t n = 0; n < ARRAY_SIZE(library_directories); n++)
		if (tell_in(i, library_directories[n], strlen(library_directories[n]), origin, name, asked))
			return;
}

static const char *text_at(const struct binary_piece *names, uint64_t at)
{
	struct bytes b = names->bytes;

	bytes_take(&b, at);
	return bytes_text(&b);
}

static void tell_libraries(struct images *i, int fd, const char *path, unsigned depth)
{
	size_t size;
	_cleanup_free_ char *data = host_read_file(fd, MOST_PROGRAM, &size);
	struct binary_piece dynamic, names;
	const char *run_path = "";
	unsigned needed = 0;
	struct binary b;
	size_t entry;
	Elf64_Dyn d;

	if (!data || !binary_open(&b, data, size) || !binary_section(&b, ".dynamic", &dynamic) ||
	    !binary_section_number(&b, dynamic.link, &names))
		return;
	entry = ELF_WIDE_SIZE(Dyn, b.narrow);
	for (struct bytes at = dynamic.bytes; bytes_left(&at) >= entry; at.at += entry) {
		d = elf_wide_dynamic(at.at, b.narrow);
		if (d.d_tag == DT_RUNPATH || d.d_tag == DT_RPATH)
			run_path = text_at(&names, d.d_un.d_val);
	}
	for (struct bytes at = dynamic.bytes; bytes_left(&at) >= entry; at.at += entry) {
		d = elf_wide_dynamic(at.at, b.narrow);
		if (d.d_tag == DT_NEEDED && needed++ < MOST_NEEDED)
			tell_library(i, run_path, path, text_at(&names, d.d_un.d_val),
				     (struct asked){ &b, true, depth + 1 });
	}
}

/* A directory may have libraries of the same name for another machine or word size. */
static bool is_for(int fd, const struct binary *user)
{
	Elf64_Ehdr h;			/* a 32-bit header begins the same way */
	const size_t size = offsetof(Elf64_Ehdr, e_version);

	return pread(fd, &h, size, 0) == (ssize_t)size && h.e_machine == user->head.e_machine &&
	       h.e_ident[EI_CLASS] == user->head.e_ident[EI_CLASS];
}

static bool tell_file(struct images *i, const char *path, struct asked asked)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool told;

	if (fd < 0 || (asked.by && !is_for(fd, asked.by))) {
		host_close(&fd);
		return false;
	}
	told = is_told(i, fd);
	if (!told)
		tell(i, 0, fd, path);
	if (!told && asked.libraries && asked.depth < MOST_DEPTH && lseek(fd, 0, SEEK_SET) == 0)
		tell_libraries(i, fd, path, asked.depth);
	host_close(&fd);
	return true;
}

/* ---- the thread ---- */

static void *run(void *images)
{
	struct images *i = images;
	struct pollfd p[] = { { .fd = i->stop, .events = POLLIN }, { .fd = i->fd, .events = POLLIN } };

	if (i->all_processes) {
		setpriority(PRIO_PROCESS, (id_t)gettid(), 10);
		tell_all(i);
		setpriority(PRIO_PROCESS, (id_t)gettid(), 0);
	}
	for (;;) {
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return NULL;
		if (p[0].revents)
			return NULL;
		if (p[1].revents & POLLIN)
			answer_questions(i);
		else if (p[1].revents)
			return NULL;
	}
}

/* ---- interface ---- */

int images_open(struct images *i, int directory, bool lines)
{
	*i = (struct images){ .fd = -1, .stop = -1, .lines = lines };
	i->fd = openat(directory, "images", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (i->fd < 0 && (errno == EACCES || errno == EPERM)) {
		message_warning("user stacks show only their first address: the programs' files are available only to "
				"sessions of root");
		return 0;
	}
	if (i->fd < 0)
		return errno == ENOENT ? 0 : errno;
	tell_vdso(i);
	return 0;
}

void images_tell_process(struct images *i, pid_t pid)
{
	if (i->fd >= 0)
		tell_mappings(i, pid);
}

bool images_tell_file(struct images *i, const char *path, bool libraries)
{
	return i->fd < 0 || tell_file(i, path, (struct asked){ NULL, libraries, 0 });
}

void images_begin(struct images *i, bool all_processes)
{
	sigset_t all, before;

	if (i->fd < 0)
		return;
	i->all_processes = all_processes;
	i->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	i->running = true;
	if (i->stop < 0 || pthread_create(&i->thread, NULL, run, i) != 0) {
		i->running = false;
		message_warning("cannot create a thread: user stacks will be incomplete");
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* A file system may block the thread forever; then the thread is left running until the process ends. */
static bool end_thread(struct images *i)
{
	uint64_t one = 1;
	struct timespec until;

	while (write(i->stop, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += LONGEST_END;
	return pthread_timedjoin_np(i->thread, NULL, &until) == 0;
}

void images_close(struct images *i)
{
	if (i->running && !end_thread(i)) {
		message_warning("a file that a process has mapped cannot be read: its file system does not answer");
		host_close(&i->fd);
		return;
	}
	i->running = false;
	if (i->left_out)
		message_warning("the module has no room for the tables of %u files, the first was %s: stacks end there",
				i->left_out, i->first_left_out);
	if (i->unread)
		message_warning("the tables of %u files could not be read, for lack of rights, memory or time; the first "
				"was %s: stacks end there", i->unread,
				i->first_unread);
	host_close(&i->fd);
	host_close(&i->stop);
	free(i->known);
	free(i->first_unread);
	i->first_unread = NULL;
	i->unread = 0;
	free(i->first_left_out);
	i->known = NULL;
	i->first_left_out = NULL;
	i->left_out = 0;
}
