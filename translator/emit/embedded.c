/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The C code of scripts and of the shipped tapsets, with the macros that it uses: %{ %} at the top level, as the body
 * of a function and as an expression. */
#include "embedded.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "emit.h"
#include "element.h"
#include "expr.h"
#include "source/options.h"
#include "base/util.h"

/* The C of a tapset does not write to its arguments; that of a script may, as in SystemTap, where they are arrays. */
static bool is_copied(const struct function *f, const struct variable *parameter)
{
	return parameter->type == TYPE_STRING && function_is_scripts_c(f);
}

static void define_argument(const struct variable *p, bool is_copied, struct text *out)
{
	if (is_copied)
		text_printf(out, "#define STAP_ARG_%s (*argument_%s)\n", p->name, p->name);
	else if (p->type == TYPE_STRING)
		text_printf(out, "#define STAP_ARG_%s ((char *)%s.data)\n", p->name, p->c_name);
	else
		text_printf(out, "#define STAP_ARG_%s %s\n", p->name, p->c_name);
}

static void copy_argument(const struct variable *p, enum type result, struct text *out)
{
	text_printf(out, "\tchar (*argument_%s)[MAXSTRINGLEN] = tap_string_writable(c, %s, MAXSTRINGLEN);\n"
		    "\tif (!argument_%s)\n\t\treturn%s;\n", p->name, p->c_name, p->name,
		    result == TYPE_STRING ? " TAP_EMPTY" : result == TYPE_LONG ? " 0" : "");
}

static void undefine_argument(const struct variable *p, struct text *out)
{
	text_printf(out, "#undef STAP_ARG_%s\n", p->name);
}

/* STAP_GLOBAL_GET_x(k1, k2), STAP_GLOBAL_SET_x(k1, k2, value) for these functions, whose names are
 * get_x and set_x. There are no casts, so that the compiler checks the arguments. */
static const char *accessor_macro(struct arena *a, const struct function *f)
{
	return arena_printf(a, "STAP_GLOBAL_%s_%s", f->has_return_value ? "GET" : "SET", f->name + 4);
}

static void define_accessors(const function_list *accessors, struct text *out)
{
	vec_each(item, accessors) {
		const struct function *f = *item;
		const char *comma = "";

		text_printf(out, "#define %s(", accessor_macro(out->arena, f));
		vec_each(p, &f->parameters) {
			text_printf(out, "%s%s", comma, (*p)->name);
			comma = ", ";
		}
		text_printf(out, ") (%s%s(c", f->type == TYPE_STRING ? "(char *)" : "", f->c_name);
		vec_each(p, &f->parameters)
			text_printf(out, ", %s(%s)", (*p)->type == TYPE_STRING ? "tap_string_of" : "", (*p)->name);
		text_printf(out, ")%s)\n", f->type == TYPE_STRING ? ".data" : "");
	}
}

static void undefine_accessors(const function_list *accessors, struct text *out)
{
	vec_each(f, accessors)
		text_printf(out, "#undef %s\n", accessor_macro(out->arena, *f));
}

static void write_line_mark(struct text *out, struct span at)
{
	unsigned line, column;

	at = span_written(at);
	source_position(at, &line, &column);
	text_printf(out, "#line %u \"", line);
	text_c_escape(out, at.source->name, strlen(at.source->name));
	text_add(out, "\"\n");
}

/* Before SystemTap 1.8, C code accessed its arguments and result as THIS->name and THIS->__retvalue. */
static void declare_this(const struct function *f, struct text *out)
{
	text_add(out, "\tstruct {\n");
	vec_each(p, &f->parameters)
		text_printf(out, "\t\t%s%s;\n", (*p)->type == TYPE_STRING ? "char *" : "s64 ", (*p)->name);
	if (f->type != TYPE_UNKNOWN)
		text_printf(out, "\t\t%s__retvalue;\n", f->type == TYPE_STRING ? "char *" : "s64 ");
	text_add(out, "\t} this = {\n");
	vec_each(p, &f->parameters)
		text_printf(out, "\t\t.%s = STAP_ARG_%s,\n", (*p)->name, (*p)->name);
	if (f->type == TYPE_STRING)
		text_add(out, "\t\t.__retvalue = STAP_RETVALUE,\n");
	text_add(out, "\t}, *THIS = &this;\n\t(void)THIS;\n");
	if (f->type == TYPE_LONG)
		text_add(out, "#define STAP_RETVALUE THIS->__retvalue\n");
}

