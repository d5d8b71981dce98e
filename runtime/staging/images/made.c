// SPDX-License-Identifier: GPL-2.0-or-later
/* The files, and perhaps the file systems that they are on, belong to the user who runs the program. A dump is opened
 * through its mapping, so it is the one that the program writes, wherever that is. */
#include "made.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/host.h"
#include "jitdump.h"
#include "perf_map.h"
#include "tables.h"

enum { MOST_MAP = 64 << 20, MOST_DUMP = 512 << 20 };

/* ---- the process ---- */

/* The last number of the line NAME in /proc/PID/status: of NSpid the innermost; or its second one: of Uid the
 * effective. */
static bool status_number(FILE *status, const char *name, bool last, unsigned *number)
{
	size_t room = 0, n = strlen(name);
	char *line = NULL;
	bool found = false;

	rewind(status);
	while (!found && getline(&line, &room, status) > 0) {
		char *at = line + n, *end;

		if (strncmp(line, name, n) != 0)
			continue;
		for (int i = 0; last || i < 2; i++, at = end, found = true) {
			unsigned long value = strtoul(at, &end, 10);

			if (end == at)
				break;
			*number = (unsigned)value;
		}
	}
	free(line);
	return found;
}

bool made_find(struct made *made, pid_t pid)
{
	_cleanup_free_ char *root = host_printf("/proc/%d/root", (int)pid);
	_cleanup_free_ char *path = host_printf("/proc/%d/status", (int)pid);
	FILE *status = pid > 0 ? fopen(path, "re") : NULL;
	bool good;

	*made = (struct made){ .pid = pid, .root = -1 };
	good = status && status_number(status, "NSpid:", true, &made->number) &&
	       status_number(status, "Uid:", false, &made->user);
	if (status)
		fclose(status);
	snprintf(made->path, sizeof(made->path), "/tmp/perf-%u.map", made->number);
	if (good)
		made->root = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return made->root >= 0;
}

/* ---- the file ---- */

/* A regular file of the user, or nothing. */
static int keep(const struct made *made, int fd)
{
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_uid != made->user))
		host_close(&fd);
	return fd;
}

/* "7f00-7f01 r-xp 00000000 08:01 1234   /tmp/jit-15.dump": whether it is a mapping of a dump, which is executable, as
 * perf(1) asks for; its place and path. */
static bool is_dump(const char *line, unsigned long place[2], const char **path, unsigned *number)
{
	const char *name;
	char rights[8];
	int at = 0, end = 0;

	if (sscanf(line, "%lx-%lx %7s %*x %*x:%*x %*u %n", &place[0], &place[1], rights, &at) != 3 || !at ||
	    rights[2] != 'x' || line[at] != '/')
		return false;
	*path = line + at;
	name = strrchr(line, '/');
	return sscanf(name, "/jit-%u.dump%n", number, &end) == 1 && end && (!name[end] || name[end] == ' ');
}

/* Of several dumps, that with the number of the process: others are those of processes that it was forked from. */
static int open_dump(const struct made *made, char *path_found, size_t path_room)
{
	_cleanup_free_ char *maps_path = host_printf("/proc/%d/maps", (int)made->pid);
	FILE *maps = fopen(maps_path, "re");
	char *line = NULL, *found = NULL;
	unsigned long place[2];
	unsigned number = 0;
	const char *path;
	size_t room = 0;
	int fd;

	while (maps && number != made->number && getline(&line, &room, maps) > 0) {
		line[strcspn(line, "\n")] = 0;
		if (!is_dump(line, place, &path, &number))
			continue;
		free(found);
		found = host_printf("/proc/%d/map_files/%lx-%lx", (int)made->pid, place[0], place[1]);
		snprintf(path_found, path_room, "%s", path);
	}
	if (maps)
		fclose(maps);
	free(line);
	fd = found ? keep(made, open(found, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) : -1;
	free(found);
	return fd;
}

static int open_map(const struct made *made)
{
	_cleanup_close_ int tmp = openat(made->root, "tmp", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return tmp < 0 ? -1 : keep(made, openat(tmp, strrchr(made->path, '/') + 1,
						O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

int made_open(struct made *made)
{
	char path[sizeof(made->path)];
	int fd = open_dump(made, path, sizeof(path));

	if (fd < 0)
		return open_map(made);
	made->is_dump = true;
	made_names_clean(path);
	snprintf(made->path, sizeof(made->path), "%s", path);
	return fd;
}

/* ---- its names ---- */

/* A dump contains the code, too, so it may be large; not all of it is touched. */
static char *map_dump(int fd, size_t *size)
{
	struct stat st;
	void *data;

	if (fstat(fd, &st) < 0 || st.st_size <= 0)
		return NULL;
	*size = st.st_size > MOST_DUMP ? MOST_DUMP : (size_t)st.st_size;
	data = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	return data == MAP_FAILED ? NULL : data;
}

struct tap_image_head *made_read(const struct made *made, int fd, u64 window, bool lines, size_t *size)
{
	struct made_names names = { .window = window };
	struct tap_image_head *head;
	struct tables t;
	size_t length = 0;
	char *data = made->is_dump ? map_dump(fd, &length) : host_read_file(fd, MOST_MAP, &length);

	tables_init(&t, made->path);
	if (data && made->is_dump)
		jitdump_read(data, length, lines, &names, &t);
	else if (data)
		perf_map_read(data, length, &names);
	for (size_t i = 0; i < names.count; i++)
		tables_symbol(&t, &names.items[i]);
	head = tables_pack(&t, size);
	tables_free(&t);
	made_names_free(&names);
	if (data && made->is_dump)
		munmap(data, length);
	else
		free(data);
	return head;
}
