/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The library is read by the server itself, so that its workers need not. A tapset that the user is editing may be in
 * any state, so a worker reads it first, and the server only does what went well there. */
#include "knowledge.h"

#include "base/util.h"
#include "debuginfo/images.h"
#include "debuginfo/place.h"
#include "debuginfo/type_name.h"

enum { SECONDS = 20 };

struct reading {
	struct knowledge *knowledge;
	const struct analyst *analyst;
};

static void ignore(void *data, enum diag_kind kind, struct span at, const char *text)
{
	(void)data, (void)kind, (void)at, (void)text;
}

/* Scripts with errors in the library are shown where they are used. */
static json_t *read_all(void *data)
{
	struct reading *r = data;
	struct knowledge *k = r->knowledge;
	void *of = r->analyst->data;

	if (!r->analyst->restart(of) || !r->analyst->open_library(of, &k->library))
		return NULL;
	k->library.diag->receiver = (struct diag_receiver){ ignore, NULL };
	manual_open(&k->manual, r->analyst->arena(of), &k->library);
	k->is_read = true;
	return json_object();
}

static bool goes_well(struct reading *r)
{
	struct worker w;
	char reason[64];
	const char *text;
	size_t size;

	if (!worker_start(&w, SECONDS, read_all, r))
		return false;
	worker_wait(&w);
	text = worker_end(&w, &size, reason);
	if (!text)
		error_print("the library cannot be read: %s", reason);
	size = text ? size : 0;
	worker_forget(&w);
	return size > 0;
}

/* The answers do not matter. NULL: there is nothing to read. */
static json_t *read_kernel(void *data)
{
	const struct analyst *analyst = data;
	struct debuginfo *kernel = images_kernel(analyst->images(analyst->data));
	const struct debug_type *type;
	debug_places places = { 0 };
	debug_variables variables = { 0 };

	debuginfo_function_places(kernel, "vfs_read", NULL, PLACE_CALL, &places);
	if (places.n)
		debuginfo_signature(&places.items[0], &variables);
	return debuginfo_type(kernel, "struct file", &type) == DEBUGINFO_FOUND || places.n ? json_object() : NULL;
}

bool knowledge_try(struct knowledge *k, const struct analyst *analyst, struct worker *w)
{
	struct worker started;

	k->is_tried = true;
	if (!worker_start(&started, SECONDS, read_kernel, (void *)analyst))
		return false;
	*w = started;
	w->is_trial = true;
	return true;
}

void knowledge_warm(const struct analyst *analyst)
{
	json_decref(read_kernel((void *)analyst));
}

void knowledge_read(struct knowledge *k, const struct analyst *analyst)
{
	struct reading r = { k, analyst };

	*k = (struct knowledge){ 0 };
	if (goes_well(&r))
		json_decref(read_all(&r));
	else
		analyst->restart(analyst->data);
}

static const char *folder_of(struct arena *a, const char *path)
{
	return arena_printf(a, "%.*s.", (int)(path_base(path) - path), path);
}

bool knowledge_needs(const struct knowledge *k, const char *path)
{
	struct arena *a = arena_open();
	const char *folder = folder_of(a, path), *last = "";
	bool found = false;

	vec_each(f, &k->library.files) {
		const char *other = folder_of(a, (*f)->path);

		found = found || (!str_equal(last, other) && file_same(folder, other));
		last = other;
	}
	arena_close(a);
	return found;
}
