/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files about BTF. */
#ifndef TAPC_DEBUGINFO_BTF_TYPE_H
#define TAPC_DEBUGINFO_BTF_TYPE_H

#include "debuginfo/chain.h"

/* An id is only meaningful together with its image. */
struct btf_id {
	struct debuginfo *image;
	uint32_t id;			/* 0: none */
};

/* The first type NAME with a kind (1 << BTF_KIND_...) in KINDS, in D or the kernel. FOUND with id
 * 0: there is BTF, but it has no such type. */
enum debuginfo_answer btf_named(struct debuginfo *d, const char *name, uint32_t kinds,
				struct btf_id *found, const char **reason);
/* Are there other types of the same name that refer to another type? */
bool btf_is_ambiguous(const struct btf_id *i, uint32_t kinds);
const struct debug_type *btf_type_handle(struct debuginfo *d, uint32_t id);

extern const struct debug_type_reader btf_reader;

enum debuginfo_answer btf_type_named(struct debuginfo *d, enum debug_kind kind, const char *name,
				     const struct debug_type **t, const char **reason);
enum debuginfo_answer btf_enumerator_named(struct debuginfo *d, const char *name, int64_t *value,
					   const char **reason);

/* Frees the handles and tables for d->btf. Call it before btf_close(). */
void btf_types_close(struct debuginfo *d);

/* A type with a name similar to NAME, with or without "struct"; NULL: BTF has none. */
const char *btf_suggest_type(struct debuginfo *d, const char *name);

#endif
