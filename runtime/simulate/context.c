/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The context of the running handler: entering and leaving, errors, limits, prints. The counterpart of
 * runtime/kernel/context.c; wherever that makes a decision, this makes the same one. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "simulate.h"
#include "core/hist.h"
#include "core/host.h"

enum { SLICE = 1000 };		/* statements between two calls of tap_more_actions, as in the kernel */

struct frame frame;

static char *cells[TAP_CPUS * TAP_LEVELS];
static u32 hits;

/* ---- life ---- */

void frame_open(void)
{
	const struct tap_limits *limits = &tap_script.limits;

	frame.scratch_base = tap_alloc(limits->scratch);
	frame.out_size = limits->out > 1024 ? (limits->out + 15) & ~15u : 1024;
	frame.out_base = tap_alloc(frame.out_size);
	frame.groups.text = tap_alloc(limits->string);
	for (u32 i = 0; i < TAP_CPUS * TAP_LEVELS; i++) {
		cells[i] = tap_alloc(tap_script.cells_size + 1);
		if (tap_script.init_cells)
			tap_script.init_cells(cells[i]);
	}
}

void frame_close(void)
{
	tap_free(frame.scratch_base);
	tap_free(frame.out_base);
	tap_free(frame.groups.text);
	for (u32 i = 0; i < TAP_CPUS * TAP_LEVELS; i++)
		tap_free(cells[i]);
}

char *frame_cells(u32 i)
{
	return i < TAP_CPUS * TAP_LEVELS ? cells[i] : NULL;
}

/* ---- statements ---- */

static void allow(s32 actions)
{
	frame.c.actions = actions < SLICE ? actions : SLICE;
	frame.actions_left = actions - frame.c.actions;
}

static void fail_for_good(const char *text)
{
	if (frame.c.error)
		return;
	frame.c.error = text;
	frame.trace.n = 0;
	frame.uncatchable = true;
}

/* The error of a handler that ends itself: it is not reported. */
static const char aborted[] = "abort()";

void tap_abort(struct tap_context *c)
{
	tap_exit(c);
	fail_for_good(aborted);
}

bool tap_more_actions(struct tap_context *c)
{
	s32 slice = c->actions < -SLICE ? -c->actions : SLICE;

	if (tap_script.limits.suppress_time_limits) {
		c->actions = SLICE;
		return true;
	}
	if (slice > frame.actions_left)
		slice = frame.actions_left;
	c->actions += slice;
	frame.actions_left -= slice;
	if (c->actions >= 0)
		return true;
	fail_for_good("MAXACTION exceeded (-D MAXACTION=N raises it)");
	return false;
}

/* The process's stack has room for any MAXNESTING. */
bool tap_nest(struct tap_context *c)
{
	if (--c->nesting < 0)
		tap_error(c, "MAXNESTING exceeded");
	return !c->error;
}

/* ---- errors ---- */

void tap_error(struct tap_context *c, const char *format, ...)
{
	va_list args;

	if (c->error)
		return;
	va_start(args, format);
	vsnprintf(frame.message, sizeof(frame.message), format, args);
	va_end(args);
	c->error = frame.message;
	frame.trace.n = 0;
}

void tap_called(struct tap_context *c, const char *call)
{
	(void)c;
	tap_trace_add(&frame.trace, call);
}

bool tap_catchable(const struct tap_context *c)
{
	return c->error && !frame.uncatchable;
}

struct tap_string tap_catch(struct tap_context *c)
{
	const char *error = c->error ? c->error : "";
	struct tap_string s = { error, (u32)strlen(error) };

	if (s.size >= tap_script.limits.string)
		s.size = tap_script.limits.string - 1;
	c->error = NULL;
	return tap_string_hold(c, s);
}

void *tap_scratch_slow(struct tap_context *c, u32 size)
{
	tap_error(c, "no room for a string of %u bytes [man error::scratch]", size);
	return NULL;
}

