// SPDX-License-Identifier: GPL-2.0-or-later
#include "goroutine_number.h"

#include "compat.h"
#include "context.h"
#include "fetch.h"
#include "goroutines.h"
#include "memory.h"
#include "probe.h"

s64 tap_goroutine_number(struct tap_context *c)
{
	extern const struct tap_probe_ops tap_process;
	const struct tap_probe *probe = tap_probe_of(c);
	const struct tap_frame *f = tap_frame(c);
	const struct tap_process *what;
	const struct tap_site *site;
	unsigned long goroutine;
	u64 absent;
	s64 number;

	if (probe->ops != &tap_process || f->asks || !c->regs)
		return 0;
	what = probe->where;
	site = what->go && what->go->number ? tap_process.site(f->row, f->ip) : NULL;
	if (!site)
		return 0;
	goroutine = tap_goroutine(what, container_of(site, struct tap_user_site, site), (struct pt_regs *)c->regs,
				  &absent);
	if (absent)
		tap_fetch_want(c, absent, sizeof(goroutine));
	if (goroutine)
		tap_memory_copy(c, &number, goroutine + what->go->number, sizeof(number), true);
	return goroutine ? number : 0;
}
