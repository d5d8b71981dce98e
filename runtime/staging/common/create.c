// SPDX-License-Identifier: GPL-2.0-or-later
/* Links are followed one at a time so that each can be checked. The exception is procfs, whose links lead to
 * open files and not to names. An opened file is checked before anything is done to it. */
#include "create.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "host.h"

enum { MOST_LINKS = 40 };

/* One step along the path. */
struct place {
	int dir;
	struct stat dir_stat;
	char *name;
};

static bool open_place(struct place *p, const char *path)
{
	const char *slash = strrchr(path, '/');
	_cleanup_free_ char *dir = slash ? host_printf("%.*s", (int)(slash - path) + 1, path) : host_printf(".");

	p->name = host_printf("%s", slash ? slash + 1 : path);
	p->dir = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return p->dir >= 0 && fstat(p->dir, &p->dir_stat) == 0;
}

static void close_place(struct place *p)
{
	int err = errno;

	host_close(&p->dir);
	free(p->name);
	errno = err;
}

/* Anybody may create files here, but only remove their own. */
static bool is_shared(const struct place *p)
{
	return p->dir_stat.st_mode & S_ISVTX && p->dir_stat.st_mode & (S_IWGRP | S_IWOTH);
}

static bool may_use(const struct place *p, const struct stat *st)
{
	bool is_file = S_ISREG(st->st_mode);

	if (!is_shared(p) || ((st->st_uid == geteuid() || st->st_uid == p->dir_stat.st_uid) &&
			      (!is_file || st->st_nlink <= 1)))
		return true;
	errno = EPERM;
	return false;
}

static bool is_magic(const struct place *p)
{
	struct statfs fs;

	return fstatfs(p->dir, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

/* PATH with the symbolic link at its end replaced by its target. */
static char *follow(const struct place *p, const char *path)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(p->dir, p->name, target, sizeof(target));
	const char *slash = strrchr(path, '/');

	if (n < 0 || n == sizeof(target)) {
		errno = n < 0 ? errno : ENAMETOOLONG;
		return NULL;
	}
	return host_printf("%.*s%.*s", target[0] == '/' || !slash ? 0 : (int)(slash - path) + 1, path, (int)n, target);
}

/* The open file is the one that was checked, or one that a user with the right to do so has put there since. */
static int open_at(const struct place *p, int flags, mode_t mode)
{
	int fd = openat(p->dir, p->name, (flags & ~O_TRUNC) | O_NOFOLLOW | O_CREAT | O_CLOEXEC | O_NOCTTY, mode), err;
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && may_use(p, &st) &&
	    (!(flags & O_TRUNC) || !S_ISREG(st.st_mode) || ftruncate(fd, 0) == 0))
		return fd;
	err = errno;
	host_close(&fd);
	errno = err;
	return -1;
}

/* *NEXT: the target if PATH is a symbolic link. */
static int open_step(const char *path, int flags, mode_t mode, char **next)
{
	struct place p = { .dir = -1 };
	struct stat st;
	int fd = -1;

	if (!open_place(&p, path))
		;
	else if (is_magic(&p))
		fd = openat(p.dir, p.name, flags | O_CLOEXEC | O_NOCTTY);
	else if (fstatat(p.dir, p.name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		fd = errno == ENOENT ? open_at(&p, flags, mode) : -1;
	else if (!may_use(&p, &st))
		;
	else if (S_ISLNK(st.st_mode))
		*next = follow(&p, path);
	else
		fd = open_at(&p, flags, mode);
	close_place(&p);
	return fd;
}

int create_open(const char *path, int flags, mode_t mode)
{
	_cleanup_free_ char *at = host_printf("%s", path);

	for (int i = 0; i < MOST_LINKS; i++) {
		char *next = NULL;
		int fd = open_step(at, flags, mode, &next);

		if (!next)
			return fd;
		free(at);
		at = next;
	}
	errno = ELOOP;
	return -1;
}

const char *create_error(int err)
{
	return err == EPERM ? "the file is another user's or has several links, "
			      "in a sticky directory that others can write to"
			    : strerror(err);
}
