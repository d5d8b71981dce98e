// SPDX-License-Identifier: GPL-2.0-or-later
/* From records of the timeline's functions to files: hostile values are rejected; lanes, ends without a beginning,
 * slices too deep, names that no viewer would take, losses, and a disk that is full. With the arguments FORMAT FILE
 * BYTES it writes a file of which the disk takes BYTES, for tests/simulate/timeline-full and columns-full; with FORMAT
 * FILE, it writes many events or rows, and prints how many a second; an environment variable ROWS is the number of
 * rows, and PAUSE their number before a pause of a second. */
#include "session/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "common/message.h"
#include "session/render_timeline.h"

static int failures;
#define CHECK(c) \
	((c) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #c)))

/* ---- what a module would write ---- */

static u8 body[4096], *end;

static void put_long(s64 value) { end = tap_put_long(end, value); }
static void put_text(const char *text)
{
	end = tap_put_string(end, (struct tap_string){ text, (u32)strlen(text) });
}

static bool event(struct timeline *t, const char *form, uint64_t time)
{
	const struct timeline_form *f = timeline_form_of(form);
	bool good = f && timeline_event(t, f, time, 1, body, (size_t)(end - body));

	end = body;
	return good;
}

static void put_thread(s64 pid, s64 tid)
{
	put_text("thread");
	put_long(pid);
	put_long(tid);
}

static bool begin(struct timeline *t, uint64_t time, const char *name)
{
	end = body;
	put_text(name);
	put_thread(7, 8);
	return event(t, "span_begin %s [%s %d/%d]\n", time);
}

static bool finish(struct timeline *t, uint64_t time, const char *name)
{
	end = body;
	put_text(name);
	put_thread(7, 8);
	return event(t, "span_end %s [%s %d/%d]\n", time);
}

static bool span(struct timeline *t, uint64_t time, s64 ns, const char *track)
{
	end = body;
	put_text("s");
	put_long(ns);
	put_text(track);
	return event(t, "span %s %d ns [%s]\n", time);
}

/* ---- the file ---- */

static char file[1 << 20];
static size_t size;

static void put(void *to, const char *data, size_t n)
{
	(void)to;
	if (size + n < sizeof(file))
		memcpy(file + size, data, n);
	size += n;
	file[size < sizeof(file) ? size : sizeof(file) - 1] = 0;
}

static struct timeline *start(const char *format)
{
	size = 0;
	return timeline_open(timeline_format_of(format), &(struct timeline_settings){ .put = put });
}

static unsigned count(const char *text)
{
	unsigned n = 0;

	for (const char *at = file; (at = strstr(at, text)); at++)
		n++;
	return n;
}

static void rejects_malformed_values(void)
{
	struct timeline *t = start("chrome");

	CHECK(!timeline_form_of("span_begin %s\n") && !timeline_format_of("xml"));
	end = body;
	CHECK(!event(t, "span_begin %s [%s %d/%d]\n", 1));		/* nothing */
	put_text("name");
	CHECK(!event(t, "span_begin %s [%s %d/%d]\n", 1));		/* no thread */
	put_text("name");
	put_thread(1, 2);
	put_long(3);
	CHECK(!event(t, "span_begin %s [%s %d/%d]\n", 1));		/* more than that */
	memcpy(body, "\xff\xff" "a", 3);
	end = body + 3;
	CHECK(!event(t, "span_begin %s [%s]\n", 1));			/* a string after the end */
	end = body;
	timeline_end(t);
	CHECK(count("\"ph\"") == 3 && strcmp(file + size - 3, "\n]\n") == 0);
	timeline_close(t);
}

static void counts_what_is_wrong(void)
{
	struct timeline *t = start("chrome");
	const struct timeline_report *r = timeline_report_of(t);

	CHECK(finish(t, 5, "") && r->ends == 1);
	CHECK(begin(t, 10, "a") && begin(t, 11, "b") && begin(t, 12, "c"));
	CHECK(finish(t, 13, "x") && r->ends == 2);
	CHECK(finish(t, 14, "a") && r->ends == 2);			/* with b and c */
	CHECK(span(t, 20, -5, "row") && r->backward == 1);
	CHECK(span(t, 20, 500, "row"));					/* before the clock began */
	for (int i = 0; i < 300; i++)
		CHECK(begin(t, 30, "deep"));
	CHECK(r->too_deep == 50);
	for (int i = 0; i < 300; i++)
		CHECK(finish(t, 40, ""));
	CHECK(r->ends == 2);
	timeline_end(t);
	CHECK(count("\"ph\":\"B\"") == 253 && count("\"ph\":\"E\"") == 253);
	CHECK(count("\"dur\":0.020") == 1 && count("\"ts\":0.000") == 1);
	timeline_close(t);
}

static void puts_overlaps_on_lanes(void)
{
	struct timeline *t = start("chrome");

	CHECK(span(t, 20, 10, "row"));	/* 10-20 */
	CHECK(span(t, 25, 10, "row"));	/* 15-25: overlaps */
	CHECK(span(t, 30, 25, "row"));	/* 5-30: around both, so on the first lane */
	CHECK(span(t, 31, 13, "row"));	/* 18-31: overlaps with all */
	CHECK(span(t, 40, 9, "row"));	/* 31-40: after them */
	for (unsigned i = 50; i < 2000; i++)
		CHECK(span(t, i, 1, "row"));
	CHECK(span(t, 2000, 1995, "row"));	/* 5-2000: around them, though not all are remembered */
	CHECK(span(t, 2001, 1900, "row"));	/* 101-2001: starts at an end, and overlaps the one before */
	timeline_end(t);
	CHECK(count("thread_name") == 3);
	timeline_close(t);
}

static void makes_names_fit(void)
{
	char name[2000];
	struct timeline *t = start("chrome");

	CHECK(begin(t, 1, "\xff\"\\\x01\xc3\xa4\xed\xa0\x80"));
	memset(name, 'x', sizeof(name) - 1);
	memcpy(name + 1022, "\xe2\x82\xac", 3);
	name[sizeof(name) - 1] = 0;
	CHECK(begin(t, 2, name));
	timeline_end(t);
	CHECK(count("\"\xef\xbf\xbd\\\"\\\\\\u0001\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"") == 1);
	CHECK(count("xx\"") == 1 && count("\xe2\x82\xac") == 0);
	timeline_close(t);
}

/* More names, and more rows, than are kept. */
static void survives_many_names(const char *format)
{
	struct timeline *t = start(format);
	char name[32];

	for (unsigned i = 0; i < 140000; i++) {
		snprintf(name, sizeof(name), "name %u", i);
		end = body;
		put_text(name);
		put_text(name);
		CHECK(event(t, "instant %s [%s]\n", i));
	}
	timeline_end(t);
	CHECK(size > 140000 * 20);
	timeline_close(t);
}

static void marks_losses(void)
{
	struct timeline *t = start("chrome");

	CHECK(begin(t, 1000, "a"));
	timeline_lost(t, 2000, 3, 17);
	CHECK(finish(t, 3000, "a"));
	timeline_end(t);
	CHECK(count("\"pid\":4194305,\"tid\":3,\"ts\":2.000,\"name\":\"17 records lost\"") == 1);
	timeline_close(t);
}

static void keeps_the_largest_size(void)
{
	struct timeline *t = start("chrome");
	const struct timeline_report *r = timeline_report_of(t);
	uint64_t written = 0;
	char name[1001];

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	for (; !r->left_out; written++)
		CHECK(begin(t, written, name) && finish(t, written, name));
	timeline_end(t);
	CHECK(size < 512u << 20 && size > 511u << 20);
	CHECK(begin(t, written, "a") && r->left_out >= 2);
	timeline_close(t);
}

/* ---- a file that cannot be shortened ---- */

static char said[512];

static void keep_message(int priority, const char *text, size_t n)
{
	(void)priority;
	snprintf(said + strlen(said), sizeof(said) - strlen(said), "%.*s\n", (int)n, text);
}

static void reports_a_torn_file(void)
{
	struct output out = { .fd = memfd_create("timeline", MFD_ALLOW_SEALING) };
	struct meta_format line = { .text = "%d\n", .size = 3 };
	struct meta m = { .format_count = 1, .formats = &line, .script = "" }, silent = { .script = "" };
	struct timeline *t;

	message_to(keep_message);
	CHECK(!trace_file_open(&t, timeline_format_of("perfetto"), &silent, &out, false));
	CHECK(strstr(said, "the script prints nothing for this --output: it shows span_begin"));
	CHECK(!trace_file_open(&t, timeline_format_of("pprof"), &m, &out, false));
	CHECK(strstr(said, "the script prints nothing for this --output: it shows folded stacks"));
	CHECK(trace_file_open(&t, timeline_format_of("perfetto"), &m, &out, false));
	for (unsigned i = 0; i < 10000; i++)
		CHECK(begin(t, i, "a") && finish(t, i, "a"));
	CHECK(output_flush(&out) && fcntl(out.fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0);
	CHECK(span(t, 10000, -1, "row"));
	trace_file_end(t, false);
	CHECK(strstr(said, "1 spans would end before they start"));
	CHECK(output_flush(&out) && out.error == EPERM);
	trace_file_close(t, &out);
	CHECK(strstr(said, "'standard output' does not end with a whole event: Operation not permitted"));
	message_to(NULL);
	fputs(said, stdout);
	close(out.fd);
	out.fd = -1;
	output_close(&out);
}

/* ---- with arguments ---- */

static void add_events(struct timeline *t, struct output *out, unsigned events)
{
	for (unsigned i = 0; i < events; i++) {
		char name[32];

		snprintf(name, sizeof(name), "function_%u", i / 2 % 1000);
		(i % 2 ? finish : begin)(t, 1000 + i, name);
		if (i % 1000 == 0) {
			timeline_flush(t);
			output_flush(out);
		}
	}
}

static unsigned number_of(const char *variable, unsigned otherwise)
{
	const char *text = getenv(variable);

	return text ? (unsigned)strtoul(text, NULL, 0) : otherwise;
}

/* Every 10000th one after two that are lost. */
static void add_rows(struct timeline *t, const struct table *table, struct output *out, unsigned rows)
{
	static const char *const names[] = { "dd", "bash", "kworker/0:1", "" };
	unsigned pause = number_of("PAUSE", 0);

	for (unsigned i = 0; i < rows; i++) {
		if (i % 10000 == 9999)
			timeline_lost(t, 1000 + i, 1, 2);
		end = body;
		put_long(i);
		put_text(names[i / 7 % 4]);
		put_long((s64)i * i);
		CHECK(timeline_row(t, table, 1000 + i, i % 3, body, (size_t)(end - body)));
		if (i % 1000 == 0) {
			timeline_flush(t);
			output_flush(out);
		}
		if (pause && i % pause == pause - 1) {
			sleep(1);
			if (i + 1 < rows)
				timeline_flush(t);
		}
	}
}

static int write_file(const char *format, const char *path, const char *most)
{
	enum { SOME = 20000, MANY = 4000000 };
	struct rlimit limit = { most ? (rlim_t)atol(most) : RLIM_INFINITY, RLIM_INFINITY };
	const struct timeline_format *f = timeline_format_of(format);
	struct output_names names = { .format = path, .inside = timeline_is_folder(f) ? TIMELINE_STREAM : NULL };
	struct meta_format formats[] = { { .text = "%s %d\n", .size = 6 },
					 { .text = "writes n=%d name=%s square=%d\n" } };
	struct table *table = formats[1].table = table_of(formats[1].text);
	struct meta m = { .format_count = 2, .formats = formats, .tables = &table, .table_count = 1, .script = "test" };
	unsigned events = number_of("ROWS", most ? SOME : MANY);
	struct timespec from, to;
	struct timeline *t;
	struct output out;

	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0 || output_open_file(&out, &names, -1, NULL) ||
	    !trace_file_open(&t, f, &m, &out, false))
		return 2;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	if (timeline_has_rows(t))
		add_rows(t, table, &out, events);
	else
		add_events(t, &out, events);
	trace_file_end(t, false);
	output_flush(&out);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	trace_file_close(t, &out);
	output_close(&out);
	table_free(table);
	if (!most)
		printf("%.0f events a second\n", events / ((double)(to.tv_sec - from.tv_sec) +
							 (double)(to.tv_nsec - from.tv_nsec) / 1e9));
	return out.error == (most ? EFBIG : 0) ? 0 : 1;
}

int main(int argc, char **argv)
{
	if (argc > 2)
		return write_file(argv[1], argv[2], argv[3]);
	rejects_malformed_values();
	counts_what_is_wrong();
	puts_overlaps_on_lanes();
	makes_names_fit();
	survives_many_names("chrome");
	survives_many_names("firefox");
	survives_many_names("perfetto");
	marks_losses();
	keeps_the_largest_size();
	reports_a_torn_file();
	return failures != 0;
}
