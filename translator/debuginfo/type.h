/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types of the target, the same from DWARF and from BTF. A type is a handle into its image: members,
 * targets and enumerators are read when they are asked for. Typedefs are types of their own;
 * qualifiers are marks on the type that they qualify. */
#ifndef TAPC_DEBUGINFO_TYPE_H
#define TAPC_DEBUGINFO_TYPE_H

#include "debuginfo.h"

enum debug_kind {
	DEBUG_VOID, DEBUG_INT, DEBUG_BOOL, DEBUG_CHAR, DEBUG_FLOAT, DEBUG_ENUM,
	DEBUG_POINTER, DEBUG_ARRAY, DEBUG_STRUCT, DEBUG_UNION, DEBUG_FUNCTION,
	DEBUG_TYPEDEF,
};

struct debug_type {
	enum debug_kind kind;
	const char *name;		/* "task_struct", "int", "pid_t"; NULL: anonymous */
	uint64_t size;			/* bytes; 0: incomplete, or of unknown length */
	uint64_t count;			/* ARRAY: elements; 0: flexible */
	bool is_signed;			/* INT, CHAR, ENUM */
	bool is_const, is_volatile;
	struct debuginfo *image;
	const struct debug_type_reader *reader;	/* of the back end that has more of it */
	uint64_t id;			/* that one's own: a BTF id, an offset of a DIE */
};

/* The pointee, the element, what a typedef stands for, what a function returns; a VOID type for void *.
 * NULL for others. */
const struct debug_type *debug_type_target(const struct debug_type *t);
/* Without typedefs. */
const struct debug_type *debug_type_real(const struct debug_type *t);
/* As C writes it: "struct file *", "unsigned int [16]". */
const char *debug_type_text(struct arena *a, const struct debug_type *t);

struct debug_member {
	const char *name;		/* NULL: anonymous struct or union */
	const struct debug_type *type;
	uint64_t offset;		/* bytes from the start of the outermost type asked */
	uint32_t bit_offset, bit_size;	/* bit-field: bits from OFFSET, least significant first (the
					 * byte-order of the target is taken care of), mostly within
					 * SIZE of the type, in packed structs maybe one byte more;
					 * size 0: none */
};

/* STRUCT or UNION: the member NAME, also within anonymous members. */
bool debug_type_member(const struct debug_type *t, const char *name, struct debug_member *m);
size_t debug_type_member_count(const struct debug_type *t);
bool debug_type_member_at(const struct debug_type *t, size_t i, struct debug_member *m);
/* The member name that is most like NAME; or NULL. */
const char *debug_type_suggest(const struct debug_type *t, const char *name);

/* FUNCTION; the type is NULL for "...". */
size_t debug_type_parameter_count(const struct debug_type *t);
bool debug_type_parameter_at(const struct debug_type *t, size_t i, const char **name,
			     const struct debug_type **type);

size_t debug_type_enumerator_count(const struct debug_type *t);
bool debug_type_enumerator_at(const struct debug_type *t, size_t i, const char **name, int64_t *value);

/* "struct task_struct", "union x", "enum y", "pid_t", "int", "struct file *", "char [16]": complete where
 * the image, or for a module the kernel, has it complete. */
/* A type whose name is near to NAME, with or without "struct"; NULL: BTF tells of none. */
const char *debuginfo_suggest_type(struct debuginfo *d, const char *name);
enum debuginfo_answer debuginfo_type(struct debuginfo *d, const char *text, const struct debug_type **t);
/* An enumerator's value by its name, whatever its enum. */
enum debuginfo_answer debuginfo_enumerator(struct debuginfo *d, const char *name, int64_t *value);

#endif
