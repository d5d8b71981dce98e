// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes are found through the links in /proc/PID/fd. The path of a module's file differs where procfs is
 * mounted elsewhere, for instance in another namespace; its last components and its inode number are the same
 * everywhere. The inode number is read without asking the file system, which may not answer: a FUSE file can
 * have any path. */
#include "holders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/tap_wire.h"
#include "common/host.h"
#include "common/message.h"

struct search {
	const char *proc;
	char *directories[2];		/* "/tap:NAME/" and the directory of procfs probes */
	unsigned found, refused;	/* numbers of processes */
};

/* 0 on failure. */
static uint64_t inode_of(int dir, const char *path)
{
	struct statx st;

	return statx(dir, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_INO, &st) < 0 ? 0 : st.stx_ino;
}

static bool is_same_file(const struct search *s, int fds, const char *entry, const char *path)
{
	_cleanup_free_ char *ours = host_printf("%s%s", s->proc, path);
	uint64_t inode = inode_of(AT_FDCWD, ours);

	return inode && inode == inode_of(fds, entry);
}

static bool is_file_of_module(const struct search *s, int fds, const char *entry)
{
	char target[4096];
	ssize_t n = readlinkat(fds, entry, target, sizeof(target) - 1);

	target[n < 0 ? 0 : n] = 0;
	for (size_t i = 0; i < ARRAY_SIZE(s->directories); i++) {
		const char *path = strstr(target, s->directories[i]);

		if (path && is_same_file(s, fds, entry, path))
			return true;
	}
	return false;
}

/* Searches a table of descriptors, of a process or of a thread that has its own. */
static bool holds(struct search *s, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	bool found = false;

	if (!dir)
		s->refused += errno == EACCES || errno == EPERM;
	while (dir && !found && (e = readdir(dir)))
		found = e->d_name[0] != '.' && is_file_of_module(s, dirfd(dir), e->d_name);
	if (dir)
		closedir(dir);
	return found;
}

static bool any_thread_holds(struct search *s, const char *pid)
{
	_cleanup_free_ char *tasks = host_printf("/proc/%s/task", pid);
	DIR *dir = opendir(tasks);
	struct dirent *e;
	bool found = false;

	while (dir && !found && (e = readdir(dir))) {
		_cleanup_free_ char *path = host_printf("%s/%s/fd", tasks, e->d_name);

		found = e->d_name[0] != '.' && holds(s, path);
	}
	if (dir)
		closedir(dir);
	return found;
}

static void tell_process(struct search *s, const char *name, const char *pid)
{
	_cleanup_free_ char *path = host_printf("/proc/%s/comm", pid);
	_cleanup_free_ char *comm = host_read_line(path);

	s->found++;
	message_error("process %s (%s) has files of module '%s' open", pid, comm ? comm : "?", name);
}

static void tell_processes(struct search *s, const char *name)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9' && any_thread_holds(s, e->d_name))
			tell_process(s, name, e->d_name);
	if (dir)
		closedir(dir);
}

void holders_tell(const char *proc, const char *name)
{
	struct search s = { .proc = proc };

	s.directories[0] = host_printf("/" TAP_PROC_PREFIX "%s/", name);
	s.directories[1] = host_printf("/systemtap/%s/", name);
	tell_processes(&s, name);
	if (!s.found && s.refused)
		message_error("cannot see which processes have files of module '%s' open: root sees all of them",
			      name);
	else if (!s.found)
		message_error("no process has files of module '%s' open: a descriptor is in flight in a socket, or "
			      "the kernel holds one", name);
	free(s.directories[0]);
	free(s.directories[1]);
}
