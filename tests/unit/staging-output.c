// SPDX-License-Identifier: GPL-2.0-or-later
/* Output never waits, loses nothing with a slow reader, reports a full disk, and rotates. */
#include "common/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "session/merge.h"
#include "common/message.h"
#include "scratch.h"

static int failures;
#define CHECK(c) \
	((c) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #c)))

static void line(struct output *o, unsigned n)
{
	char text[32];

	output_text(o, text, (size_t)sprintf(text, "line %u\n", n));
}

/* Reads what is available; continues the numbering at *NEXT. */
static void read_lines(int fd, char *part, size_t *used, unsigned *next)
{
	ssize_t n = read(fd, part + *used, 4096);
	char *start = part, *end, want[32];

	if (n <= 0)
		return;
	*used += (size_t)n;
	while ((end = memchr(start, '\n', *used - (size_t)(start - part)))) {
		int length = sprintf(want, "line %u\n", *next);

		CHECK(end + 1 - start == length && memcmp(start, want, (size_t)length) == 0);
		++*next;
		start = end + 1;
	}
	*used -= (size_t)(start - part);
	memmove(part, start, *used);
}

/* A reader that occasionally reads a little; the writer never has to wait. */
static void slow_reader(int read_fd, int write_fd, bool shared)
{
	enum { LINES = 200000 };
	unsigned made = 0, next = 0;
	char part[8192];
	size_t used = 0;
	struct output o;

	fcntl(read_fd, F_SETFL, O_NONBLOCK);
	output_open(&o, write_fd);
	if (shared && o.kind == OUTPUT_NONBLOCKING) {	/* as if /proc were missing */
		close(o.fd);
		o.kind = OUTPUT_SHARED;
		o.fd = write_fd;
		o.own = false;
	}
	while (next < LINES) {
		while (made < LINES && !output_full(&o))
			line(&o, made++);
		CHECK(output_pending(&o) < 1 << 20);
		read_lines(read_fd, part, &used, &next);
		output_flush(&o);
	}
	CHECK(used == 0 && o.error == 0);
	CHECK((fcntl(write_fd, F_GETFL) & O_NONBLOCK) == 0);	/* other processes share it */
	close(read_fd);
	line(&o, 0);
	CHECK(output_flush(&o) && o.error == EPIPE);
	line(&o, 0);
	CHECK(output_pending(&o) == 0);
	output_close(&o);
	close(write_fd);
}

static void slow_readers(void)
{
	int p[2];

	CHECK(pipe(p) == 0);
	slow_reader(p[0], p[1], false);
	CHECK(pipe(p) == 0);
	slow_reader(p[0], p[1], true);
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, p) == 0);
	slow_reader(p[0], p[1], false);
}

static void full_disk(void)
{
	struct output_names names = { .format = "/dev/full" };
	struct output o;

	CHECK(output_open_file(&o, &names, -1, NULL) == 0);
	for (int i = 0; i < 100000; i++)
		line(&o, 1);
	output_flush(&o);
	CHECK(o.error == ENOSPC && output_pending(&o) == 0);
	output_close(&o);
	CHECK(o.error == ENOSPC);
	names.format = "/nonexistent/file";
	CHECK(output_open_file(&o, &names, -1, NULL) == ENOENT);
	output_close(&o);
	names.format = "";
	CHECK(output_open_file(&o, &names, -1, NULL) != 0);
	output_close(&o);
}

static long size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (long)st.st_size : -1;
}

/* Files of 1000 bytes or slightly more, the last three kept, no line split. */
static void rotates(void)
{
	struct output_names names = { .format = "out", .size = 1000, .most = 3 };
	char path[32], text[64], last[64] = "";
	unsigned next = 0, first = 0;
	struct output o;
	int files = 0;

	CHECK(output_open_file(&o, &names, -1, NULL) == 0);
	for (unsigned i = 0; i < 1000; i++) {
		line(&o, i);
		output_boundary(&o);
	}
	unsigned newest = o.number;
	output_close(&o);
	for (unsigned i = 0; i <= newest; i++) {
		sprintf(path, "out.%u", i);
		FILE *f = fopen(path, "r");

		CHECK(!f == (i + 3 <= newest));
		if (!f)
			continue;
		CHECK(i == newest || (size_of(path) >= 1000 && size_of(path) < 1020));
		files++;
		while (fgets(text, sizeof(text), f)) {
			unsigned n;

			CHECK(sscanf(text, "line %u\n", &n) == 1);
			if (!*last)
				first = next = n;
			CHECK(n == next);
			next++;
			strcpy(last, text);
		}
		fclose(f);
		unlink(path);
	}
	CHECK(files == 3 && next == 1000 && first > 500);
}

