/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The print functions: what each of them takes and does. */
#include "print_op.h"

static const struct print_op print_ops[] = {
	{ .name = "print" },
	{ .name = "println", .newline = true },
	{ .name = "printf", .has_format = true },
	{ .name = "printd", .has_delimiter = true },
	{ .name = "printdln", .has_delimiter = true, .newline = true },
	{ .name = "print_char", .is_char = true },
	{ .name = "sprint", .to_string = true },
	{ .name = "sprintln", .to_string = true, .newline = true },
	{ .name = "sprintf", .to_string = true, .has_format = true },
	{ .name = "sprintd", .to_string = true, .has_delimiter = true },
	{ .name = "sprintdln", .to_string = true, .has_delimiter = true, .newline = true },
};

const struct print_op *print_op_of(const char *name)
{
	if (*name != 'p' && *name != 's')
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(print_ops); i++)
		if (str_equal(name, print_ops[i].name))
			return &print_ops[i];
	return NULL;
}

void print_op_names(struct arena *a, name_list *names)
{
	for (size_t i = 0; i < ARRAY_SIZE(print_ops); i++)
		*vec_add(a, names) = print_ops[i].name;
}
