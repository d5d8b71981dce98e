/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sources of an image's symbols: a cached index, or else the sources in order of how complete they are.
 *
 * For the running kernel, its own reports come first (kallsyms, tracefs); if it hides its addresses or has no
 * tracefs, an image on disk with the same build-id is used. For another kernel: the vmlinux of its debug package,
 * its boot image, and its System.map, which comes last because it has neither build-id nor ftrace sites. */
#include "sources.h"
#include "debuginfo/handle.h"
#include "debuginfo/program/image.h"

#include <string.h>
#include <sys/stat.h>

#include "arch/arch.h"
#include "tracefs.h"
#include "base/text.h"
#include "base/util.h"
#include "debuginfo/program/symbols.h"
#include "elf.h"
#include "files.h"
#include "kallsyms.h"
#include "module.h"
#include "symbols.h"

static const char *rooted(struct debuginfo *d, const char *path)
{
	return arena_printf(d->arena, "%s%s", d->request.sysroot, path);
}

/* ---- facts that an image has besides its symbols ---- */

/* The u64s between two symbols, which are addresses in L's code; 0 in *N: they cannot be read. */
static uint64_t *read_table(struct arena *a, const struct image *image, const struct symbol_list *l,
			    const char *start, const char *stop, size_t *n)
{
	const struct raw_symbol *s = symbol_list_find(l, start), *e = symbol_list_find(l, stop);
	const uint8_t *p = NULL;
	uint64_t *table, *out;

	*n = 0;
	if (s && e && s->address < e->address)
		p = image_at(image, s->address, e->address - s->address);
	if (!p)
		return NULL;
	table = out = arena_array(a, uint64_t, (e->address - s->address) / 8 + 1);
	for (uint64_t at = 0; at + 8 <= e->address - s->address; at += 8) {
		uint64_t address = load64(p + at);
		const struct raw_symbol *in = symtab_at(l, address);

		if (in && !(in->flags & SYMBOL_ABSOLUTE) && address)
			*out++ = address;
	}
	*n = (size_t)(out - table);
	return table;
}

static const struct arch *arch_of_image(const struct debuginfo *d, const struct image *image)
{
	const struct arch *arch = d->request.arch;

	return arch && arch->elf_machine == image->machine ? arch : NULL;
}

static void add_image_facts(struct debuginfo *d, struct arena *a, const struct image *image, struct symbol_list *l)
{
	const uint8_t *id = NULL;
	size_t n = image_build_id(image, &id);
	uint64_t *table, address;
	struct bytes notes = image_notes(image, &address);

	if (notes.size && !l->notes_size) {
		l->notes_address = address;
		l->notes_size = notes.size;
	}
	if (!n && l->notes_size) {
		const uint8_t *p = image_at(image, l->notes_address, l->notes_size);

		if (p)
			n = notes_build_id(&(struct bytes){ p, l->notes_size, 0 }, &id);
	}
	symbol_list_build_id(l, id, n);
	table = read_table(a, image, l, "__start_mcount_loc", "__stop_mcount_loc", &n);
	if (!n)
		table = image_patchable(a, image, &n);
	if (n)
		symtab_mark_sites(l, table, n, arch_of_image(d, image));
	table = read_table(a, image, l, "__start_kprobe_blacklist", "__stop_kprobe_blacklist", &n);
	for (size_t i = 0; i < n; i++)
		symtab_mark_listed(l, table[i], table[i]);
	l->blacklist |= n != 0;
}

static enum debuginfo_answer from_image(struct debuginfo *d, const char *path, struct symbol_list *l,
					const char **reason)
{
	struct arena *a = l->arena;
	struct image image;
	enum debuginfo_answer found = image_open(a, path, &image, reason);

	if (found != DEBUGINFO_FOUND)
		return found;
	found = elf_symbols(&image, l, reason);
	if (found == DEBUGINFO_ABSENT)
		found = kallsyms_decode(a, &image, l, reason);
	if (found == DEBUGINFO_FOUND) {
		found = symtab_classify(l, reason);
		*reason = arena_printf(a, "%s: %s", path, *reason);
	}
	if (found == DEBUGINFO_FOUND)
		add_image_facts(d, a, &image, l);
	btf_keep(d, image_btf(&image));
	l->source = path + strlen(d->request.sysroot);
	image_close(&image);
	return found;
}

/* Debian's file is one line that says where the real one is. */
static enum debuginfo_answer from_system_map(struct debuginfo *d, struct symbol_list *l,
					     const char **reason)
{
	static const char *const formats[] = { "/boot/System.map-@", "/usr/lib/modules/@/System.map",
					       "/lib/modules/@/System.map" };
	const char *path = first_file_of_release(d, formats, ARRAY_SIZE(formats));
	const char *text = path ? file_read(l->arena, path, NULL) : NULL;
	enum debuginfo_answer found;

	if (!text) {
		*reason = "there is no System.map";
		return DEBUGINFO_ABSENT;
	}
	if (strstr(text, "is in the") && strlen(text) < 4096) {
		*reason = arena_printf(l->arena, "%s only refers to a debug package", path);
		return DEBUGINFO_ABSENT;
	}
	found = kallsyms_parse(text, NULL, l, reason);
	if (found == DEBUGINFO_FOUND)
		found = symtab_classify(l, reason);
	if (found != DEBUGINFO_FOUND)
		*reason = arena_printf(l->arena, "%s: %s", path, *reason);
	l->source = path + strlen(d->request.sysroot);
	return found;
}

