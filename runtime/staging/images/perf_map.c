// SPDX-License-Identifier: GPL-2.0-or-later
/* The file, and perhaps the file system that it is on, belong to the user who runs the program. */
#include "perf_map.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/host.h"
#include "tables.h"

enum { MOST_FILE = 64 << 20, MOST_NAME = 255 };

/* ---- the file ---- */

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

bool perf_map_find(struct perf_map *map, pid_t pid)
{
	_cleanup_free_ char *root = host_printf("/proc/%d/root", (int)pid);
	_cleanup_free_ char *path = host_printf("/proc/%d/status", (int)pid);
	FILE *status = pid > 0 ? fopen(path, "re") : NULL;
	unsigned number = 0;
	bool good;

	*map = (struct perf_map){ .root = -1 };
	good = status && status_number(status, "NSpid:", true, &number) &&
	       status_number(status, "Uid:", false, &map->user);
	if (status)
		fclose(status);
	snprintf(map->path, sizeof(map->path), "/tmp/perf-%u.map", number);
	if (good)
		map->root = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return map->root >= 0;
}

int perf_map_open(const struct perf_map *map)
{
	_cleanup_close_ int tmp = openat(map->root, "tmp", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int fd = tmp < 0 ? -1 : openat(tmp, strrchr(map->path, '/') + 1,
				       O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_uid != map->user))
		host_close(&fd);
	return fd;
}

/* ---- the names ---- */

static bool take_hex(char **at, u64 *number)
{
	char *end;

	errno = 0;
	if (!isxdigit((unsigned char)**at))
		return false;
	*number = strtoull(*at, &end, 16);
	if (errno || *end != ' ')
		return false;
	*at = end + 1;
	return true;
}

/* What would change a terminal is not shown. */
static void clean(char *name)
{
	for (size_t n = 0; name[n]; n++) {
		if ((unsigned char)name[n] < ' ' || name[n] == 0x7f)
			name[n] = '?';
		if (n == MOST_NAME)
			name[n] = 0;
	}
}

struct names {
	struct tables_symbol *items;	/* the rank is the number of the line */
	size_t count, room;
};

static void take_line(struct names *names, char *line, u32 number, u64 window)
{
	u64 start, size;

	if (!take_hex(&line, &start) || !take_hex(&line, &size) || !*line || !size || start < window ||
	    start - window > UINT32_MAX || size > UINT32_MAX - (start - window))
		return;
	clean(line);
	if (names->count == names->room) {
		names->room = 2 * names->room + 1024;
		names->items = host_grow(names->items, names->room * sizeof(*names->items));
	}
	names->items[names->count++] = (struct tables_symbol){
		.at = start - window, .size = size, .name = line, .rank = number,
	};
}

static int compare(const void *a, const void *b)
{
	const struct tables_symbol *s = a, *u = b;

	if (s->at != u->at)
		return s->at < u->at ? -1 : 1;
	return s->rank > u->rank ? -1 : s->rank < u->rank;
}

/* Memory is used again, so a later line replaces what it overlaps of earlier ones. */
static void add_names(struct tables *t, struct names *names)
{
	struct tables_symbol *last = NULL;

	if (names->count)
		qsort(names->items, names->count, sizeof(*names->items), compare);
	for (struct tables_symbol *s = names->items; s < names->items + names->count; s++) {
		bool overlaps = last && s->at < last->at + last->size;

		if (overlaps && s->rank < last->rank)
			continue;
		if (overlaps)
			last->size = s->at - last->at;
		if (last)
			tables_symbol(t, last);
		last = s;
	}
	if (last)
		tables_symbol(t, last);
}

struct tap_image_head *perf_map_read(int fd, const char *path, u64 window, size_t *size)
{
	size_t length = 0;
	_cleanup_free_ char *text = host_read_file(fd, MOST_FILE, &length);
	struct tap_image_head *head;
	struct names names = { 0 };
	struct tables t;
	u32 number = 0;

	tables_init(&t, path);
	for (char *line = text, *next; line && line < text + length; line = next) {
		char *end = memchr(line, '\n', (size_t)(text + length - line));

		if (!end)
			break;		/* it is being written */
		next = end + 1;
		*end = 0;
		take_line(&names, line, ++number, window);
	}
	add_names(&t, &names);
	head = tables_pack(&t, size);
	tables_free(&t);
	free(names.items);
	return head;
}
