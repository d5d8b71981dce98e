// SPDX-License-Identifier: GPL-2.0-or-later
/* The monitor file of a session can be read while another process holds its control file, so listing does not
 * disturb the session. */
#include "listing.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "control.h"
#include "common/host.h"
#include "common/message.h"
#include "meta.h"
#include "common/module.h"
#include "snapshots.h"

enum { STOP_PATIENCE = 10000 };		/* ms; end probes may take a while */

const char *listing_state(const struct tap_report *r)
{
	switch (r->state) {
	case TAP_LOADED: return "loaded";
	case TAP_STARTING: return "starting";
	case TAP_STOPPING: return "stopping";
	case TAP_DRAINING: return "over";
	case TAP_FAILED: return "failed";
	}
	if (r->exiting)
		return "exiting";
	return r->held ? "running" : r->detached ? "detached" : "abandoned";
}

static void print_user(uid_t uid)
{
	const struct passwd *entry = getpwuid(uid);

	if (entry)
		printf("%-10s ", entry->pw_name);
	else
		printf("%-10u ", (unsigned)uid);
}

static void print_report(struct control *c)
{
	const struct tap_report *r = &c->report;
	struct tap_probe_report *probes = control_read_probes(c);
	unsigned long long hits = 0;
	struct meta meta;

	for (u32 i = 0; probes && i < r->probe_count; i++)
		hits += probes[i].hits;
	free(probes);
	printf("%-9s %6llus %6u %10llu %6llu %6llu %6lluK", listing_state(r),
	       r->started ? (r->now - r->started) / 1000000000 : 0, r->probe_count, hits, r->errors, r->lost,
	       r->memory >> 10);
	if (meta_read(&meta, c->dir)) {
		printf(" %s", meta.script);
		meta_free(&meta);
	}
}

static void print_one(const char *proc, const char *name, void *count)
{
	uid_t owner = control_owner(proc, name);
	struct control c;
	int err;

	if (!(*(int *)count)++)
		printf("%-24s %-10s %-9s %7s %6s %10s %6s %6s %7s SCRIPT\n", "NAME", "USER", "STATE", "AGE",
		       "PROBES", "HITS", "ERRORS", "LOST", "MEMORY");
	printf("%-24s ", name);
	print_user(owner == (uid_t)-1 ? 0 : owner);
	err = control_open_monitor(&c, proc, name);
	if (!err) {
		print_report(&c);
		control_close(&c);
	} else {
		fputs(err == ENOENT ? "loaded" : err == EPROTO ? "from another version of tapc" : "", stdout);
	}
	putchar('\n');
}

enum tap_status listing_print(const char *proc)
{
	int count = 0;

	control_each(proc, print_one, &count);
	return fflush(stdout) ? TAP_STATUS_HOST : TAP_STATUS_OK;
}

/* tapc names the session of reads.stp "tap_reads_123". */
struct script_name {
	const char *wanted;
	bool is_exact;
	char found[MODULE_NAME_SIZE];
	int count;
};

static void compare_script(const char *proc, const char *name, void *data)
{
	static const char prefix[] = "tap_";
	struct script_name *s = data;
	const char *rest = name + strlen(prefix);
	size_t n = strlen(s->wanted);

	(void)proc;
	s->is_exact |= strcmp(name, s->wanted) == 0;
	if (strncmp(name, prefix, strlen(prefix)) != 0 || strncmp(rest, s->wanted, n) != 0 || rest[n] != '_' ||
	    !rest[n + 1] || rest[n + 1 + strspn(rest + n + 1, "0123456789")])
		return;
	s->count++;
	snprintf(s->found, sizeof(s->found), "%s", name);
}

bool listing_complete(const char *proc, char *name)
{
	struct script_name s = { .wanted = name };

	control_each(proc, compare_script, &s);
	if (s.is_exact || !s.count)
		return true;
	if (s.count > 1) {
		message_error("%d sessions run the script '%s': --sessions lists their names", s.count, name);
		return false;
	}
	memcpy(name, s.found, sizeof(s.found));
	return true;
}

bool listing_is_held(const char *proc, const char *name)
{
	struct control c;
	bool held = false;

	if (control_open_monitor(&c, proc, name) == 0) {
		held = c.report.held;
		control_close(&c);
	}
	return held;
}

enum tap_status listing_snapshot(const char *proc, const char *name)
{
	struct control c;
	int err = control_open_monitor(&c, proc, name);

	if (!err)
		err = control_send(&c, TAP_SNAPSHOT, NULL, 0);
	control_close(&c);
	if (!err)
		return TAP_STATUS_OK;
	message_error("no snapshot of '%s': %s", name, snapshots_refusal(err));
	return TAP_STATUS_LOAD;
}

enum tap_status listing_stop(const char *proc, const char *name)
{
	struct control c;
	int err = control_open_monitor(&c, proc, name);

	if (!err)
		err = control_send(&c, TAP_EXIT, NULL, 0);
	control_close(&c);
	for (int ms = 0; !err && control_owner(proc, name) != (uid_t)-1; ms += 10) {
		if (ms > STOP_PATIENCE)
			err = ETIMEDOUT;
		host_sleep_ms(10);
	}
	if (!err)
		return TAP_STATUS_OK;
	message_error(err == EACCES ? "the session of module '%s' belongs to another user"
				    : "the session of module '%s' does not end: %s", name, strerror(err));
	return TAP_STATUS_LOAD;
}
