/* SPDX-License-Identifier: GPL-2.0-or-later */
/* override(): the handler skips the probed function. The family must support this at each of the handler's
 * sites. */
#include "override.h"

#include "source/diag.h"
#include "points/family.h"
#include "plan.h"
#include "source/options.h"

#include "tap_script.h"

static bool check_site(const struct plan *p, const struct site *s)
{
	struct sites problems = { .images = p->images, .options = p->options,
				  .arena = p->arena };

	if (s->family->may_override && s->family->may_override(s, &problems))
		return true;
	diag_error(s->point->span, "override() is not possible here");
	vec_each(reason, &problems.reasons)
		diag_note(s->point->span, "%s", *reason);
	if (!problems.reasons.n)
		diag_note(s->point->span, "it is allowed only at the entry of a function: "
				       "kernel.function(\"name\").call");
	return false;
}

void plan_overrides(const struct plan *p)
{
	vec_each(h, &p->handlers) {
		if (!(h->regs & TAP_PROBE_OVERRIDE))
			continue;
		for (size_t i = 0; i < h->handler->sites.n; i++)
			if (!check_site(p, &h->handler->sites.items[i]))
				break;
	}
}