static void write_result(const struct function *f, bool has_buffer, struct text *out)
{
	if (f->type == TYPE_STRING)
		text_add(out, has_buffer ? "\treturn tap_string_of(STAP_RETVALUE);\n" : "\treturn TAP_EMPTY;\n");
	else if (f->type == TYPE_LONG)
		text_add(out, "\treturn STAP_RETVALUE;\n");
	else
		text_add(out, "\treturn;\n");
}

static void declare_result(const struct function *f, bool has_buffer, struct text *out)
{
	if (has_buffer)
		text_add(out, "\tchar *STAP_RETVALUE = tap_scratch(c, MAXSTRINGLEN);\n"
			      "\tif (!STAP_RETVALUE)\n\t\treturn TAP_EMPTY;\n\tSTAP_RETVALUE[0] = 0;\n");
	else if (f->type == TYPE_LONG && !embedded_says(f, "/* unmangled */"))
		text_add(out, "\ts64 STAP_RETVALUE = 0;\n");
	if (embedded_says(f, "/* unmangled */"))
		declare_this(f, out);
}

/* ---- a body ---- */

/* The end of the comment, string or character that begins at AT; AT if none begins there. */
static const char *skip_literal(const char *at, const char *end)
{
	const char *p = at + 1;

	if (*at == '/' && p < end && (*p == '*' || *p == '/')) {
		const char *close = memmem(p + 1, (size_t)(end - p - 1), *p == '*' ? "*/" : "\n", *p == '*' ? 2 : 1);

		return !close ? end : *p == '*' ? close + 2 : close;
	}
	if (*at != '"' && *at != '\'')
		return at;
	for (; p < end && *p != *at && *p != '\n'; p++)
		p += *p == '\\' && p + 1 < end;
	return p < end ? p + 1 : end;
}

/* The first character from AT on that is neither a blank nor in a comment; 0 if there is none. */
static char next_sign(const char *at, const char *end)
{
	while (at < end && (isspace((unsigned char)*at) || (*at == '/' && skip_literal(at, end) > at)))
		at = *at == '/' ? skip_literal(at, end) : at + 1;
	return at < end ? *at : 0;
}

static size_t word_length(const char *at, const char *end)
{
	size_t n = 0;

	while (at + n < end && is_identifier_char(at[n]))
		n++;
	return n;
}

static bool is_word(const char *at, size_t n, const char *word)
{
	return n == strlen(word) && !memcmp(at, word, n);
}

/* In SystemTap, the C code of a function is in a function that returns void and has a label 'out' at its end, so that
 * 'return;' and 'goto out;' leave it. Copies the body to OUT, with 'return;' replaced if F has a value. Returns whether
 * the body has its own label 'out'. */
static bool write_body(const struct function *f, struct text *out)
{
	const char *at = f->embedded, *end = at + f->embedded_size;
	bool has_label = false;
	char last = '{';

	while (at < end) {
		size_t n = word_length(at, end);
		const char *next = n ? at + n : skip_literal(at, end);

		if (next == at)
			next = at + 1;
		if (is_word(at, n, "return") && f->type != TYPE_UNKNOWN && next_sign(next, end) == ';')
			text_add(out, "goto stap_out");
		else
			text_add_n(out, at, (size_t)(next - at));
		has_label |= is_word(at, n, "out") && strchr(";:{}", last) && next_sign(next, end) == ':';
		if (!isspace((unsigned char)*at) && (*at != '/' || next == at + 1))
			last = *at;
		at = next;
	}
	return has_label;
}

