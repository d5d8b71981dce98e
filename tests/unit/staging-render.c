// SPDX-License-Identifier: GPL-2.0-or-later
/* From the meta file and records to text and requests; hostile bytes are rejected without a
 * crash. */
#include "session/render.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/message.h"

static int failures;
#define CHECK(c) \
	((c) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #c)))

/* ---- what a module would write ---- */

static char bytes[65536];
static size_t size;

static void put(const void *data, size_t n)
{
	if (n)
		memcpy(bytes + size, data, n);
	size += n;
}

static void put_meta(u32 kind, const void *data, size_t n)
{
	put(&(struct tap_meta){ kind, (u32)n }, sizeof(struct tap_meta));
	put(data, n);
}

static void put_item(u32 format, const void *data, size_t n)
{
	put(&(struct tap_item){ format, (u32)n }, sizeof(struct tap_item));
	put(data, n);
}

static struct tap_record *finish_record(void)
{
	struct tap_record *r = malloc(sizeof(*r) + size);

	*r = (struct tap_record){
		.size = (u32)(sizeof(*r) + size),
	};
	memcpy(r + 1, bytes, size);
	size = 0;
	return r;
}

/* ---- what a session would do ---- */

static char said[256];

static void on_exit_item(void *session) { (void)session; strcat(said, "[exit]"); }
static void on_switch(void *session) { (void)session; strcat(said, "[switch]"); }
static void on_system(void *session, const char *text, size_t n)
{
	(void)session;
	sprintf(said + strlen(said), "[system %.*s]", (int)n, text);
}
static void on_message(void *session, bool is_error, const char *text, size_t n)
{
	(void)session;
	sprintf(said + strlen(said), "[%s %.*s]", is_error ? "error" : "warning", (int)n, text);
}
static const struct render_requests requests = { on_exit_item, on_system, on_switch, on_message };

static struct output out;
static int back;		/* for reading what out wrote */

static const char *written(void)
{
	static char text[65536];
	ssize_t n;

	output_flush(&out);
	n = read(back, text, sizeof(text) - 1);
	text[n < 0 ? 0 : n] = 0;
	return text;
}

static void make_meta(struct meta *m)
{
	struct tap_hist_shape hist = { .op = TAP_HIST_LINEAR, .high = 20, .step = 10, .buckets = 5 };
	struct tap_limits limits = { .out = 8192 };

	put_meta(TAP_META_SCRIPT, "x.stp", 5);
	put_meta(TAP_META_LIMITS, &limits, sizeof(limits));
	put_meta(TAP_META_FORMAT, "%s is %d\n", 9);
	put_meta(4711, "later", 5);
	put_meta(TAP_META_FORMAT, "plain", 5);
	put_meta(TAP_META_PROBE, "begin\0x.stp:1:1", 16);
	put_meta(TAP_META_PROBE, "cut", 3);
	put_meta(TAP_META_HIST, &hist, sizeof(hist));
	CHECK(meta_parse(m, bytes, size));
	size = 0;
}

static void reads_meta(void)
{
	struct meta m;

	make_meta(&m);
	CHECK(strcmp(m.script, "x.stp") == 0 && m.limits.out == 8192);
	CHECK(m.format_count == 3 && m.formats[2].is_hist && strcmp(m.formats[1].text, "plain") == 0);
	CHECK(m.probe_count == 2 && strcmp(m.probes[0].point, "begin") == 0);
	CHECK(strcmp(m.probes[0].position, "x.stp:1:1") == 0);
	CHECK(strcmp(m.probes[1].position, "") == 0);
	meta_free(&m);

	put_meta(TAP_META_LIMITS, "short", 5);
	CHECK(!meta_parse(&m, bytes, size));
	size = 0;
	put_meta(TAP_META_HIST, &(struct tap_hist_shape){ 0 }, sizeof(struct tap_hist_shape));
	CHECK(!meta_parse(&m, bytes, size));
	CHECK(!meta_parse(&m, "cut", 3));
	size = 0;
	CHECK(meta_parse(&m, NULL, 0) && m.format_count == 0);
	meta_free(&m);
}

static void renders(void)
{
	char arguments[64];
	u16 length = 5;
	s64 number = -42;
	struct tap_record *r;
	struct meta m;

	make_meta(&m);
	memcpy(arguments, &length, 2);
	memcpy(arguments + 2, "hello", 5);
	memcpy(arguments + 7, &number, 8);
	put_item(0, arguments, 15);
	put_item(TAP_ITEM_WARNING, "careful", 7);
	put_item(TAP_ITEM_TEXT, "a\0b", 3);
	put_item(TAP_ITEM_ERROR, "wrong", 5);
	put_item(TAP_ITEM_SYSTEM, "ls", 2);
	put_item(1, NULL, 0);
	put_item(TAP_ITEM_SWITCH_FILE, NULL, 0);
	put_item(TAP_ITEM_EXIT, NULL, 0);
	r = finish_record();
	CHECK(render_record(&m, r, 0, &out, &requests, NULL));
	free(r);
	CHECK(memcmp(written(), "hello is -42\na\0bplain", 22) == 0);
	CHECK(strcmp(said, "[warning careful][error wrong][system ls][switch][exit]") == 0);
	meta_free(&m);
}

static void renders_long_text(void)
{
	char *text = malloc(60000);
	struct tap_record *r;
	struct meta m;

	make_meta(&m);
	memset(text, 'x', 60000);
	put_item(TAP_ITEM_TEXT, text, 60000);
	r = finish_record();
	CHECK(render_record(&m, r, 0, &out, &requests, NULL));
	CHECK(strspn(written(), "x") == 60000);
	free(r);
	free(text);
	meta_free(&m);
}

static void refuses(const void *payload, size_t n)
{
	struct tap_record *r;
	struct meta m;

	make_meta(&m);
	put(payload, n);
	r = finish_record();
	CHECK(!render_record(&m, r, 0, &out, &requests, NULL));
	free(r);
	meta_free(&m);
	written();
}

static void refuses_nonsense(void)
{
	struct { struct tap_item item; char rest[32]; } i;

	memset(&i, 0, sizeof(i));
	refuses(&i, 3);
	i.item = (struct tap_item){ 0, 32 }, refuses(&i, 20);		/* too short */
	i.item = (struct tap_item){ 0, 0 }, refuses(&i, 8);		/* without arguments */
	i.item = (struct tap_item){ 3, 0 }, refuses(&i, 8);		/* no such format */
	i.item = (struct tap_item){ TAP_ITEM_SWITCH_FILE + 1, 0 }, refuses(&i, 8);
	i.item = (struct tap_item){ 2, 5 }, refuses(&i, 13);		/* incomplete histogram */
}

static void survives_anything(void)
{
	struct meta m;

	make_meta(&m);
	srand(1);
	for (int n = 0; n < 100000; n++) {
		size_t length = (size_t)rand() % 64;
		struct tap_record *r;

		for (size_t i = 0; i < length; i++)
			bytes[i] = (char)(rand() % 3 ? rand() % 4 : rand());
		size = length;
		said[0] = 0;
		r = finish_record();
		render_record(&m, r, 0, &out, &requests, NULL);
		free(r);
		written();
	}
	meta_free(&m);
	for (int n = 0; n < 100000; n++) {
		size_t length = (size_t)rand() % 64;

		for (size_t i = 0; i < length; i++)
			bytes[i] = (char)(rand() % 3 ? rand() % 6 : rand());
		if (meta_parse(&m, bytes, length))
			meta_free(&m);
	}
}

static struct output nowhere = { .fd = -1, .error = 1 };	/* messages are expected */

int main(void)
{
	int p[2];

	if (pipe2(p, O_NONBLOCK) < 0)
		return 2;
	output_take_messages(&nowhere);
	back = p[0];
	output_open(&out, p[1]);
	reads_meta();
	renders();
	renders_long_text();
	refuses_nonsense();
	survives_anything();
	output_close(&out);
	return failures != 0;
}
