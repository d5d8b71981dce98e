// SPDX-License-Identifier: GPL-2.0-or-later
/* Each text file has a file of times (output.h) with the time stamp and the size of each handler's text. The
 * texts are printed in the order in which a session without -b prints its records: by time stamp, then CPU. */
#include "merge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/host.h"
#include "common/message.h"
#include "order.h"
#include "common/output.h"

struct part {
	const char *path;
	FILE *text, *times;
	struct output_times head;
	struct output_time next;
};

static bool cannot_read(const char *path)
{
	message_error("cannot read '%s': %s", path, strerror(errno));
	return false;
}

static bool is_head(const struct output_times *head)
{
	return memcmp(head->magic, OUTPUT_TIMES_MAGIC, sizeof(head->magic)) == 0;
}

static bool part_open(struct part *p, const char *path)
{
	_cleanup_free_ char *times = output_times_path(path);

	p->path = path;
	p->text = fopen(path, "re");
	if (!p->text)
		return cannot_read(path);
	p->times = times ? fopen(times, "re") : NULL;
	if (!p->times || fread(&p->head, sizeof(p->head), 1, p->times) != 1 || !is_head(&p->head)) {
		message_error("'%s' cannot be merged without its file of times: -b writes both, and neither "
			      "may be renamed", path);
		return false;
	}
	return true;
}

static void part_close(struct part *p)
{
	if (p->text)
		fclose(p->text);
	if (p->times)
		fclose(p->times);
}

static int compare(const void *a, const void *b)
{
	const struct output_times *x = &((const struct part *)a)->head, *y = &((const struct part *)b)->head;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Queues the part's next text. */
static void take_next(struct order *order, struct part *parts, uint32_t i)
{
	struct part *p = &parts[i];

	if (fread(&p->next, sizeof(p->next), 1, p->times) == 1)
		order_add(order, &(struct order_entry){ .stamp = p->next.stamp, .cpu = i });
}

/* Copies at most SIZE bytes; returns their number. */
static uint64_t copy(FILE *from, uint64_t size)
{
	char data[16 << 10];
	uint64_t done = 0;
	size_t n;

	while (done < size && (n = fread(data, 1, size - done < sizeof(data) ? size - done : sizeof(data), from)) > 0) {
		fwrite(data, 1, n, stdout);
		done += n;
	}
	return done;
}

/* A session that was killed may have written a text without its times, or vice versa. */
static void print_rest(struct part *p, uint64_t missing)
{
	uint64_t more = copy(p->text, UINT64_MAX);

	if (missing)
		message_warning("'%s' is truncated: %llu bytes are missing", p->path,
				(unsigned long long)missing);
	if (more)
		message_warning("%llu bytes at the end of '%s' have no time: they were put at the end",
				(unsigned long long)more, p->path);
}

static void merge(struct part *parts, uint32_t count)
{
	uint64_t *missing = host_alloc(count * sizeof(*missing));
	struct order_entry e;
	struct order order;

	order_open(&order, count);
	for (uint32_t i = 0; i < count; i++)
		take_next(&order, parts, i);
	while (order_next(&order, true, &e)) {
		missing[e.cpu] += parts[e.cpu].next.size - copy(parts[e.cpu].text, parts[e.cpu].next.size);
		take_next(&order, parts, e.cpu);
	}
	for (uint32_t i = 0; i < count; i++)
		print_rest(&parts[i], missing[i]);
	order_close(&order);
	free(missing);
}

enum tap_status merge_run(char **paths, int count)
{
	struct part *parts = host_alloc((size_t)count * sizeof(*parts));
	bool good = true;

	host_allow_files(2 * (size_t)count + 16);
	for (int i = 0; i < count; i++)
		good = part_open(&parts[i], paths[i]) && good;
	if (good) {
		qsort(parts, (size_t)count, sizeof(*parts), compare);
		merge(parts, (uint32_t)count);
	}
	if (good && (fflush(stdout) || ferror(stdout))) {
		message_error("cannot write to '%s': %s", "standard output", strerror(errno));
		good = false;
	}
	for (int i = 0; i < count; i++)
		part_close(&parts[i]);
	free(parts);
	return good ? TAP_STATUS_OK : TAP_STATUS_HOST;
}
