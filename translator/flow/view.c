/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the server asks of the translator, answered by the steps of a run. */
#include "view.h"

#include "base/util.h"
#include "meaning/infer.h"
#include "syntax/format_pieces.h"
#include "tools/format_files.h"
#include "tools/script_line.h"
#include "tools/stand_in.h"

/* A new arena for all that a translation and the library allocate. */
static bool restart(void *data)
{
	struct run *r = data;

	if (r->arena != r->options.arena) {
		images_close(&r->images);
		arena_close(r->arena);
	}
	r->arena = arena_open();
	if (!target_host_find(&r->target, &r->options))
		return false;
	run_open(r);
	r->library = (struct library){ 0 };
	return run_open_library(r, &r->library);
}

/* The editor's text is used in place of a file of the library. */
static bool is_of_library(struct run *r, const char *path)
{
	vec_each(f, &r->library.files)
		if (str_equal(path_base((*f)->path), path_base(path)) && file_same((*f)->path, path))
			return (*f)->read = true;
	return false;
}

static void set_stand_ins(struct run *r)
{
	struct source *s = source_add(&r->translation.diag, r->translation.script_name, r->text, r->text_size);
	piece_list pieces = { 0 };

	if (pieces_read(s, r->arena, &pieces))
		stand_ins_set(&r->options, r->arena, &pieces);
}

/* A text that only defines functions and aliases has no use for them. */
static void analyse(void *data, struct analysis *a)
{
	struct run *r = data;
	bool good, whole;

	r->text = a->text;
	r->text_size = a->size;
	r->translation.script_name = a->name;
	r->translation.diag.receiver = a->receiver;
	r->head = script_head_find(r->arena, a->text, a->size);
	r->options.declared = &r->head.options;
	r->is_tapset = is_of_library(r, a->name);
	script_line_limits(r->arena, r->text, &r->options);
	set_stand_ins(r);
	good = run_parse(r);
	a->script = r->script;
	whole = a->depth == ANALYSIS_WHOLE && r->script && r->script->probes.n;
	if (a->depth == ANALYSIS_SYNTAX || !r->script || (!good && a->depth == ANALYSIS_WHOLE))
		return;
	r->options.list_variables = !whole;
	run_resolve(r);
	if (!whole)
		infer_types(&r->translation, &r->program);
	a->program = &r->program;
}

static bool format_text(void *data, const struct analysis *a, struct text *out)
{
	struct run *r = data;

	r->translation.diag.receiver = a->receiver;
	return format_script(&r->options, &r->target, &r->library,
			     source_add(&r->translation.diag, a->name, a->text, a->size), out);
}

static struct arena *arena_of(void *data)
{
	return ((struct run *)data)->arena;
}

static struct library *library_of(void *data)
{
	return &((struct run *)data)->library;
}

static struct images *images_of(void *data)
{
	return &((struct run *)data)->images;
}

struct analyst view_open(struct run *r)
{
	r->options.last_pass = 3;
	return (struct analyst){ r, restart, run_open_library, analyse, format_text, arena_of, library_of, images_of };
}

void view_close(struct run *r)
{
	if (r->arena != r->options.arena) {
		images_close(&r->images);
		arena_close(r->arena);
	}
	r->images = (struct images){ .kernel = NULL };
	r->arena = r->options.arena;
}