/* *ALL: the running kernel reported everything. */
static enum debuginfo_answer from_running(struct debuginfo *d, struct symbol_list *l, bool *all,
					  const char **reason)
{
	const char *root = d->request.sysroot, *text;
	const uint8_t *id = NULL;
	size_t n = running_kernel_build_id(d, &id);
	enum debuginfo_answer found;

	text = file_read(l->arena, rooted(d, "/proc/kallsyms"), NULL);
	if (!text) {
		*reason = "/proc/kallsyms cannot be read";
		return DEBUGINFO_ABSENT;
	}
	found = kallsyms_parse(text, NULL, l, reason);
	if (found == DEBUGINFO_FOUND)
		found = symtab_classify(l, reason);
	if (found != DEBUGINFO_FOUND) {
		*reason = arena_printf(l->arena, "/proc/kallsyms: %s", *reason);
		return found;
	}
	l->source = "/proc/kallsyms";
	symbol_list_build_id(l, id, n);
	*all = tracefs_mark_sites(l->arena, root, l, d->request.arch);
	*all &= tracefs_mark_listed(l->arena, root, l);
	return DEBUGINFO_FOUND;
}

/* ---- the chain ---- */

/* One attempt: read a source into an empty list in its own arena. */
struct attempt {
	struct arena *arena;
	struct symbol_list list;
	enum debuginfo_answer answer;
};

static void attempt_begin(struct attempt *t)
{
	*t = (struct attempt){ .arena = arena_open(), .answer = DEBUGINFO_ABSENT };
	symbol_list_init(&t->list, t->arena);
}

static void add_reason(struct text *reasons, const char *reason)
{
	if (reasons->n)
		text_add(reasons, "; ");
	text_add(reasons, reason);
}

/* Keep T if it has symbols; otherwise record the reason. */
static bool attempt_end(struct attempt *t, const char *reason, struct text *reasons, bool *broken)
{
	if (t->answer == DEBUGINFO_FOUND)
		return true;
	*broken |= t->answer == DEBUGINFO_BROKEN;
	add_reason(reasons, reason);
	arena_close(t->arena);
	t->arena = NULL;
	return false;
}

static bool try_image(struct debuginfo *d, const char *path, struct attempt *t, struct text *reasons,
		      bool *broken)
{
	const char *reason = "";

	if (!path)
		return false;
	attempt_begin(t);
	debuginfo_progress(d, arena_printf(t->arena, "reading the symbols of %s", path));
	t->answer = from_image(d, path, &t->list, &reason);
	return attempt_end(t, reason, reasons, broken);
}

static bool try_images(struct debuginfo *d, struct attempt *t, struct text *reasons, bool *broken)
{
	const char *packed = kernel_image_path(d);

	if (try_image(d, debug_image_path(d), t, reasons, broken) ||
	    try_image(d, packed, t, reasons, broken))
		return true;
	if (!packed)
		add_reason(reasons, arena_printf(d->arena, "there is no %s/boot/vmlinuz-%s (Debian's "
						 "linux-image-%s has it)", d->request.sysroot,
						 d->request.release, d->request.release));
	return false;
}

static bool try_system_map(struct debuginfo *d, struct attempt *t, struct text *reasons, bool *broken)
{
	const char *reason = "";

	attempt_begin(t);
	t->answer = from_system_map(d, &t->list, &reason);
	return attempt_end(t, reason, reasons, broken);
}

static void say_what_lacks(struct symbol_list *l)
{
	if (l->only_names && l->blacklist)
		l->lacks = "exactly which functions ftrace can reach, only their names";
	else if (!l->ftrace_sites && !l->blacklist)
		l->lacks = "which functions ftrace can reach, and which the kernel forbids to probe";
	else if (!l->ftrace_sites)
		l->lacks = "which functions ftrace can reach";
	else if (!l->blacklist)
		l->lacks = "which functions the kernel forbids to probe";
}

/* If the running kernel does not report everything, use an image of the same build. */
static bool try_same_build(struct debuginfo *d, struct attempt *t, struct text *reasons, bool *broken)
{
	const uint8_t *id = NULL;
	size_t n = running_kernel_build_id(d, &id);

	if (!try_images(d, t, reasons, broken))
		return false;
	if (n && n == t->list.build_id_size && memcmp(id, t->list.build_id, n) == 0)
		return true;
	add_reason(reasons, arena_printf(d->arena, "%s is not the running kernel: its build-id "
					 "differs", t->list.source));
	arena_close(t->arena);
	return false;
}