/* The body is in its own block; STAP_RETURN and similar macros jump to the label after it. */
static void emit_embedded_function(const struct plan *p, const struct function *f, const char *linkage,
				   struct text *out)
{
	struct arena *a = p ? p->arena : out->arena;
	/* A body may also return its result with 'return'; then it needs no buffer. */
	bool has_label, has_buffer = f->type == TYPE_STRING &&
				     (embedded_says(f, "STAP_RET") || embedded_says(f, "/* unmangled */"));

	vec_each(parameter, &f->parameters)
		define_argument(*parameter, is_copied(f, *parameter), out);
	define_accessors(&f->accessors, out);
	text_printf(out, "#define STAP_RETURN(v) STAP_RETURN_%s(v)\n",
		    f->type == TYPE_STRING ? "STRING" : f->type == TYPE_LONG ? "LONG" : "VOID");
	text_printf(out, "%s%s\n{\n", linkage, emit_signature(a, f, f->c_name));
	vec_each(parameter, &f->parameters)
		if (is_copied(f, *parameter))
			copy_argument(*parameter, f->type, out);
	declare_result(f, has_buffer, out);
	text_add(out, "\t(void)c;\n");
	vec_each(parameter, &f->parameters)
		text_printf(out, "\t(void)%s;\n", (*parameter)->c_name);
	text_add(out, "\t{\n");
	write_line_mark(out, f->embedded_span);
	has_label = write_body(f, out);
	text_add(out, "\n\t}\n\tgoto stap_out;\nstap_out:\n");
	if (!has_label)
		text_add(out, "out: __attribute__((unused));\n");
	write_result(f, has_buffer, out);
	text_add(out, "}\n#undef STAP_RETURN\n#undef STAP_RETVALUE\n");
	undefine_accessors(&f->accessors, out);
	vec_each(parameter, &f->parameters)
		undefine_argument(*parameter, out);
	text_char(out, '\n');
}

/* ---- an expression ---- */

const char *emit_embedded_expr(struct emitter *em, struct expr *e)
{
	const char *t = emit_temp(em);
	struct text args;

	e->embedded.number = em->plan->embedded_exprs.n;
	*vec_add(em->arena, &em->plan->embedded_exprs) = e;
	em->plan->needs_embedded = true;
	em->scratch_used |= e->type == TYPE_STRING;
	text_init(&args, em->arena);
	text_char(&args, 'c');
	vec_each(p, &e->embedded.parameters) {
		text_printf(&args, ", %s", emit_expr(em, *p));
		em->scratch_used |= (*p)->type == TYPE_STRING;	/* it is copied */
	}
	if (!e->embedded.is_pure || e->embedded.accessors.n)
		emit_commit(em);
	emit_line(em, "%s %s = embedded_%zu(%s);", emit_c_type(e->type), t, e->embedded.number, args.s);
	emit_check(em, "embedded code", e->span);
	element_forget_all(em);
	return t;
}

static void write_expr_signature(const struct expr *e, struct text *out)
{
	text_printf(out, "%s embedded_%zu(struct tap_context *c", emit_c_type(e->type), e->embedded.number);
	vec_each(p, &e->embedded.parameters)
		text_printf(out, ", %s %s", emit_c_type((*p)->type), (*p)->name.variable->c_name);
	text_char(out, ')');
}

static void write_expr_value(const struct expr *e, struct text *out)
{
	bool is_string = e->type == TYPE_STRING;

	write_line_mark(out, e->span);
	text_add(out, is_string ? "\tSTAP_RETVALUE = tap_string_kept(c, (" : "\tSTAP_RETVALUE = (s64)(");
	text_add_n(out, e->embedded.code, e->embedded.size);
	text_add(out, is_string ? "));\n" : ");\n");
}

