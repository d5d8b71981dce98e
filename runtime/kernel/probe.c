// SPDX-License-Identifier: GPL-2.0-or-later
/* What a handler can ask about its probe. */
#include "probe.h"

#include "symbol.h"

/* All code of a script runs for a probe; still nothing here depends on that. */
const struct tap_probe *tap_probe_of(const struct tap_context *c)
{
	static const struct tap_probe_ops no_family = { .name = "" };
	static const struct tap_probe none = { .ops = &no_family, .point = "", .written = "", .position = "" };
	const struct tap_row *row = tap_frame(c)->row;

	return row ? row->probe : &none;
}

u32 tap_interrupt_level(const struct tap_context *c)
{
	u32 level = tap_frame(c)->level;

	return !level && tap_is_on_irq_stack() ? 2 : level;	/* its end no longer counts as an interrupt */
}

/* NULL if nothing was hit, or the site has no name. */
static const struct tap_site *probe_site(const struct tap_frame *f)
{
	const struct tap_probe_ops *ops = tap_probe_of(&f->c)->ops;

	return ops->site && !f->asks ? ops->site(f->row, f->ip) : NULL;
}

struct tap_string tap_probe_type(struct tap_context *c)
{
	const char *name = tap_probe_of(c)->ops->name;

	return (struct tap_string){ name, strlen(name) };
}

/* The function is the text before an '@', unless an address is shown. A place given by its absolute address has no
 * other name: it is looked up. */
struct tap_string tap_ppfunc(struct tap_context *c)
{
	const struct tap_site *site = probe_site(tap_frame(c));
	const char *shown = !site ? "" : site->shown && site->shown[0] != '0' ? site->shown : site->symbol;

	if (shown[0] == '0')
		return tap_symbol_name(c, site->offset);
	return (struct tap_string){ shown, strchrnul(shown, '@') - shown };
}

struct tap_string tap_pp(struct tap_context *c)
{
	struct tap_frame *f = tap_frame(c);
	const char *point = tap_probe_of(c)->point, *mark = strchr(point, 1);
	const struct tap_site *site;
	const char *shown;
	struct tap_string before = { point, mark ? mark - point : strlen(point) };

	if (!mark)
		return before;
	site = probe_site(f);
	shown = !site ? "" : site->shown ? site->shown : site->symbol;
	before = tap_concat(c, before, (struct tap_string){ shown, strlen(shown) });
	return tap_concat(c, before, (struct tap_string){ mark + 1, strlen(mark + 1) });
}

/* As written in the script, unless that can match several points. */
struct tap_string tap_pn(struct tap_context *c)
{
	const struct tap_probe *probe = tap_probe_of(c);
	const char *name = probe->alias;

	if (!name && !strpbrk(probe->written, "*?[{,"))
		name = probe->written;
	return name ? (struct tap_string){ name, strlen(name) } : tap_pp(c);
}
