/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of back ends that describe types and variables: DWARF and BTF. Callers use type.h
 * and place.h, which try the back ends in turn. */
#ifndef TAPC_DEBUGINFO_CHAIN_H
#define TAPC_DEBUGINFO_CHAIN_H

#include "debuginfo/handle.h"
#include "debuginfo/place.h"
#include "debuginfo/type.h"

enum { DEEPEST_TYPE = 32 };		/* of nested types: C needs no more, but damaged files have cycles */

/* Queries about a type. The caller has checked the type's kind, so the requested part exists. */
struct debug_type_reader {
	const char *name;		/* "DWARF" */
	const struct debug_type *(*target)(const struct debug_type *t);
	size_t (*member_count)(const struct debug_type *t);
	bool (*member_at)(const struct debug_type *t, size_t i, struct debug_member *m);
	size_t (*parameter_count)(const struct debug_type *t);
	bool (*parameter_at)(const struct debug_type *t, size_t i, const char **name,
			     const struct debug_type **type);
	size_t (*enumerator_count)(const struct debug_type *t);
	bool (*enumerator_at)(const struct debug_type *t, size_t i, const char **name, int64_t *value);
};

struct debug_backend {
	const char *name;		/* "DWARF" */

	/* Find a type by name. KIND: STRUCT, UNION, ENUM, or TYPEDEF for a typedef or a base type. */
	enum debuginfo_answer (*type)(struct debuginfo *d, enum debug_kind kind, const char *name,
				      const struct debug_type **t, const char **reason);
	enum debuginfo_answer (*enumerator)(struct debuginfo *d, const char *name, int64_t *value,
					    const char **reason);

	/* Variables visible at a place. */
	enum debuginfo_answer (*variable)(const struct debug_place *p, const char *name,
					  struct debug_variable *out, const char **reason);
	enum debuginfo_answer (*variables)(const struct debug_place *p, unsigned what,
					   debug_variables *out, const char **reason);
	enum debuginfo_answer (*result)(const struct debug_place *p, struct debug_variable *out,
					const char **reason);
	enum debuginfo_answer (*global)(struct debuginfo *d, const char *name, const char *file,
					struct debug_variable *out, const char **reason);
};

extern const struct debug_backend dwarf_backend, btf_backend;

#endif
