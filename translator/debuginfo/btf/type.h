/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files about BTF share. */
#ifndef TAPC_DEBUGINFO_BTF_TYPE_H
#define TAPC_DEBUGINFO_BTF_TYPE_H

#include "debuginfo/chain.h"

/* Ids mean something together with their image. */
struct btf_id {
	struct debuginfo *image;
	uint32_t id;			/* 0: none */
};

/* The first type NAME with a kind (1 << BTF_KIND_...) of KINDS, in D or the kernel. FOUND with id 0:
 * there is BTF, and it has none. */
enum debuginfo_answer btf_named(struct debuginfo *d, const char *name, uint32_t kinds,
				struct btf_id *found, const char **reason);
/* Are there others of the same name that refer to another type? */
bool btf_is_ambiguous(const struct btf_id *i, uint32_t kinds);
const struct debug_type *btf_type_handle(struct debuginfo *d, uint32_t id);

/* place.c */
enum debuginfo_answer btf_variable(const struct debug_place *p, const char *name,
				   struct debug_variable *out, const char **reason);
enum debuginfo_answer btf_variables(const struct debug_place *p, unsigned what, debug_variables *out,
				    const char **reason);
enum debuginfo_answer btf_result(const struct debug_place *p, struct debug_variable *out,
				 const char **reason);
enum debuginfo_answer btf_global(struct debuginfo *d, const char *name, const char *file,
				 struct debug_variable *out, const char **reason);

#endif
