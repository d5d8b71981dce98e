/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the variables that are visible at a site: the family's own variables, the debug information
 * of the site's place, globals of its image; and, at the entry of a function without debug
 * information, $arg1 and so on by the calling convention. */
#include "place.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "debuginfo/images.h"
#include "source/diag.h"
#include "points/handler.h"
#include "points/program_files.h"
#include "target.h"
#include "base/util.h"

#include "tap_script.h"
#include "debuginfo/program/go.h"
#include "debuginfo/type_name.h"

const struct site *target_site(const struct target_scope *at)
{
	if (at->site)
		return at->site;
	return at->handler && at->handler->sites.n ? &at->handler->sites.items[0] : NULL;
}

const struct arch *target_site_arch(const struct target_scope *at)
{
	const struct site *s = target_site(at);

	return s && s->place ? debuginfo_arch(s->place->image) : images_arch(at->images);
}

const char *target_site_text(struct arena *a, const struct site *s)
{
	const char *mark = strchr(s->name, 1);

	if (!mark)
		return s->name;
	return arena_printf(a, "%.*s%s%s", (int)(mark - s->name), s->name, s->symbol, mark + 1);
}

/* ---- images ---- */

struct sites target_problems(const struct target_scope *at)
{
	return (struct sites){ .images = at->images, .options = at->options, .arena = at->images->arena };
}

/* Programs are opened under the names that the kernel uses for them. */
static const char *real_path(struct arena *a, const char *path)
{
	char buffer[PATH_MAX];

	return realpath(path, buffer) ? arena_strdup(a, buffer) : path;
}

/* The image for "<linux/fs.h>" or "kernel<linux/fs.h>". */
static struct debuginfo *image_of_headers(struct images *images, const char *name, struct sites *problems)
{
	const char *headers = strpbrk(name, "<\""), *reason = "", *object;
	struct debuginfo *kernel = images_kernel(images), *image = NULL;

	object = images->compile ? images->compile(images->compile_data, headers, headers != name, &reason) : NULL;
	if (object)
		image = debuginfo_module(kernel, object);
	if (image && headers == name)
		debuginfo_set_user(image);
	if (!image)
		sites_reason(problems, "%s", object ? debuginfo_reason(kernel) : reason);
	return image;
}

static bool names_headers(const char *name)
{
	return *name == '<' || *name == '"' || !strncmp(name, "kernel<", 7) || !strncmp(name, "kernel\"", 7);
}

/* A program in PATH or in the current directory. */
static struct debuginfo *program_named(const struct target_scope *at, const char *name, struct sites *problems)
{
	struct sites sites = target_problems(at);
	program_files found = { 0 };

	if (program_find_files(&sites, name, false, &found))
		return images_program(at->images, found.items[0]);
	vec_each(reason, &sites.reasons)
		sites_reason(problems, "%s", *reason);
	return NULL;
}

static struct debuginfo *image_named(const struct target_scope *at, const char *name, struct sites *problems)
{
	struct images *images = at->images;
	struct debuginfo *kernel = images_kernel(images), *image;

	if (names_headers(name))
		return image_of_headers(images, name, problems);
	if (str_equal(name, "kernel"))
		return kernel;
	if (strchr(name, '/'))
		return images_program(images, real_path(images->arena, name));
	image = debuginfo_module(kernel, name);
	if (!image)
		image = program_named(at, name, problems);
	if (!image)
		sites_reason(problems, "%s", debuginfo_reason(kernel));
	return image;
}

static struct debuginfo *image_of_site(struct images *images, const struct site *s)
{
	struct debuginfo *image = NULL;

	if (s && s->place)
		return s->place->image;
	if (s && s->module)
		image = debuginfo_module(images_kernel(images), s->module);
	return image ? image : images_kernel(images);
}

/* Ask the images that MODULE names, one after the other; if it names none, the image of the site. */
static bool ask_images(const struct target_scope *at, const char *module,
		       bool (*ask)(struct debuginfo *d, void *data), void *data, struct sites *problems)
{
	struct debuginfo *d = image_of_site(at->images, target_site(at));
	char *names, *rest, *name;

	if (!module || !*module) {
		if (ask(d, data))
			return true;
		sites_reason(problems, "%s", debuginfo_reason(d));
		return false;
	}
	names = arena_strdup(at->images->arena, module);
	for (name = strtok_r(names, ":", &rest); name; name = strtok_r(NULL, ":", &rest)) {
		/* types of the kernel itself need no compiler */
		if (names_headers(name) && *name == 'k' && ask(images_kernel(at->images), data))
			return true;
		d = image_named(at, name, problems);
		if (d && ask(d, data))
			return true;
		if (d)
			sites_reason(problems, "%s", debuginfo_reason(d));
	}
	return false;
}

