// SPDX-License-Identifier: GPL-2.0-or-later
/* The numbers come from the module's report. Losses are counted a second time from the records' sequence
 * numbers. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/host.h"
#include "common/json.h"
#include "common/message.h"

static void report_skips(const struct tap_report *r)
{
	static const char *const reasons[] = {
		"reentrancy", "locks held too long", "overload", "low stack",
	};
	const u64 counts[] = {
		r->skipped_reentrant, r->skipped_lock, r->skipped_overload, r->skipped_stack,
	};
	u64 skipped = 0;

	for (int i = 0; i < 4; i++)
		skipped += counts[i];
	if (r->errors || skipped)
		message_warning("Number of errors: %llu, skipped probes: %llu", r->errors, skipped);
	for (int i = 0; i < 4; i++)
		if (counts[i])
			message_warning("Skipped due to %s: %llu", reasons[i], counts[i]);
}

/* Records that were made but not read. */
static u64 lost_records(const struct tap_report *t, const struct relay *r)
{
	u64 gaps = relay_lost(r);

	return gaps > t->lost ? gaps : t->lost;
}

static void report_losses(const struct tap_report *t, const struct relay *r, u64 buffer)
{
	u64 gaps = relay_lost(r), lost = lost_records(t, r);
	u64 made = r->records + lost;
	char advice[64] = "-s MB makes them larger";

	if (gaps != t->lost)
		message_verbose(1, "lost records: %llu by sequence numbers, %llu by the module's count",
				gaps, t->lost);
	if (!lost)
		return;
	if (buffer)
		snprintf(advice, sizeof(advice), "-s %llu doubles them", (buffer >> 20) * 2);
	message_warning("Lost records: %llu of %llu, because buffers were full: %s", lost, made, advice);
}

static const char *point_of(const struct meta *m, u32 row)
{
	return row < m->probe_count ? m->probes[row].point : "?";
}

static u64 duration(const struct tap_report *t)
{
	return t->started ? t->now - t->started : 0;
}

/* The CPU percentage is the time in the handler relative to the session's duration. */
static void report_time(const struct meta_probe *probe, const struct tap_probe_report *p, u64 whole)
{
	if (p->hits || p->skipped)
		message_verbose(0, "%s, (%s), hits: %llu, ns: %llumin/%lluavg/%llumax, skipped: %llu, CPU: %.2f%%",
				probe->point, probe->position, p->hits, p->time_min,
				p->hits ? p->time / p->hits : 0, p->time_max, p->skipped,
				whole ? 100.0 * (double)p->time / (double)whole : 0);
}

static const char *why_indirect(u32 why)
{
	static const char *const texts[] = {
		[TAP_INDIRECT_KERNEL] = "this kernel or this processor does not support them",
		[TAP_INDIRECT_CGROUP] = "they cannot be limited to a cgroup",
		[TAP_INDIRECT_POLICY] = "BPF programs that enforce a policy come first",
		[TAP_INDIRECT_ROWS] = "other probes of the script are at the same functions",
		[TAP_INDIRECT_ROOM] = "there are too many probes or functions",
		[TAP_INDIRECT_TAKEN] = "another user of ftrace, such as a BPF program, has the function",
		[TAP_INDIRECT_GATE] = "the module tap_gate is not loaded, or is in use by too many probes",
		[TAP_INDIRECT_REFUSED] = "ftrace refused them",
	};

	return why < ARRAY_SIZE(texts) && texts[why] ? texts[why] : "the reason is not known";
}

static void report_direct(const char *point, const struct tap_probe_report *p)
{
	if (p->direct)
		message_verbose(1, "%s: direct calls: %u", point, p->direct);
	if (p->indirect)
		message_verbose(1, "%s: %s direct calls: %s", point, p->direct ? "not everywhere" : "no",
				why_indirect(p->indirect));
}

static void report_probes(struct control *c, const struct meta *m, bool timing)
{
	struct tap_probe_report *p = control_read_probes(c);

	for (u32 i = 0; p && i < c->report.probe_count; i++) {
		message_verbose(1, "%s: hits: %llu, skipped: %llu", point_of(m, i), p[i].hits,
				p[i].skipped);
		report_direct(point_of(m, i), &p[i]);
		if (p[i].shed)
			message_warning("Switched off for overload: %s at %s, after %llu hits "
					"(--strict ends the session instead)", point_of(m, i),
					m->probes[i].position, p[i].hits);
		if (timing && i < m->probe_count)
			report_time(&m->probes[i], &p[i], duration(&c->report));
		if (p[i].missed)
			message_warning("Missed returns: %llu of %s (.maxactive(N) allows more at once)",
					p[i].missed, point_of(m, i));
	}
	free(p);
}

void report_session(struct control *c, const struct meta *m, const struct relay *r,
		    const struct options *o)
{
	const struct tap_report *t = &c->report;

	report_skips(t);
	report_losses(t, r, o->buffer);
	report_probes(c, m, o->timing);
	message_verbose(1, "%llu places probed, %llu failed; %llu records; "
			"%llu KB of kernel memory",
			t->sites, t->sites_failed, (unsigned long long)r->records, t->memory >> 10);
	if (t->fetched || t->unfetched)
		message_verbose(1, "memory of programs was fetched for %llu reads, and could not be for %llu",
				t->fetched, t->unfetched);
	if (t->sites_direct)
		message_verbose(1, "%llu of them by direct calls", t->sites_direct);
	if (r->order.late)
		message_verbose(1, "%llu records were printed after later ones",
				(unsigned long long)r->order.late);
}

/* ---- JSON ---- */

static void write_probe(struct output *out, const struct meta *m, u32 row, const struct tap_probe_report *p)
{
	const char *position = row < m->probe_count ? m->probes[row].position : "?";
	const char *point = point_of(m, row);

	json_begin(out, "probe");
	json_text(out, "point", point, strlen(point));
	json_text(out, "position", position, strlen(position));
	json_unsigned(out, "hits", p->hits);
	json_unsigned(out, "skipped", p->skipped);
	json_unsigned(out, "missed", p->missed);
	json_switch(out, "shed", p->shed);
	if (p->time) {
		json_unsigned(out, "ns", p->time);
		json_unsigned(out, "ns_min", p->time_min);
		json_unsigned(out, "ns_max", p->time_max);
	}
	json_end(out);
}

static void write_skips(struct output *out, const struct tap_report *t)
{
	json_open(out, "skipped", '{');
	json_unsigned(out, "reentrancy", t->skipped_reentrant);
	json_unsigned(out, "locks", t->skipped_lock);
	json_unsigned(out, "overload", t->skipped_overload);
	json_unsigned(out, "stack", t->skipped_stack);
	json_close(out, '}');
}

void report_session_json(struct control *c, const struct meta *m, const struct relay *r,
			 struct output *out)
{
	struct tap_probe_report *p = control_read_probes(c);
	const struct tap_report *t = &c->report;

	for (u32 i = 0; p && i < t->probe_count; i++)
		write_probe(out, m, i, &p[i]);
	free(p);
	json_begin(out, "session");
	json_unsigned(out, "ns", duration(t));
	json_unsigned(out, "errors", t->errors);
	write_skips(out, t);
	json_unsigned(out, "records", r->records);
	json_unsigned(out, "lost", lost_records(t, r));
	json_unsigned(out, "fetched", t->fetched);
	json_unsigned(out, "unfetched", t->unfetched);
	json_unsigned(out, "places", t->sites);
	json_unsigned(out, "places_failed", t->sites_failed);
	json_unsigned(out, "memory", t->memory);
	json_end(out);
}
