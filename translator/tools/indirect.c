/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See indirect.h. The conditions on the kernel are those of TAP_DIRECT_OPS and TAP_GATE in runtime/kernel/compat.h. */
#include "indirect.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/util.h"
#include "plan/plan.h"
#include "points/family.h"
#include "source/target_host.h"
#include "tap_script.h"

static const char *why_not_release(const struct target_host *host, struct arena *a)
{
	unsigned major = 0, minor = 0;

	if (!str_equal(host->machine, "x86_64"))
		return arena_printf(a, "not on this architecture (%s)", host->machine);
	sscanf(host->release, "%u.%u", &major, &minor);
	if (major < 6 || (major == 6 && minor < 1))
		return arena_printf(a, "not on this kernel (%s): Linux 6.1 is the first one that can", host->release);
	return NULL;
}

static const char *why_not_kernel(struct target_host *host, struct arena *a, bool returns)
{
	static const char *const needed[] = {
		"CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS", "CONFIG_CC_IS_GCC", "CONFIG_PREEMPT_COUNT",
		"CONFIG_TASKS_RCU",
		/* at returns */
		"CONFIG_SMP", "CONFIG_UNWINDER_ORC", "CONFIG_TASKS_RUDE_RCU",
	};
	const char *why = why_not_release(host, a);

	if (why || !target_host_has_config(host, a))
		return why;
	for (size_t i = 0; i < (returns ? ARRAY_SIZE(needed) : 4); i++)
		if (!target_host_config(host, a, needed[i]))
			return arena_printf(a, "not on this kernel: it was built without %s", needed[i]);
	return NULL;
}

const char *indirect_site(struct target_host *host, struct arena *a, const struct site *s)
{
	const char *why = s->family->indirect(s);

	return why ? why : why_not_kernel(host, a, s->flags & TAP_PROBE_RETURN);
}

static const char *why_not(const struct plan *p, struct target_host *host, const struct row *r, const struct site *s)
{
	const char *why = indirect_site(host, p->arena, s);

	return why ? why : s->flags & TAP_PROBE_RETURN ? r->handler->gated.why_not : r->handler->why_not_direct;
}

/* Of places with the same reason the first one is named. */
static void report_row(const struct plan *p, struct target_host *host, const struct row *r)
{
	const char *last = NULL;

	for (size_t i = 0; i < r->sites.n; i++) {
		const char *why = why_not(p, host, r, r->sites.items[i]);
		size_t more = 0;

		if (!why || (last && str_equal(last, why)))
			continue;
		last = why;
		for (size_t k = i + 1; k < r->sites.n; k++) {
			const char *other = why_not(p, host, r, r->sites.items[k]);

			more += other && str_equal(other, why);
		}
		fprintf(stderr, "%s", site_text(p->arena, r->sites.items[i]));
		if (more)
			fprintf(stderr, " and %zu more", more);
		fprintf(stderr, ": no direct calls: %s\n", why);
	}
}

void indirect_report(const struct plan *p, struct target_host *host)
{
	vec_each(r, &p->rows)
		if (r->family->indirect)
			report_row(p, host, r);
}