static bool try_running(struct debuginfo *d, struct attempt *t, struct text *reasons, bool *broken)
{
	const char *reason = "";
	bool all = false, found;
	struct attempt image;

	attempt_begin(t);
	debuginfo_progress(d, "reading the symbols of the running kernel");
	t->answer = from_running(d, &t->list, &all, &reason);
	found = attempt_end(t, reason, reasons, broken);
	if ((found && all) || !try_same_build(d, &image, reasons, broken))
		return found;
	if (found)
		arena_close(t->arena);
	*t = image;
	return true;
}

static enum debuginfo_answer read_kernel(struct debuginfo *d, struct index *x, const char **reason)
{
	struct attempt t = { 0 };
	struct text reasons;
	bool broken = false, found;

	text_init(&reasons, d->arena);
	if (d->request.is_running_kernel)
		found = try_running(d, &t, &reasons, &broken);
	else
		found = try_images(d, &t, &reasons, &broken) ||
			try_system_map(d, &t, &reasons, &broken);
	if (!found) {
		*reason = reasons.s;
		return broken ? DEBUGINFO_BROKEN : DEBUGINFO_ABSENT;
	}
	say_what_lacks(&t.list);
	index_build(x, &t.list);
	arena_close(t.arena);
	return DEBUGINFO_FOUND;
}

/* ---- modules ---- */

/* If the module is loaded, does the loaded one have this build-id? */
static bool is_loaded_build(struct debuginfo *d, const uint8_t *build_id, size_t size)
{
	const char *path = rooted(d, arena_printf(d->arena, "/sys/module/%s/notes/.note.gnu.build-id",
						  d->module));
	const uint8_t *id;
	size_t n;
	const char *notes = d->request.is_running_kernel ? file_read(d->arena, path, &n) : NULL;

	if (!notes)
		return true;
	n = notes_build_id(&(struct bytes){ (const uint8_t *)notes, n, 0 }, &id);
	return !n || (n == size && memcmp(id, build_id, n) == 0);
}

static enum debuginfo_answer from_module_file(struct debuginfo *d, struct symbol_list *l,
					      const char **reason)
{
	struct image image;
	enum debuginfo_answer found = image_open(l->arena, d->path, &image, reason);

	if (found != DEBUGINFO_FOUND)
		return found;
	found = elf_module_symbols(&image, arch_of_image(d, &image), l, reason);
	l->source = module_target_path(d);
	image_close(&image);
	if (found == DEBUGINFO_FOUND && !is_loaded_build(d, l->build_id, l->build_id_size)) {
		*reason = arena_printf(l->arena, "%s is not the loaded module: its build-id "
				       "differs", d->path);
		return DEBUGINFO_BROKEN;
	}
	return found;
}

/* *KEEP: the result is from the file, so it is also valid in the next run. */
static enum debuginfo_answer read_module(struct debuginfo *d, struct index *x, bool *keep,
					 const char **reason)
{
	struct attempt t;
	struct text reasons;
	bool broken = false, found = false;

	text_init(&reasons, d->arena);
	if (d->path) {
		attempt_begin(&t);
		t.answer = from_module_file(d, &t.list, reason);
		*keep = found = attempt_end(&t, *reason, &reasons, &broken);
	}
	if (!found && d->request.is_running_kernel) {
		attempt_begin(&t);
		t.list.source = "/proc/kallsyms";
		t.answer = loaded_module_symbols(d->request.sysroot, d->module, &t.list, reason);
		found = attempt_end(&t, *reason, &reasons, &broken);
	}
	if (!found) {
		*reason = reasons.s;
		return broken ? DEBUGINFO_BROKEN : DEBUGINFO_ABSENT;
	}
	say_what_lacks(&t.list);
	index_build(x, &t.list);
	arena_close(t.arena);
	return DEBUGINFO_FOUND;
}

/* ---- the cache ---- */

/* An incomplete index is valid until the running kernel reports what is missing. */
static bool is_good(struct debuginfo *d)
{
	struct debuginfo_facts facts;

	index_facts(&d->index, &facts);
	if (d->module)
		return is_loaded_build(d, facts.build_id, facts.build_id_size);
	return !d->request.is_running_kernel ||
	       ((facts.ftrace_sites || !tracefs_has_sites(d->request.sysroot)) &&
		(facts.blacklist || !tracefs_has_list(d->request.sysroot)));
}

enum debuginfo_answer symbols_open(struct debuginfo *d, const char **reason)
{
	const char *path;
	enum debuginfo_answer found;
	bool keep = !d->module;

	if (d->program)
		return program_symbols(d, &d->index, reason);
	path = debuginfo_kept_path(d, "symbols");
	if (path && index_open(&d->index, path)) {
		if (is_good(d))
			return DEBUGINFO_FOUND;
		index_close(&d->index);
	}
	found = d->module ? read_module(d, &d->index, &keep, reason) :
			    read_kernel(d, &d->index, reason);
	if (found == DEBUGINFO_FOUND && keep && path && dir_make(d->request.cache, 0700))
		index_save(&d->index, path);
	return found;
}
