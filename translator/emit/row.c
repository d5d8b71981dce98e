/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows as C: designated initializers of the structs of tap_script.h, with the tables that they point to before them.
 * Members that are 0 are left out. */
#include "row.h"

#include <string.h>

#include "base/util.h"

/* The member as an integer. An unsigned one of 64 bits keeps its bits. */
static s64 number_of(const struct row_member *m, const void *at)
{
	switch (m->kind) {
	case ROW_IS_BOOL: return *(const bool *)at;
	case ROW_IS_U8: return *(const u8 *)at;
	case ROW_IS_U16: return *(const u16 *)at;
	case ROW_IS_U32: return *(const u32 *)at;
	case ROW_IS_S32: return *(const s32 *)at;
	case ROW_IS_S64: return *(const s64 *)at;
	default: return (s64)*(const u64 *)at;		/* U64 and HEX */
	}
}

static const void *pointer_of(const void *at)
{
	return *(const void *const *)at;
}

static u32 count_of(const struct row_member *m, const void *data)
{
	return *(const u32 *)((const char *)data + m->count);
}

static bool is_zero(const struct row_layout *layout, const void *data);

static bool is_member_zero(const struct row_member *m, const void *data)
{
	const void *at = (const char *)data + m->offset;

	switch (m->kind) {
	case ROW_IS_STRUCT: return is_zero(m->layout, at);
	case ROW_IS_SYMBOL: return false;
	case ROW_IS_STRING:
	case ROW_IS_BYTES:
	case ROW_IS_POINTER:
	case ROW_IS_TABLE:
	case ROW_IS_SHARED:
	case ROW_IS_FUNCTION: return !pointer_of(at);
	default: return !number_of(m, at);
	}
}

static bool is_zero(const struct row_layout *layout, const void *data)
{
	for (const struct row_member *m = layout->members; m->name; m++)
		if (!is_member_zero(m, data))
			return false;
	return true;
}

static void write_number(const struct row_member *m, s64 n, struct text *out)
{
	if (m->kind == ROW_IS_BOOL)
		text_add(out, "true");
	else if (m->kind == ROW_IS_HEX)
		text_printf(out, "0x%llxull", (unsigned long long)n);
	else if (m->kind == ROW_IS_U64)
		text_printf(out, "%lluull", (unsigned long long)n);
	else if (n == TAP_BY_NAME)
		text_add(out, "TAP_BY_NAME");
	else
		text_printf(out, "%lld%s", n, m->kind == ROW_IS_S64 ? "ll" : "");
}

static void write_string(const char *s, struct text *out)
{
	text_char(out, '"');
	text_c_escape(out, s, strlen(s));
	text_char(out, '"');
}

static void write_bytes(const u8 *bytes, u32 n, struct text *out)
{
	text_add(out, "(const u8[]){ ");
	for (u32 i = 0; i < n; i++)
		text_printf(out, "%u, ", bytes[i]);
	text_add(out, "}");
}

/* The table's own text is made first: the tables that it points to are declared before it. */
static const char *write_table(struct row_writer *w, const struct row_member *m, const void *data, u32 n)
{
	struct text *out = &w->declarations, table;
	const char *name = arena_printf(out->arena, "%s_%zu", m->name, w->tables++);

	text_init(&table, out->arena);
	text_printf(&table, "static const struct %s %s[] = {\n", m->layout->type, name);
	for (u32 i = 0; i < n; i++) {
		text_char(&table, '\t');
		row_write(w, m->layout, (const char *)data + i * m->layout->size, &table);
		text_add(&table, ",\n");
	}
	text_add(out, table.s);
	text_add(out, "};\n");
	return name;
}

static const char *write_shared(struct row_writer *w, const struct row_member *m, const void *data)
{
	const char *name;

	for (size_t i = w->shared.n; i-- > 0;)
		if (w->shared.items[i].data == data)
			return w->shared.items[i].name;
	name = write_table(w, m, data, 1);
	*vec_add(w->declarations.arena, &w->shared) = (struct written_row){ data, name };
	return name;
}

static void write_function(struct row_writer *w, const struct row_member *m, const struct row_function *f,
			   struct text *out)
{
	const char *name = arena_printf(out->arena, "%s_%zu", m->name, w->tables++);

	text_printf(&w->declarations, "%s%s%s", f->before, name, f->after);
	text_add(out, name);
}

static void write_value(struct row_writer *w, const struct row_member *m, const void *data, struct text *out)
{
	const void *at = (const char *)data + m->offset;

	switch (m->kind) {
	case ROW_IS_STRING:
		write_string(pointer_of(at), out);
		break;
	case ROW_IS_BYTES:
		write_bytes(pointer_of(at), count_of(m, data), out);
		break;
	case ROW_IS_STRUCT:
		row_write(w, m->layout, at, out);
		break;
	case ROW_IS_POINTER:
		text_printf(out, "&(const struct %s)", m->layout->type);
		row_write(w, m->layout, pointer_of(at), out);
		break;
	case ROW_IS_TABLE:
		text_add(out, write_table(w, m, pointer_of(at), count_of(m, data)));
		break;
	case ROW_IS_SHARED:
		text_add(out, write_shared(w, m, pointer_of(at)));
		break;
	case ROW_IS_FUNCTION:
		write_function(w, m, pointer_of(at), out);
		break;
	case ROW_IS_SYMBOL:
		text_printf(&w->declarations, "extern const struct %s %s;\n", m->type, m->symbol);
		text_printf(out, "&%s", m->symbol);
		break;
	default:
		write_number(m, number_of(m, at), out);
	}
}

static void write_members(struct row_writer *w, const struct row_layout *layout, const void *data, struct text *out)
{
	const char *separator = "";

	for (const struct row_member *m = layout->members; m->name; m++) {
		if (is_member_zero(m, data))
			continue;
		text_printf(out, "%s.%s = ", separator, m->name);
		write_value(w, m, data, out);
		separator = ", ";
	}
}

void row_write(struct row_writer *w, const struct row_layout *layout, const void *data, struct text *out)
{
	if (is_zero(layout, data)) {
		text_add(out, "{ 0 }");
		return;
	}
	text_add(out, "{ ");
	write_members(w, layout, data, out);
	text_add(out, " }");
}
