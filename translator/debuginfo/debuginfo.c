/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles, and the chain of back ends behind them. */
#include "debuginfo/debuginfo.h"

#include <string.h>

#include "arch/arch.h"
#include "debuginfo/backend.h"
#include "debuginfo/program/image.h"
#include "base/util.h"

static enum debuginfo_answer answer(struct debuginfo *d, enum debuginfo_answer answer,
				    const char *reason)
{
	d->reason = answer == DEBUGINFO_FOUND ? "" : reason;
	return answer;
}

struct debuginfo *debuginfo_kernel(struct arena *a, const struct debuginfo_request *request)
{
	struct debuginfo *d = arena_new(a, struct debuginfo);

	d->arena = a;
	d->request = *request;
	if (!d->request.sysroot)
		d->request.sysroot = "";
	if (!d->request.arch)
		d->request.arch = arch_host();
	d->kernel = d;
	d->reason = "";
	return d;
}

const struct arch *debuginfo_arch(const struct debuginfo *d)
{
	return d->request.arch;
}

bool debuginfo_uses(struct debuginfo *d, const char *path)
{
	if (d->request.uses)
		d->request.uses(d->request.uses_data, path);
	return file_exists(path);
}

static char *underscored(struct arena *a, const char *name)
{
	char *copy = arena_strdup(a, name);

	for (char *p = copy; *p; p++)
		if (*p == '-')
			*p = '_';
	return copy;
}

struct debuginfo *debuginfo_module(struct debuginfo *kernel, const char *name)
{
	struct debuginfo *d;
	const char *reason, *path = strchr(name, '/') ? name : NULL;
	enum debuginfo_answer found;

	name = path ? module_name_of_path(kernel->arena, path) : underscored(kernel->arena, name);
	if (!name) {
		answer(kernel, DEBUGINFO_ABSENT, arena_printf(kernel->arena, "'%s' is no module's file", path));
		return NULL;
	}
	for (d = kernel->next; d; d = d->next)
		if (str_equal(d->module, name)) {
			kernel->reason = "";
			return d;
		}
	d = arena_new(kernel->arena, struct debuginfo);
	*d = (struct debuginfo){ .arena = kernel->arena, .request = kernel->request,
				 .kernel = kernel, .module = name, .path = path, .reason = "" };
	found = module_locate(d, &reason);
	answer(kernel, found, reason);
	if (found != DEBUGINFO_FOUND)
		return NULL;
	d->next = kernel->next;
	kernel->next = d;
	return d;
}

void debuginfo_close(struct debuginfo *kernel)
{
	/* A module's types refer to the kernel's. */
	if (kernel->next)
		debuginfo_close(kernel->next);
	index_close(&kernel->index);
	dwarf_close(kernel);
	btf_close(kernel);
	program_close(kernel);
}

const char *debuginfo_reason(const struct debuginfo *d)
{
	return d->reason;
}

const char *debuginfo_module_name(const struct debuginfo *d)
{
	return d->module;
}

enum debuginfo_answer debuginfo_modules(struct debuginfo *kernel, const char *pattern,
					struct module_names *found)
{
	const char *reason = "";
	enum debuginfo_answer listed;

	if (!strchr(pattern, '/'))
		pattern = underscored(kernel->arena, pattern);
	listed = module_list(kernel, pattern, found, &reason);

	return answer(kernel, listed, reason);
}

/* ---- symbols ---- */

static enum debuginfo_answer open_symbols(struct debuginfo *d)
{
	if (!d->symbols_opened) {
		d->symbols_opened = true;
		d->symbols_reason = "";
		d->symbols_answer = symbols_open(d, &d->symbols_reason);
		d->index.module = d->module;
	}
	return answer(d, d->symbols_answer, d->symbols_reason);
}

static enum debuginfo_answer match(struct debuginfo *d, const char *pattern, uint32_t flags,
				   const char *kind, struct symbols *found)
{
	enum debuginfo_answer opened = open_symbols(d);
	struct debuginfo_facts facts;

	if (opened != DEBUGINFO_FOUND || index_match(&d->index, d->arena, pattern, flags, found) ||
	    (d->program && program_match(d, pattern, flags, found)))
		return opened;
	index_facts(&d->index, &facts);
	return answer(d, DEBUGINFO_ABSENT,
		      arena_printf(d->arena, "no %s %s '%s' in the symbols of %s", kind,
				   is_glob(pattern) ? "matches" : "is named", pattern, facts.source));
}