struct type_question {
	struct arena *arena;
	const char *name;
	const struct debug_type **type;
};

/* The "struct" of "struct task_struct" may be omitted. */
static bool ask_type(struct debuginfo *d, void *data)
{
	static const char *const kinds[] = { "struct", "union", "enum" };
	struct type_question *q = data;

	if (debuginfo_type(d, q->name, q->type) == DEBUGINFO_FOUND)
		return true;
	if (strpbrk(q->name, " *["))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (debuginfo_type(d, arena_printf(q->arena, "%s %s", kinds[i], q->name), q->type) ==
		    DEBUGINFO_FOUND)
			return true;
	return debuginfo_type(d, q->name, q->type) == DEBUGINFO_FOUND;	/* for its reason */
}

bool target_type(const struct target_scope *at, const char *module,
		 const char *name, const struct debug_type **type, struct sites *problems)
{
	struct type_question q = { at->images->arena, name, type };
	const char *near;

	if (ask_images(at, module, ask_type, &q, problems))
		return true;
	near = strpbrk(name, "*[") ? NULL : debuginfo_suggest_type(images_kernel(at->images), name);
	if (near)
		sites_reason(problems, "did you mean '%s'?", near);
	return false;
}

struct enumerator_question {
	const char *name;
	int64_t *value;
};

static bool ask_enumerator(struct debuginfo *d, void *data)
{
	struct enumerator_question *q = data;

	return debuginfo_enumerator(d, q->name, q->value) == DEBUGINFO_FOUND;
}

bool target_enumerator(const struct target_scope *at, const char *module,
		       const char *name, int64_t *value, struct sites *problems)
{
	struct enumerator_question q = { name, value };

	return ask_images(at, module, ask_enumerator, &q, problems);
}

struct global_question {
	const char *name, *file;
	struct debug_variable *variable;
	struct debuginfo *image;	/* the image that has it */
};

static bool ask_global(struct debuginfo *d, void *data)
{
	struct global_question *q = data;

	q->image = d;
	return debuginfo_global(d, q->name, q->file, q->variable) == DEBUGINFO_FOUND;
}

static bool is_of_site(const struct site *s, const struct debuginfo *image)
{
	return s && s->place && s->place->image == image;
}

bool target_global(const struct target_scope *at, const char *module,
		   const char *name, struct debug_variable *v, struct debuginfo **image,
		   struct sites *problems)
{
	const char *file = strchr(name, '@');
	struct global_question q = { name, NULL, v, NULL };
	bool found;

	if (file) {
		q.name = arena_strndup(at->images->arena, name, (size_t)(file - name));
		q.file = file + 1;
	}
	found = ask_images(at, module, ask_global, &q, problems);
	*image = q.image;
	if (!found || !debuginfo_is_user(q.image) || is_of_site(target_site(at), q.image))
		return found;
	v->name = NULL;
	sites_reason(problems, "the run-time address of '%s' is known only to probes in that program or library", name);
	return false;
}

/* ---- variables of a site ---- */

/* The site's place; for a return, if the scope asks for it, the place as it was when the function was entered. */
static bool place_of(const struct target_scope *at, struct debug_place *p)
{
	const struct site *s = target_site(at);

	if (!s || !s->place)
		return false;
	*p = *s->place;
	if (at->entry && p->at_return) {
		p->at_return = false;
		p->at_entry = true;
		p->offset = p->entry;
	}
	return true;
}

static const struct debug_type *long_type(const struct arch *arch)
{
	static const struct debug_type wide = { .kind = DEBUG_INT, .name = "long", .size = 8, .is_signed = true },
				       narrow = { .kind = DEBUG_INT, .name = "long", .size = 4, .is_signed = true };

	return arch->word < 8 ? &narrow : &wide;
}

/* $arg1 ... at a function's entry, with or without debug information. */
static bool raw_argument(struct arena *a, const struct debug_place *p, const char *name,
			 struct debug_variable *v)
{
	const struct arch *arch = debuginfo_arch(p->image);
	bool is_go = debuginfo_is_user(p->image) && program_is_go(p->image, (uint64_t)p->entry);
	struct location_step *step;
	char *end;
	unsigned long n;