static void emit_embedded_value(const struct expr *e, struct text *out)
{
	define_accessors(&e->embedded.accessors, out);
	vec_each(p, &e->embedded.parameters)
		define_argument((*p)->name.variable, (*p)->type == TYPE_STRING, out);
	write_expr_signature(e, out);
	text_printf(out, "\n{\n\t%s STAP_RETVALUE = %s;\n\n", emit_c_type(e->type),
		    e->type == TYPE_STRING ? "TAP_EMPTY" : "0");
	vec_each(p, &e->embedded.parameters)
		if ((*p)->type == TYPE_STRING)
			copy_argument((*p)->name.variable, e->type, out);
	write_expr_value(e, out);
	text_add(out, "\tgoto stap_out;\nstap_out:\n\treturn STAP_RETVALUE;\n}\n");
	vec_each(p, &e->embedded.parameters)
		undefine_argument((*p)->name.variable, out);
	undefine_accessors(&e->embedded.accessors, out);
	text_char(out, '\n');
}

static void declare_accessors(const struct plan *p, struct text *out)
{
	vec_each(f, &p->program->functions)
		if ((*f)->is_accessor)
			text_printf(out, "extern %s;\n", emit_signature(out->arena, *f, (*f)->c_name));
}

/* Writes -D of the command line, and the limits that it does not set. */
static void write_defines(const struct plan *p, struct text *out)
{
	const struct { const char *name; int64_t value; } limits[] = {
		{ "MAXSTRINGLEN", p->max_string }, { "MAXACTION", p->max_action },
		{ "MAXACTION_INTERRUPTIBLE", p->max_action_interruptible }, { "MAXNESTING", p->max_nesting },
		{ "MAXMAPENTRIES", p->max_entries }, { "MAXERRORS", p->max_errors },
		{ "MAXSKIPPED", p->max_skipped }, { "MAXTRYLOCK", p->max_trylock },
		{ "MAXBACKTRACE", p->backtrace },
	};

	vec_each(d, &p->options->defines)
		text_printf(out, "#undef %s\n#define %s %s\n", d->name, d->name, d->value ? d->value : "1");
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		text_printf(out, "#ifndef %s\n#define %s %lld\n#endif\n", limits[i].name, limits[i].name,
			    (long long)limits[i].value);
}

static void write_version(const char *version, struct text *out)
{
	int numbers[2] = { 0 };

	sscanf(version, "%d.%d", &numbers[0], &numbers[1]);
	text_printf(out, "#define STAP_COMPAT_VERSION STAP_VERSION(%d, %d)\n", numbers[0], numbers[1]);
}

void emit_embedded(struct plan *p, struct text *out)
{
	write_defines(p, out);
	write_version(p->options->compatible ? p->options->compatible : SYSTEMTAP_VERSION, out);
	text_add(out, "#include \"tap_embedded.h\"\n\n");
	declare_accessors(p, out);
	vec_each(e, &p->program->embedded) {
		write_line_mark(out, e->span);
		text_add_n(out, e->code, e->size);
		text_char(out, '\n');
	}
	vec_each(f, &p->program->functions)
		if (function_is_scripts_c(*f))
			emit_embedded_function(p, *f, "", out);
	vec_each(e, &p->embedded_exprs)
		emit_embedded_value(*e, out);
}

void emit_declare_embedded(struct plan *p, struct text *out)
{
	vec_each(e, &p->embedded_exprs) {
		text_add(out, "extern ");
		write_expr_signature(*e, out);
		text_add(out, ";\n");
	}
}

void emit_tapset(const struct script *s, struct text *out)
{
	text_printf(out, "/* Made from %s: C of its functions, for the runtime's archive. */\n"
		    "#define MAXSTRINGLEN tap_script.limits.string\n"
		    "#include \"tap_embedded.h\"\n\n", path_base(s->source->name));
	vec_each(e, &s->embedded) {
		write_line_mark(out, e->span);
		text_add_n(out, e->code, e->size);
		text_char(out, '\n');
	}
	vec_each(item, &s->functions) {
		struct function *f = *item;

		if (!f->embedded)
			continue;
		f->c_name = arena_printf(out->arena, "tap_fn_%s", f->name);
		vec_each(p, &f->parameters)
			(*p)->c_name = arena_printf(out->arena, "l_%s", (*p)->name);
		text_printf(out, "%s;\n", emit_signature(out->arena, f, f->c_name));
		emit_embedded_function(NULL, f, "", out);
	}
}
