// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel has no containers, but each runtime names the cgroup of a container after it:
 *
 *	docker-ID.scope, libpod-ID.scope, cri-containerd-ID.scope, crio-ID.scope	below systemd
 *	ID, libpod-ID, crio-ID		without it
 *	lxc.payload.NAME		LXC
 *	machine-NAME.scope, systemd-nspawn@NAME.service	systemd-nspawn and machined; NAME is escaped as systemd does
 *
 * ID has 64 hexadecimal digits; the names that users give are elsewhere (container_names.h). PREFIX-conmon-ID is not
 * the container but the process that watches it. The functions in tapsets/namespace.stp read the same names. */
#include "cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/host.h"
#include "common/message.h"
#include "container_names.h"

enum {
	MAGIC_2 = 0x63677270,	/* linux/magic.h: CGROUP2_SUPER_MAGIC */
	MAGIC_1 = 0x27e0eb,
	MOST_LEVELS = 60,	/* runtime/kernel/scope.c */
};

/* ---- directories ---- */

/* Where version 2 is mounted; NULL: nowhere. */
static char *find_mount(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *m;
	char *path = NULL;

	while (mounts && !path && (m = getmntent(mounts)))
		if (strcmp(m->mnt_type, "cgroup2") == 0)
			path = host_printf("%s", m->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return path;
}

static bool is_kind(int fd, unsigned magic)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && (unsigned)fs.f_type == magic;
}

static bool take_id(int fd, uint64_t *id)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !st.st_ino)
		return false;
	*id = st.st_ino;
	return true;
}

static bool is_too_deep(int fd)
{
	_cleanup_free_ char *link = host_printf("/proc/self/fd/%d", fd);
	char path[PATH_MAX];
	ssize_t n = readlink(link, path, sizeof(path));
	int levels = 0;

	for (ssize_t i = 0; i < n; i++)
		levels += path[i] == '/';
	return n < 0 || n == sizeof(path) || levels > MOST_LEVELS;
}

static int open_directory(int at, const char *path)
{
	return openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
}

/* ---- --cgroup ---- */

static enum tap_status find_path(const char *mount, const char *path, uint64_t *id)
{
	_cleanup_free_ char *below = host_printf("%s/%s", mount, path + strspn(path, "/"));
	_cleanup_close_ int fd = *path == '/' ? open_directory(AT_FDCWD, path) : -1;

	if (fd >= 0 && is_kind(fd, MAGIC_1)) {
		message_error("'%s' (--cgroup) is a cgroup of version 1: expected one of version 2, below %s", path, mount);
		return TAP_STATUS_TARGET;
	}
	if (fd < 0 || !is_kind(fd, MAGIC_2)) {
		host_close(&fd);
		fd = open_directory(AT_FDCWD, below);
	}
	if (fd < 0 && errno != ENOENT && errno != ENOTDIR) {
		message_error("cannot open the cgroup '%s' (--cgroup): %s", below, strerror(errno));
		return TAP_STATUS_TARGET;
	}
	if (fd < 0 || !is_kind(fd, MAGIC_2)) {
		message_error("no cgroup '%s' (--cgroup): expected a directory below %s", path, mount);
		return TAP_STATUS_TARGET;
	}
	if (is_too_deep(fd)) {
		message_error("the cgroup '%s' (--cgroup) is too deep: expected at most %d levels", path, MOST_LEVELS);
		return TAP_STATUS_TARGET;
	}
	return take_id(fd, id) ? TAP_STATUS_OK : TAP_STATUS_HOST;
}

/* ---- --container ---- */

struct search {
	const char *wanted;
	struct container_names named;	/* those with this name */
	uint64_t id;
	char *names[2];		/* of the cgroups that match, the first two */
	unsigned matches;
};

static bool starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* The next character of a name that systemd has escaped: \x2d. */
static int take_escaped(const char **at)
{
	unsigned c;
	int n = 0;

	if (sscanf(*at, "\\x%2x%n", &c, &n) == 1 && n == 4) {
		*at += 4;
		return (int)c;
	}
	return (unsigned char)*(*at)++;
}

/* Whether NAME, N bytes, escaped, is WANTED. */
static bool is_name(const char *name, size_t n, const char *wanted)
{
	const char *end = name + n;

	while (name < end && *wanted)
		if (take_escaped(&name) != (unsigned char)*wanted++)
			return false;
	return name == end && !*wanted;
}

