/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Safe paths. The walk starts at the root and opens a descriptor for each component, so that the checked component
 * is the one that is used. */
#include "safe_path.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "text.h"
#include "util.h"

enum { MOST_LINKS = 40 };

/* ---- owners and permissions ---- */

static bool is_ours(const struct stat *st)
{
	return st->st_uid == 0 || st->st_uid == geteuid();
}

/* In a user namespace, the machine's root appears as "nobody", like all users that are not mapped. */
static bool may_be_root(const struct stat *st)
{
	enum { OVERFLOW_UID = 65534 };
	char line[64] = "";
	_cleanup_fclose_ FILE *f = st->st_uid == OVERFLOW_UID ? fopen("/proc/self/uid_map", "re") : NULL;
	unsigned inside, outside, count;

	return f && fgets(line, sizeof(line), f) && sscanf(line, "%u %u %u", &inside, &outside, &count) == 3 &&
	       !(inside == 0 && outside == 0 && count == UINT_MAX);
}

/* "ann (user 1001)" */
static const char *user_text(struct arena *a, uid_t uid)
{
	const struct passwd *user = getpwuid(uid);

	return user ? arena_printf(a, "%s (user %u)", user->pw_name, uid) : arena_printf(a, "user %u", uid);
}

/* Distributions give each user a private group of the same name, and a umask that lets it write. It has no other
 * members. */
static bool is_own_group(int fd, const struct stat *st)
{
	const struct passwd *user = getpwuid(geteuid());
	char path[64], *name = user && user->pw_gid == st->st_gid ? xstrdup(user->pw_name) : NULL;
	const struct group *group = name ? getgrgid(st->st_gid) : NULL;
	bool own = group && str_equal(group->gr_name, name);

	for (char **member = own ? group->gr_mem : NULL; member && *member; member++)
		own = own && str_equal(*member, name);
	free(name);
	/* the group bits also show what an access control list grants to other users */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return own && getxattr(path, "system.posix_acl_access", NULL, 0) < 0;
}

static bool others_may_write(int fd, const struct stat *st)
{
	return st->st_mode & 002 || (st->st_mode & 020 && !is_own_group(fd, st));
}

/* Returns why the directory FD at PATH is not safe, or NULL if it is safe. SHARED: others may create files there. */
static const char *why_unsafe(struct arena *a, int fd, const struct stat *st, const char *path, bool shared)
{
	if ((shared && st->st_mode & S_ISVTX) || !others_may_write(fd, st))
		return NULL;
	return arena_printf(a, "%s can write to '%s'", st->st_mode & 002 ? "any user" : "a group of users", path);
}

/* ---- the walk ---- */

struct walk {
	struct arena *arena;
	enum safe_kind kind;
	int fd;				/* descriptor of AT */
	struct text at;			/* current path; "" is the root */
	const char *rest;		/* remaining path */
	unsigned links;
	const char *reason;
};

static bool failed(struct walk *w, const char *path, int error)
{
	w->reason = arena_printf(w->arena, "'%s': %s", path, strerror(error));
	errno = error;
	return false;
}

static bool is_unsafe(struct walk *w, const char *why)
{
	w->reason = why;
	errno = EPERM;
	return false;
}

static bool enter(struct walk *w, int fd, const struct stat *st, const char *path)
{
	bool is_last = !*w->rest, shared = !is_last || w->kind == SAFE_SHARED;
	const char *why;

	path = *path ? path : "/";
	if (is_ours(st) || (w->kind == SAFE_SHARED && may_be_root(st)))
		why = why_unsafe(w->arena, fd, st, path, shared);
	else
		why = arena_printf(w->arena, "'%s' belongs to %s", path, user_text(w->arena, st->st_uid));
	util_close(&w->fd);
	w->fd = fd;
	text_init(&w->at, w->arena);
	text_add(&w->at, path[1] ? path : "");
	return !why || is_unsafe(w, why);
}

static bool start(struct walk *w)
{
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return failed(w, "/", errno);
	return enter(w, fd, &st, "");
}

/* Prepends the target of the link FD at PATH to the rest. */
static bool follow(struct walk *w, int fd, const struct stat *st, const char *path)
{
	char to[PATH_MAX];
	ssize_t n = readlinkat(fd, "", to, sizeof(to) - 1);
	int error = n < 0 ? errno : ++w->links > MOST_LINKS ? ELOOP : 0;

	close(fd);
	if (error)
		return failed(w, path, error);
	if (!is_ours(st))
		return is_unsafe(w, arena_printf(w->arena, "the link '%s' belongs to %s", path,
						 user_text(w->arena, st->st_uid)));
	if (w->kind == SAFE_OWN && !*w->rest)
		return is_unsafe(w, arena_printf(w->arena, "'%s' is a link", path));
	to[n] = '\0';
	w->rest = arena_printf(w->arena, "%s/%s", to, w->rest);
	return to[0] != '/' || start(w);
}