	if (!p->at_entry || strncmp(name, "arg", 3) || name[3] < '1' || name[3] > '9')
		return false;
	n = strtoul(name + 3, &end, 10);
	if (*end || n > 16)
		return false;
	if (is_go && (!program_go_uses_registers(p->image, (uint64_t)p->entry) || n > arch->go->register_count))
		return false;
	*v = (struct debug_variable){ .name = name, .type = long_type(arch), .is_parameter = true,
				      .source = "calling convention" };
	v->location.kind = LOCATION_IS_VALUE;
	step = vec_add(a, &v->location.steps);
	*step = (struct location_step){ .op = LOCATION_ARGUMENT, .value = (int64_t)n - 1 };
	if (is_go)
		*step = (struct location_step){ .op = LOCATION_REGISTER,
						.value = arch_register(arch, arch->go->registers[n - 1])->dwarf };
	if (v->type->size < 8) {
		step = vec_add(a, &v->location.steps);
		*step = (struct location_step){ .op = LOCATION_SIGN, .size = (uint8_t)v->type->size };
	}
	return true;
}

static bool result_variable(const struct debug_place *p, struct debug_variable *v, struct sites *problems)
{
	if (!p->at_return) {
		sites_reason(problems, "a function's result is known only at its return: probe its .return");
		return false;
	}
	if (debuginfo_return(p, v) == DEBUGINFO_FOUND)
		return true;
	sites_reason(problems, "%s", debuginfo_reason(p->image));
	return false;
}

bool target_variable(const struct target_scope *at, const char *name,
		     struct site_variable *v, struct debuginfo **image, struct sites *problems)
{
	const struct site *s = target_site(at);
	struct sites elsewhere = target_problems(at);
	struct debug_place p;

	*v = (struct site_variable){ 0 };
	if (s && s->family->variable) {
		size_t reasons = problems->reasons.n;

		if (s->family->variable(s, name + 1, v, problems))
			return true;
		if (problems->reasons.n > reasons)
			return false;
	}
	if (!s || !place_of(at, &p)) {
		sites_reason(problems, "no variables are known at this probe");
		return false;
	}
	*image = p.image;
	if (str_equal(name, "$return"))
		return result_variable(&p, &v->debug, problems);
	if (debuginfo_variable(&p, name + 1, &v->debug) == DEBUGINFO_FOUND)
		return true;
	sites_reason(problems, "%s", debuginfo_reason(p.image));
	return raw_argument(problems->arena, &p, name + 1, &v->debug) ||
	       target_global(at, NULL, name + 1, &v->debug, image, &elsewhere);
}

static void add_debug_variables(struct arena *a, const debug_variables *from, site_variables *to)
{
	vec_each(v, from)
		*vec_add(a, to) = (struct site_variable){ .debug = *v };
}

static bool list_results(const struct debug_place *p, debug_variables *found, struct sites *problems)
{
	struct debug_variable only;

	if (debuginfo_results(p, found) == DEBUGINFO_FOUND && found->n != 1)
		return true;
	found->n = 0;
	if (!result_variable(p, &only, problems))
		return false;
	if (!only.type || debug_type_real(only.type)->kind != DEBUG_VOID)
		*vec_add(problems->arena, found) = only;
	return true;
}

bool target_variables(const struct target_scope *at, const char *name,
		      site_variables *list, struct sites *problems)
{
	unsigned what = str_equal(name, "$$parms") ? VARIABLES_PARAMETERS :
			str_equal(name, "$$locals") ? VARIABLES_LOCALS :
			VARIABLES_PARAMETERS | VARIABLES_LOCALS;
	const struct site *s = target_site(at);
	debug_variables found = { 0 };
	struct debug_place p;

	if (s && s->family->variables) {
		s->family->variables(s, what, list, problems);
		if (list->n || !s->place)
			return true;
	}
	if (!s || !place_of(at, &p)) {
		sites_reason(problems, "no variables are known at this probe");
		return false;
	}
	if (str_equal(name, "$$return")) {
		if (!list_results(&p, &found, problems))
			return false;
	} else if (debuginfo_variables(&p, what, &found) == DEBUGINFO_BROKEN) {
		sites_reason(problems, "%s", debuginfo_reason(p.image));
		return false;
	}
	add_debug_variables(problems->arena, &found, list);
	return true;
}