/* The ID in the name of the directory of a container; NULL. */
static const char *id_of(const char *name, size_t n)
{
	static const char conmon[] = "conmon-";
	size_t more = sizeof(conmon) - 1;
	const char *id;

	if (n < CONTAINER_ID_DIGITS || !container_is_id(id = name + n - CONTAINER_ID_DIGITS, CONTAINER_ID_DIGITS) ||
	    (id > name && id[-1] != '-'))
		return NULL;
	return (size_t)(id - name) >= more && memcmp(id - more, conmon, more) == 0 ? NULL : id;
}

/* Whether the directory NAME is that of a container that is wanted. */
static bool is_container(const char *name, const struct search *s)
{
	static const char payload[] = "lxc.payload.", machine[] = "machine-", nspawn[] = "systemd-nspawn@";
	const char *wanted = s->wanted, *id;
	size_t n = strlen(name);

	if (starts(name, payload))
		return strcmp(name + strlen(payload), wanted) == 0;
	if (n > 8 && strcmp(name + n - 8, ".service") == 0)
		return starts(name, nspawn) && is_name(name + strlen(nspawn), n - 8 - strlen(nspawn), wanted);
	if (n > 6 && strcmp(name + n - 6, ".scope") == 0) {
		n -= 6;
		if (n > strlen(machine) && starts(name, machine) &&
		    is_name(name + strlen(machine), n - strlen(machine), wanted))
			return true;
	}
	id = id_of(name, n);
	for (size_t i = 0; id && i < s->named.count; i++)
		if (strncmp(id, s->named.ids[i], CONTAINER_ID_DIGITS) == 0)
			return true;
	return id && *wanted && strlen(wanted) <= CONTAINER_ID_DIGITS && strncmp(id, wanted, strlen(wanted)) == 0;
}

/* Below a container are its own cgroups. */
static void search_below(struct search *s, int fd, unsigned level)
{
	DIR *dir = level < MOST_LEVELS ? fdopendir(fd) : NULL;
	struct dirent *e;

	if (!dir)
		host_close(&fd);
	while (dir && (e = readdir(dir))) {
		int next;

		if (e->d_type != DT_DIR || strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		next = open_directory(dirfd(dir), e->d_name);
		if (next < 0)
			continue;
		if (!is_container(e->d_name, s)) {
			search_below(s, next, level + 1);
			continue;
		}
		if (take_id(next, &s->id) && s->matches++ < ARRAY_SIZE(s->names))
			s->names[s->matches - 1] = host_printf("%s", e->d_name);
		host_close(&next);
	}
	if (dir)
		closedir(dir);
}

static void complain(const struct search *s, const char *mount)
{
	const struct container_names *n = &s->named;

	if (s->matches)
		message_error("'%s' (--container) may be %u containers: %s, %s%s", s->wanted, s->matches, s->names[0],
			      s->names[1], s->matches > 2 ? ", ..." : "");
	else if (n->count)
		message_error("the container '%s' (--container) does not run: no cgroup below %s is named after its ID %s%s",
			      s->wanted, mount, n->ids[0], n->count > 1 ? ", or that of another one of this name" : "");
	else if (!container_names_supported())
		message_error("no container '%s' (--container): no cgroup below %s is named after it; taprun has no "
			      "jansson, so it needs the ID of a container of Docker and Podman, which "
			      "'docker inspect' or 'podman inspect' prints", s->wanted, mount);
	else
		message_error("no container '%s' (--container): no cgroup below %s is named after it, and Docker and Podman "
			      "have none of this name%s%s", s->wanted, mount, n->unreadable ? "; cannot read " : "",
			      n->unreadable ? n->unreadable : "");
}

static enum tap_status find_container(const char *mount, const char *wanted, uint64_t *id)
{
	struct search s = { .wanted = wanted };
	int fd = open_directory(AT_FDCWD, mount);

	container_names_find(&s.named, wanted);
	if (fd >= 0)
		search_below(&s, fd, 0);
	*id = s.id;
	if (s.matches != 1)
		complain(&s, mount);
	host_free(&s.names[0]);
	host_free(&s.names[1]);
	container_names_free(&s.named);
	return s.matches == 1 ? TAP_STATUS_OK : TAP_STATUS_TARGET;
}

enum tap_status cgroup_find(const struct options *o, uint64_t *id)
{
	_cleanup_free_ char *mount = NULL;

	*id = 0;
	if (!o->cgroup && !o->container)
		return TAP_STATUS_OK;
	mount = find_mount();
	if (!mount) {
		message_error("--cgroup and --container need cgroups of version 2, which are not mounted: "
			      "mount -t cgroup2 none /sys/fs/cgroup");
		return TAP_STATUS_TARGET;
	}
	return o->cgroup ? find_path(mount, o->cgroup, id) : find_container(mount, o->container, id);
}