static int open_step(struct walk *w, const char *name)
{
	int fd = openat(w->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 || errno != ENOENT || w->kind != SAFE_OWN)
		return fd;
	if (mkdirat(w->fd, name, 0700) < 0 && errno != EEXIST)
		return -1;
	return openat(w->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

static bool step_up(struct walk *w)
{
	int fd = openat(w->fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	const char *path = w->at.s, *slash = strrchr(path, '/');
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return failed(w, path, errno);
	return enter(w, fd, &st, slash ? arena_strndup(w->arena, path, (size_t)(slash - path)) : "");
}

static bool step(struct walk *w, const char *name)
{
	const char *path = arena_printf(w->arena, "%s/%s", w->at.s, name);
	struct stat st;
	int fd;

	if (str_equal(name, "."))
		return true;
	if (str_equal(name, ".."))
		return step_up(w);
	fd = open_step(w, name);
	if (fd < 0 || fstat(fd, &st) < 0)
		return failed(w, path, errno);
	if (S_ISLNK(st.st_mode))
		return follow(w, fd, &st, path);
	if (S_ISDIR(st.st_mode))
		return enter(w, fd, &st, path);
	close(fd);
	return failed(w, path, ENOTDIR);
}

static bool walk(struct walk *w)
{
	while (*(w->rest += strspn(w->rest, "/"))) {
		size_t n = strcspn(w->rest, "/");
		const char *name = arena_strndup(w->arena, w->rest, n);

		w->rest += n;
		w->rest += strspn(w->rest, "/");
		if (!step(w, name))
			return false;
	}
	return true;
}

const char *safe_dir(struct arena *a, const char *path, enum safe_kind kind, const char **reason)
{
	struct walk w = { .arena = a, .kind = kind, .fd = -1, .rest = path };
	char here[PATH_MAX];
	bool good;
	int error;

	if (path[0] != '/') {
		if (!getcwd(here, sizeof(here)))
			strcpy(here, "/");
		w.rest = arena_printf(a, "%s/%s", here, path);
	}
	good = start(&w) && walk(&w);
	error = errno;
	util_close(&w.fd);
	errno = error;
	*reason = w.reason;
	return !good ? NULL : w.at.n ? w.at.s : "/";
}

char *safe_dir_new(struct arena *a, const char *dir, const char *name)
{
	char *path = arena_printf(a, "%s/%sXXXXXX", dir, name);

	return mkdtemp(path);
}

/* ---- files ---- */

static int checked(int fd)
{
	struct stat st;
	int error;

	if (fd < 0)
		return -1;
	error = fstat(fd, &st) < 0 ? errno : !is_ours(&st) || others_may_write(fd, &st) ? EPERM : 0;
	if (!error && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		error = EPERM;
	if (!error)
		return fd;
	close(fd);
	errno = error;
	return -1;
}

int safe_open(const char *dir, const char *name)
{
	int fd = checked(open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));

	while (fd >= 0 && *name) {
		size_t n = strcspn(name, "/");
		char part[NAME_MAX + 1];
		int parent = fd;

		if (n > NAME_MAX || n == 0) {
			close(parent);
			errno = ENAMETOOLONG;
			return -1;
		}
		memcpy(part, name, n);
		part[n] = '\0';
		/* O_NONBLOCK: opening a fifo must not wait for a writer */
		fd = checked(openat(parent, part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
		n = (size_t)errno;
		close(parent);
		errno = (int)n;
		name += strcspn(name, "/");
		name += *name == '/';
	}
	return fd;
}

char *safe_read(struct arena *a, const char *dir, const char *name, size_t *size)
{
	_cleanup_close_ int fd = safe_open(dir, name);

	return fd < 0 ? NULL : fd_read(a, fd, size);
}

/* ---- temporary files ---- */

/* The kernel's makefiles, and the shells that they run, accept only these characters in the path of a directory. */
static bool is_for_make(const char *dir)
{
	static const char signs[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@";

	return !dir[strspn(dir, signs)];
}

const char *safe_temporary(struct arena *a)
{
	static const char *found;
	const char *named = getenv("TMPDIR"), *reason = NULL, *also;

	if (found)
		return found;
	if (named && *named) {
		found = safe_dir(a, named, SAFE_SHARED, &reason);
		if (found && is_for_make(found))
			return found;
		if (found)
			reason = arena_printf(a, "make(1) cannot use '%s': it contains a blank or another special character", found);
	}
	found = safe_dir(a, "/tmp", SAFE_SHARED, &also);
	if (found && reason) {
		fprintf(stderr, "tapc: warning: TMPDIR is not used: %s; /tmp is used instead\n", reason);
		setenv("TMPDIR", found, 1);	/* for the compiler's files, too */
	}
	if (!found)
		error_print("found no directory where temporary files are safe from other users: "
			    "%s%s%s; set TMPDIR", reason ? reason : "", reason ? ", and " : "", also);
	return found;
}

/* ---- directories removed at the end of a run ---- */

enum { MOST_OWN = 16 };

/* "rm -rf -- DIR...", prepared in advance: a signal handler cannot allocate. */
static char *removal[MOST_OWN + 4] = { (char *)"rm", (char *)"-rf", (char *)"--" };
static size_t own_count;

/* Runs rm, because readdir() is not safe in a signal handler. */
static void remove_and_die(int signal)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		execvp("/bin/rm", removal);
		_exit(1);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	raise(signal);		/* SA_RESETHAND: ends the process when the handler returns */
}

void safe_path_own(char *dir)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = remove_and_die, .sa_flags = (int)SA_RESETHAND }, old;

	for (size_t i = 0; !own_count && i < ARRAY_SIZE(signals); i++)
		if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(signals[i], &act, NULL);
	if (own_count < MOST_OWN)
		removal[3 + own_count++] = dir;
}

char *safe_work_dir(struct arena *a)
{
	const char *tmp = safe_temporary(a);
	char *dir = tmp ? safe_dir_new(a, tmp, "tapc") : NULL;

	if (tmp && !dir)
		error_print("cannot create a directory in '%s': %s", tmp, strerror(errno));
	if (dir)
		safe_path_own(dir);
	return dir;
}
