/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libFuzzer: lexer, preprocessor, parser and printer. Any input must give messages or a tree;
 * the text of a tree must give the same text again, and so must a copy of the tree.
 *
 * sources: translator/base/{arena,fatal,intern,map,text,util}.c translator/source/{diag,script_options,source}.c
 * sources: translator/syntax/*.c
 * flags: -fno-sanitize=pointer-overflow
 * options: -close_fd_mask=2 -max_len=2000
 * seeds: cp "$SRC"/tests/parse/*.stp "$SRC"/tests/message/*.stp .
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "syntax/parse.h"
#include "base/intern.h"
#include "source/diag.h"
#include "source/options.h"
#include "base/util.h"
#include "syntax/preproc.h"
#include "syntax/print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct session {
	struct options options;
	struct arena *arena;
	struct diag diag;
	struct interned names;
};

static const char *config(void *data, const char *name)
{
	(void)data;
	return str_equal(name, "CONFIG_SMP") ? "y" : str_equal(name, "CONFIG_HZ") ? "250" : NULL;
}

static void session_open(struct session *s)
{
	static const char *const args[] = { "begin", "1+2", "a \"b\" %( 1 == 1 %? x %)" };

	*s = (struct session){ .options = { .guru = true } };
	s->arena = arena_open();
	diag_open(&s->diag, s->arena, &s->options);
	interned_open(&s->names, s->arena);
	for (size_t i = 0; i < ARRAY_SIZE(args); i++)
		*vec_add(s->arena, &s->options.args) = args[i];
}

static struct script *parse(struct session *s, const char *text, size_t size)
{
	static const struct preproc_target target = {
		.kernel_vr = "6.1.0-50-amd64", .kernel_v = "6.1.0", .arch = "x86_64",
		.runtime = "kernel", .systemtap_v = "5.6", .privilege = "stapdev",
		.guru_mode = true, .config = config,
	};
	struct preproc_setup setup = { .target = target, .strings = &s->names, .options = &s->options };

	return parse_script(source_add(&s->diag, "fuzz", text, size), macros_open(&setup));
}

/* The nesting depth of the text: if the parser does not allow it, the text cannot be parsed
 * again. */
static unsigned depth(const char *s)
{
	unsigned now = 0, most = 0;

	for (; *s; s++) {
		if (*s == '(' || *s == '{')
			most = ++now > most ? now : most;
		else if ((*s == ')' || *s == '}') && now)
			now--;
	}
	return most;
}

static void copy_bodies(struct arena *a, struct script *s)
{
	vec_each(p, &s->probes)
		(*p)->body = stmt_copy(a, (*p)->body);
	vec_each(f, &s->functions)
		(*f)->body = stmt_copy(a, (*f)->body);
}

static void check(struct session *s, struct script *script)
{
	struct arena *a = s->arena;
	struct text once, again;

	text_init(&once, a);
	text_init(&again, a);
	print_script(&once, script);
	copy_bodies(a, script);
	print_script(&again, script);
	if (!str_equal(once.s, again.s))
		abort();
	script = parse(s, once.s, once.n);
	if (s->diag.errors) {
		if (depth(once.s) < 100)
			abort();
		return;
	}
	text_init(&again, a);
	print_script(&again, script);
	if (once.n != again.n || memcmp(once.s, again.s, once.n))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct session s;
	struct script *script;
	char *text;

	session_open(&s);
	text = arena_strndup(s.arena, (const char *)data, size);
	script = parse(&s, text, size);
	if (!s.diag.errors)
		check(&s, script);
	arena_close(s.arena);
	return 0;
}