enum debuginfo_answer debuginfo_functions(struct debuginfo *d, const char *pattern,
					  struct symbols *found)
{
	return match(d, pattern, SYMBOL_FUNCTION, "function", found);
}

enum debuginfo_answer debuginfo_data(struct debuginfo *d, const char *pattern, struct symbols *found)
{
	return match(d, pattern, SYMBOL_DATA, "variable", found);
}

enum debuginfo_answer debuginfo_symbol_at(struct debuginfo *d, const char *section, int64_t offset,
					  struct symbol *found)
{
	enum debuginfo_answer opened = open_symbols(d);

	if (opened != DEBUGINFO_FOUND || index_at(&d->index, section, offset, found))
		return opened;
	return answer(d, DEBUGINFO_ABSENT, "no function is there");
}

const char *debuginfo_suggest(struct debuginfo *d, const char *name)
{
	return open_symbols(d) == DEBUGINFO_FOUND ? index_suggest(&d->index, name) : NULL;
}

enum debuginfo_answer debuginfo_facts(struct debuginfo *d, struct debuginfo_facts *facts)
{
	enum debuginfo_answer opened = open_symbols(d);

	*facts = (struct debuginfo_facts){ 0 };
	if (opened == DEBUGINFO_FOUND)
		index_facts(&d->index, facts);
	return opened;
}

enum debuginfo_answer debuginfo_prototypes(struct debuginfo *d, const char *pattern,
					   struct prototypes *found)
{
	const char *reason = "";
	enum debuginfo_answer asked = btf_prototypes(d, pattern, found, &reason);

	return answer(d, asked, reason);
}

/* ---- names ---- */

bool debuginfo_is_user(const struct debuginfo *d)
{
	return d->program || d->is_user_types;
}

void debuginfo_set_user(struct debuginfo *d)
{
	d->is_user_types = true;
}

const char *symbol_obstacle_text(enum symbol_obstacle obstacle)
{
	static const char *const texts[] = {
		[OBSTACLE_NONE] = NULL,
		[OBSTACLE_DATA] = "is data, not code",
		[OBSTACLE_INIT] = "is __init: it ran at boot and its memory was given back",
		[OBSTACLE_EXIT] = "is __exit code of something built in: it is not kept after boot",
		[OBSTACLE_PADDING] = "is padding before a function: it never runs",
		[OBSTACLE_NOINSTR] = "is noinstr: the kernel allows no probes there",
		[OBSTACLE_KPROBES] = "belongs to the kernel's own handling of probes",
		[OBSTACLE_ENTRY] = "is entry code of exceptions or system calls: the kernel allows no "
				   "probes there",
		[OBSTACLE_LISTED] = "is on the kernel's list of functions without probes "
				    "(NOKPROBE_SYMBOL)",
	};

	return texts[obstacle];
}

static const struct {
	const char *suffix;
	enum symbol_clone clone;
} clones[] = {
	{ ".cold", CLONE_COLD },
	{ ".part", CLONE_PART },
	{ ".isra", CLONE_ISRA },
	{ ".constprop", CLONE_CONSTPROP },
	{ ".llvm.", CLONE_LLVM },
	{ ".lto_priv", CLONE_LTO },
};

size_t symbol_base_length(const char *name)
{
	size_t n = strlen(name);
	const char *dot = n ? strchr(name + 1, '.') : NULL;

	return dot ? (size_t)(dot - name) : n;
}

/* Of several suffixes ("f.isra.0.cold") the one in the order above decides. */
enum symbol_clone symbol_clone(const char *name)
{
	const char *suffix = name + symbol_base_length(name);

	if (!*suffix)
		return CLONE_NONE;
	for (size_t i = 0; i < ARRAY_SIZE(clones); i++)
		if (strstr(suffix, clones[i].suffix))
			return clones[i].clone;
	return CLONE_OTHER;
}