const char *frame_error_text(void)
{
	static char text[2048];
	int n;

	if (!frame.c.where)
		return frame.c.error;
	n = snprintf(text, sizeof(text), "%s near %s", frame.c.error, frame.c.where);
	if (n < (int)sizeof(text))
		text[n + (int)tap_trace_text(&frame.trace, text + n, (u32)(sizeof(text) - 1) - (u32)n)] = 0;
	return text;
}

static void report_error(void)
{
	const char *text = frame_error_text();

	session.errors++;
	frame.c.error = NULL;
	frame.uncatchable = false;
	if (tap_script.limits.suppress_handler_errors)
		return;
	output_message("ERROR: ", text, strlen(text));
	if (session.errors > tap_script.limits.errors)
		session.exiting = session.failed = true;
}

/* ---- prints ----
 * As in the kernel, they are collected until the handler ends or the buffer is full. */

static void group_send(void)
{
	if (frame.c.out)
		output_items(frame.out_base, (u32)(frame.c.out - frame.out_base));
	frame.c.out = frame.out_base;
}

u8 *tap_print(struct tap_context *c, u32 format, u32 size)
{
	struct tap_item item = { format, size };
	u8 *p;

	if (!c->out || frame.out_size - (u32)(c->out - frame.out_base) < sizeof(item) + (u64)size)
		group_send();
	if (frame.out_size - sizeof(item) < size) {
		session.lost++;
		return NULL;
	}
	p = c->out;
	memcpy(p, &item, sizeof(item));
	c->out = p + sizeof(item) + size;
	return p + sizeof(item);
}

void tap_print_text(struct tap_context *c, u32 kind, struct tap_string text)
{
	u8 *p;

	if (text.size > frame.out_size - sizeof(struct tap_item))
		text.size = frame.out_size - sizeof(struct tap_item);
	p = tap_print(c, kind, text.size);
	if (p)
		memcpy(p, text.data, text.size);
}

void tap_print_hist(struct tap_context *c, u32 format, const struct tap_stat *s,
		    const struct tap_hist_shape *h)
{
	u8 *payload = s ? tap_print(c, format, tap_hist_payload_size(s, h)) : NULL;

	if (payload)
		tap_hist_payload(payload, s, h);
}

void tap_exit(struct tap_context *c)
{
	(void)c;
	session.exiting = true;
}

/* ---- entering and leaving ---- */

static void enter(const struct row *row, bool unhurried)
{
	frame.row = row;
	frame.cpu = hits % TAP_CPUS;
	frame.c.cells = cells[hits++ % (TAP_CPUS * TAP_LEVELS)];
	frame.c.error = NULL;
	frame.c.where = NULL;
	frame.uncatchable = false;
	frame.c.scratch = frame.scratch_base;
	frame.c.scratch_end = frame.scratch_base + tap_script.limits.scratch;
	frame.c.nesting = tap_script.limits.nesting;
	frame.c.stop_next = false;
	allow(unhurried ? tap_script.limits.actions_interruptible : tap_script.limits.actions);
}

static void leave(void)
{
	if (frame.c.error == aborted)
		frame.c.error = NULL;
	group_send();
	frame.c.out = NULL;
	locks_check();
	if (frame.c.nesting != tap_script.limits.nesting)
		broken("the handler at %s left %d functions open", frame.row->probe->position,
		       tap_script.limits.nesting - frame.c.nesting);
}

bool frame_run(const struct row *row, bool unhurried)
{
	enter(row, unhurried);
	row->probe->handler(&frame.c);
	leave();
	return !frame.c.error;
}

void frame_hit(const struct row *row, bool unhurried)
{
	if (!frame_run(row, unhurried))
		report_error();
}

bool frame_condition(const struct row *row)
{
	bool holds;

	enter(row, false);
	holds = row->probe->condition(&frame.c);
	leave();
	if (frame.c.error)
		report_error();
	return holds;
}
