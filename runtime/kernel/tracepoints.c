// SPDX-License-Identifier: GPL-2.0-or-later
#include "tracepoints.h"

#include "families.h"
#include "probe.h"

struct search {
	const char *name;
	struct tracepoint *found;
};

static void tracepoints_compare(struct tracepoint *tp, void *data)
{
	struct search *s = data;

	if (!strcmp(tp->name, s->name))
		s->found = tp;
}

static int tracepoints_start(struct tap_listener *t)
{
	struct search s = { .name = t->name };
	int err;

	for_each_kernel_tracepoint(tracepoints_compare, &s);
	if (!s.found)
		return -ENOENT;
	err = tap_fail_here() ? -EIO : tracepoint_probe_register(s.found, t->probe, NULL);
	if (!err)
		t->found = s.found;
	return err;
}

int tap_listeners_start(struct tap_listener *list, u32 n)
{
	int err = 0;

	for (u32 i = 0; i < n && !err; i++)
		err = tracepoints_start(&list[i]);
	return err;
}

void tap_listeners_stop(struct tap_listener *list, u32 n)
{
	bool any = false;

	for (u32 i = 0; i < n; i++) {
		if (!list[i].found)
			continue;
		tracepoint_probe_unregister(list[i].found, list[i].probe, NULL);
		list[i].found = NULL;
		any = true;
	}
	if (any)
		tracepoint_synchronize_unregister();
}
