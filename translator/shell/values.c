/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Without its probes a script does not tell the types of its globals. The session's file has them, and statements that
 * never run say them to the translator. */
#include "values.h"

#include <errno.h>
#include <string.h>

#include "abi/tap_globals.h"
#include "base/util.h"
#include "staging/session/control.h"

static const char never[] = "__never";

static const char *zero_of(u8 type)
{
	return type == TAP_STRING_TYPE ? "\"\"" : "0";
}

/* a["", 0] <<< 0 */
static void write_types(struct text *out, const struct tap_saved *g, const char *name)
{
	text_printf(out, "%.*s", (int)g->name_size, name);
	for (unsigned i = 0; i < g->key_count && i < TAP_MOST_KEYS; i++)
		text_printf(out, "%s%s%s", i ? ", " : "[", zero_of(g->key_types[i]), i + 1 < g->key_count ? "" : "]");
	text_printf(out, " %s %s\n", g->type == TAP_STATS ? "<<<" : "=", zero_of(g->type));
}

/* A global of the library has its file in its name. */
static bool is_own(const struct tap_saved *g, const char *name)
{
	return !memchr(name, ' ', g->name_size);
}

static bool is_named(const struct tap_saved *g, const char *name, const char *wanted)
{
	return strlen(wanted) == g->name_size && memcmp(name, wanted, g->name_size) == 0;
}

/* The types of all globals, or, if there is one called NAME, only its types. Returns whether there is. */
static bool write_all(struct text *out, const char *data, size_t size, const char *wanted)
{
	struct text all;
	struct tap_saved g;

	text_init(&all, out->arena);
	for (size_t at = 0; size - at >= sizeof(g); at += g.size) {
		const char *name = data + at + sizeof(g);

		memcpy(&g, data + at, sizeof(g));
		if (g.size < sizeof(g) || g.size > size - at || g.name_size > g.size - sizeof(g))
			break;
		if (is_named(&g, name, wanted)) {
			write_types(out, &g, name);
			return true;
		}
		if (is_own(&g, name))
			write_types(&all, &g, name);
	}
	text_add_n(out, all.s, all.n);
	return false;
}

static char *read_globals(const char *module, size_t *size)
{
	struct control c;
	int err = control_open_monitor(&c, CONTROL_PROC, module);
	char *data = NULL;

	if (!err) {
		data = control_read_globals(&c, size);
		err = errno;
		control_close(&c);
	}
	if (!data)
		error_print("cannot read the globals of the session: %s", strerror(err));
	return data;
}

const char *values_probe(struct shell *sh, const char *expression, bool *is_global)
{
	_cleanup_free_ char *data = NULL;
	struct text out;
	size_t size;

	*is_global = false;
	text_init(&out, sh->arena);
	if (sh->session.pid) {
		data = read_globals(sh->session.module, &size);
		if (!data)
			return NULL;
		text_printf(&out, "global %s\nprobe begin {\nif (%s) {\n", never, never);
		*is_global = write_all(&out, data, size, expression);
		text_add(&out, "}\n");
	} else {
		text_add(&out, "probe begin {\n");
	}
	if (!*is_global)
		text_printf(&out, "println(\n%s\n)\n", expression);
	text_add(&out, "exit()\n}\n");
	return out.s;
}