static void names_files(void)
{
	struct output_names names = { .format = "a-%Y%%" };
	time_t now = time(NULL);
	char path[64];
	struct output o;

	CHECK(output_open_file(&o, &names, -1, NULL) == 0);
	strftime(path, sizeof(path), "a-%Y%%", localtime(&now));
	CHECK(strcmp(o.path, path) == 0);
	line(&o, 1);
	output_next_file(&o);			/* SIGUSR2 */
	line(&o, 2);
	output_close(&o);
	CHECK(size_of(path) == 7);
	unlink(path);
	strcat(path, ".1");
	CHECK(size_of(path) == 7);
	unlink(path);

	names = (struct output_names){ .format = "b", .size = 1 << 20 };
	CHECK(output_open_file(&o, &names, 3, NULL) == 0);
	CHECK(strcmp(o.path, "b_cpu3.0") == 0);
	output_close(&o);
	unlink("b_cpu3.0");
}

static void unlink_part(const char *format, unsigned cpu, unsigned number)
{
	char path[64];

	snprintf(path, sizeof(path), format, cpu, number);
	CHECK(unlink(path) == 0);
}

static void merge_into(const char *path, char **parts, int count)
{
	int out = dup(1);

	CHECK(fflush(stdout) == 0 && freopen(path, "w", stdout) != NULL);
	CHECK(merge_run(parts, count) == TAP_STATUS_OK);
	CHECK(fflush(stdout) == 0 && dup2(out, 1) == 1);
	close(out);
}

/* Records of three CPUs, in parts: SIGUSR2 arrives between two records, switch_file() inside
 * one. */
static void bulk_merges(void)
{
	struct output_names names = { .format = "bulk", .size = 300 };
	unsigned last[3] = { 0 }, n = 1, next = 1;
	char *parts[64], part[8192], path[64];
	struct outputs o;
	size_t used = 0;
	int count = 0, fd;

	CHECK(outputs_open(&o, &names, true, false) == 0);
	outputs_open_bulk(&o, 3, true);
	for (uint64_t stamp = 1; n <= 200; stamp += 1 + n % 3) {
		struct output *one = outputs_of(&o, n / 3 % 3);

		one->stamp = stamp;
		for (unsigned lines = n % 4; lines--;)
			line(one, n++);
		if (n % 50 == 1)
			output_next_file(one);
		line(one, n++);
		output_boundary(one);
		if (n % 70 == 2)
			outputs_next_file(&o);
	}
	for (unsigned cpu = 0; cpu < 3; cpu++)
		last[cpu] = o.bulk[cpu].names ? o.bulk[cpu].number + 1 : 0;
	outputs_close(&o);
	for (unsigned cpu = 3; cpu--;)
		for (unsigned i = 0; i < last[cpu]; i++) {
			snprintf(path, sizeof(path), "bulk_cpu%u.%u", cpu, i);
			parts[count++] = strdup(path);
		}
	CHECK(count >= 6);
	merge_into("merged", parts, count);
	fd = open("merged", O_RDONLY);
	read_lines(fd, part, &used, &next);
	CHECK(next == n && used == 0);
	close(fd);
	unlink("merged");
	while (count--)
		free(parts[count]);
	for (unsigned cpu = 0; cpu < 3; cpu++)
		while (last[cpu]--) {
			unlink_part("bulk_cpu%u.%u", cpu, last[cpu]);
			unlink_part("bulk_times%u.%u", cpu, last[cpu]);
		}
}

static struct output nowhere = { .fd = -1, .error = 1 };	/* messages are expected */

int main(void)
{
	char *directory = scratch_template("tapc-unit-output");

	if (!mkdtemp(directory) || chdir(directory) < 0)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	output_take_messages(&nowhere);
	slow_readers();
	full_disk();
	rotates();
	names_files();
	bulk_merges();
	CHECK(chdir("/") == 0 && rmdir(directory) == 0);
	return failures != 0;
}
