/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types and enumerators by their names, from all back ends. */
#ifndef TAPC_DEBUGINFO_TYPE_NAME_H
#define TAPC_DEBUGINFO_TYPE_NAME_H

#include "type.h"

/* "struct task_struct", "union x", "enum y", "pid_t", "int", "struct file *", "char [16]": complete
 * if the image, or for a module the kernel, has the complete type. */
enum debuginfo_answer debuginfo_type(struct debuginfo *d, const char *text, const struct debug_type **t);
/* A type with a name similar to NAME, with or without "struct"; NULL: BTF has none. */
const char *debuginfo_suggest_type(struct debuginfo *d, const char *name);
/* An enumerator's value by its name, in any enum. */
enum debuginfo_answer debuginfo_enumerator(struct debuginfo *d, const char *name, int64_t *value);

/* For back ends: debuginfo_type() for a name, without setting D's reason. */
enum debuginfo_answer type_by_name(struct debuginfo *d, enum debug_kind kind, const char *name,
				   const struct debug_type **t, const char **reason);

#endif
