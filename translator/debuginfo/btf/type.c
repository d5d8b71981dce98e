/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types from BTF. Handles are created on demand, one per id, so the same id always has the same handle.
 * Names are found through a hash table that the first query builds (the kernel has 130,000 types;
 * libbpf would search them linearly for each name). A module's BTF continues where the kernel's ends. */
#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

#include "type.h"
#include "base/util.h"
#include "btf.h"
#include "debuginfo/type.h"

struct btf_types {
	const struct debug_type **handles;	/* by id */
	uint32_t n, first;			/* n: number of all ids; first: the image's first own id */
	uint32_t *slots;			/* ids of named types, by the hash of the name */
	uint32_t slot_count;			/* a power of 2 */
	bool has_signs;				/* enums record whether they are signed: since pahole 1.24 */
};

static const char *name_at(const struct btf *btf, uint32_t offset)
{
	const char *name = btf__name_by_offset(btf, offset);

	return name ? name : "";
}

/* ---- names ---- */

static bool has_own_name(const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_FUNC:
	case BTF_KIND_VAR:
		return t->name_off != 0;
	default:
		return false;
	}
}

static uint32_t slot_of(const struct btf_types *types, const char *name)
{
	return (uint32_t)hash_string(HASH_START, name) & (types->slot_count - 1);
}

static void hash_names(const struct btf *btf, struct btf_types *types)
{
	uint32_t own = types->n - types->first;

	types->slot_count = 16;
	while (types->slot_count < 2 * own)
		types->slot_count *= 2;
	types->slots = xcalloc(types->slot_count, sizeof(*types->slots));
	for (uint32_t id = types->first; id < types->n; id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		uint32_t slot;

		if (t && btf_is_any_enum(t) && (btf_is_enum64(t) || btf_kflag(t)))
			types->has_signs = true;
		if (!t || !has_own_name(t))
			continue;
		slot = slot_of(types, name_at(btf, t->name_off));
		while (types->slots[slot])
			slot = (slot + 1) & (types->slot_count - 1);
		types->slots[slot] = id;
	}
}

static struct btf_types *types_of(struct debuginfo *d)
{
	struct btf_types *types = d->btf_types;

	if (types)
		return types;
	d->btf_types = types = xcalloc(1, sizeof(*types));
	types->n = btf__type_cnt(d->btf);
	types->first = d->module ? btf__type_cnt(d->kernel->btf) : 1;
	types->handles = xcalloc(types->n, sizeof(*types->handles));
	hash_names(d->btf, types);
	return types;
}

void btf_types_close(struct debuginfo *d)
{
	struct btf_types *types = d->btf_types;

	if (!types)
		return;
	free(types->handles);
	free(types->slots);
	free(types);
	d->btf_types = NULL;
}

/* The image's next own type NAME with a kind in the set KINDS; 0: no more. *SLOT must be UINT32_MAX at first. */
static uint32_t next_named(struct debuginfo *d, const char *name, uint32_t kinds, uint32_t *slot)
{
	const struct btf_types *types = types_of(d);

	for (;;) {
		const struct btf_type *t;

		*slot = *slot == UINT32_MAX ? slot_of(types, name) :
					      (*slot + 1) & (types->slot_count - 1);
		if (!types->slots[*slot])
			return 0;
		t = btf__type_by_id(d->btf, types->slots[*slot]);
		if (kinds & 1u << btf_kind(t) && str_equal(name_at(d->btf, t->name_off), name))
			return types->slots[*slot];
	}
}

static uint32_t first_named(struct debuginfo *d, const char *name, uint32_t kinds)
{
	uint32_t slot = UINT32_MAX;

	return next_named(d, name, kinds, &slot);
}

enum debuginfo_answer btf_named(struct debuginfo *d, const char *name, uint32_t kinds,
				struct btf_id *found, const char **reason)
{
	enum debuginfo_answer opened = btf_open(d, reason);

	*found = (struct btf_id){ d, 0 };
	if (opened == DEBUGINFO_FOUND)
		found->id = first_named(d, name, kinds);
	if (!found->id && d->module) {
		/* a module without BTF can still use the kernel's types */
		const char *why;
		enum debuginfo_answer kernel = btf_open(d->kernel, &why);

		if (kernel == DEBUGINFO_FOUND) {
			found->image = d->kernel;
			found->id = first_named(d->kernel, name, kinds);
		}
	}
	if (found->id)
		return DEBUGINFO_FOUND;
	return opened;
}

bool btf_is_ambiguous(const struct btf_id *i, uint32_t kinds)
{
	const struct btf_type *t = btf__type_by_id(i->image->btf, i->id);
	uint32_t slot = UINT32_MAX, id;

	while ((id = next_named(i->image, name_at(i->image->btf, t->name_off), kinds, &slot)))
		if (btf__type_by_id(i->image->btf, id)->type != t->type)
			return true;
	return false;
}

/* ---- enums ---- */

/* Older BTF does not record this: a value with the high bit set is then negative. */
static bool is_signed_enum(struct debuginfo *d, const struct btf_type *t)
{
	const struct btf_types *types = types_of(d);
	bool is_signed = btf_kflag(t);

	if (types->has_signs || (d->module && types_of(d->kernel)->has_signs))
		return is_signed;
	for (unsigned i = 0; btf_is_enum(t) && i < btf_vlen(t); i++)
		is_signed |= btf_enum(t)[i].val < 0;
	return is_signed;
}

static int64_t enumerator_value(const struct btf_type *t, bool is_signed, unsigned i)
{
	if (btf_is_enum64(t))
		return (int64_t)btf_enum64_value(btf_enum64(t) + i);
	return is_signed ? btf_enum(t)[i].val : (int64_t)(uint32_t)btf_enum(t)[i].val;
}

/* ---- handles ---- */

static uint64_t size_of(const struct btf *btf, uint32_t id)
{
	int64_t size = btf__resolve_size(btf, id);

	return size > 0 ? (uint64_t)size : 0;
}

static void describe_int(const struct btf *btf, const struct btf_type *t, struct debug_type *out)
{
	uint8_t encoding = btf_int_encoding(t);

	out->is_signed = encoding & BTF_INT_SIGNED;
	out->kind = encoding & BTF_INT_BOOL ? DEBUG_BOOL : DEBUG_INT;
	if (t->size == 1 && out->kind == DEBUG_INT && strstr(name_at(btf, t->name_off), "char"))
		out->kind = DEBUG_CHAR;
}

static void describe(const struct btf *btf, uint32_t id, const struct btf_type *t, struct debug_type *out)
{
	if (t->name_off)
		out->name = name_at(btf, t->name_off);
	switch (btf_kind(t)) {
	case BTF_KIND_INT:
		out->size = t->size;
		describe_int(btf, t, out);
		return;
	case BTF_KIND_FLOAT:
		out->kind = DEBUG_FLOAT;
		out->size = t->size;
		return;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		out->kind = DEBUG_ENUM;
		out->size = t->size;
		return;
	case BTF_KIND_FWD:
		out->kind = btf_kflag(t) ? DEBUG_UNION : DEBUG_STRUCT;
		return;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		out->kind = btf_is_union(t) ? DEBUG_UNION : DEBUG_STRUCT;
		out->size = t->size;
		return;
	case BTF_KIND_PTR:
		out->kind = DEBUG_POINTER;
		out->size = btf__pointer_size(btf) ?: 8;
		return;
	case BTF_KIND_ARRAY:
		out->kind = DEBUG_ARRAY;
		out->count = btf_array(t)->nelems;
		out->size = size_of(btf, id);
		return;
	case BTF_KIND_FUNC_PROTO:
		out->kind = DEBUG_FUNCTION;
		return;
	case BTF_KIND_TYPEDEF:
		out->kind = DEBUG_TYPEDEF;
		out->size = size_of(btf, id);
		return;
	default:
		out->kind = DEBUG_VOID;
		out->name = NULL;
		return;
	}
}

/* A type that is only declared: use the complete type of the same name if another unit defined it. */
static uint32_t complete(struct debuginfo *d, uint32_t id, const struct btf_type *t)
{
	uint32_t kind = 1u << (btf_kflag(t) ? BTF_KIND_UNION : BTF_KIND_STRUCT), found;
	const char *name = name_at(d->btf, t->name_off);

	found = first_named(d, name, kind);
	if (!found && d->module)
		found = first_named(d->kernel, name, kind);
	return found ? found : id;
}

const struct debug_type *btf_type_handle(struct debuginfo *d, uint32_t id)
{
	struct btf_types *types = types_of(d);
	const struct btf_type *t = NULL;
	struct debug_type *out;
	uint32_t asked = id < types->n ? id : 0;

	if (types->handles[asked])
		return types->handles[asked];
	out = arena_new(d->arena, struct debug_type);
	for (int depth = 0; depth < DEEPEST_TYPE; depth++) {
		t = id ? btf__type_by_id(d->btf, id) : NULL;
		if (!t || (!btf_is_mod(t) && !btf_is_type_tag(t)))
			break;
		out->is_const |= btf_is_const(t);
		out->is_volatile |= btf_is_volatile(t);
		id = t->type;
	}
	if (t && btf_is_fwd(t)) {
		id = complete(d, id, t);
		t = btf__type_by_id(d->btf, id);
	}
	out->image = d;
	out->reader = &btf_reader;
	out->id = id;
	if (t)
		describe(d->btf, id, t, out);
	if (t && btf_is_any_enum(t))
		out->is_signed = is_signed_enum(d, t);
	return types->handles[asked] = out;
}

static const struct btf_type *raw(const struct debug_type *t)
{
	return btf__type_by_id(t->image->btf, (uint32_t)t->id);
}

static const struct debug_type *target(const struct debug_type *t)
{
	const struct btf_type *r = raw(t);

	return btf_type_handle(t->image, btf_is_array(r) ? btf_array(r)->type : r->type);
}

static size_t member_count(const struct debug_type *t)
{
	const struct btf_type *r = raw(t);

	return btf_is_composite(r) ? btf_vlen(r) : 0;
}

/* Before kernel 5.1's pahole, the width of a bit-field was that of a special type. */
static uint32_t bits_of_type(const struct btf_type *t, uint32_t *extra)
{
	if (!t || !btf_is_int(t) || (btf_int_bits(t) == 8 * t->size && !btf_int_offset(t)))
		return 0;
	*extra = btf_int_offset(t);
	return btf_int_bits(t);
}

static bool member_at(const struct debug_type *t, size_t i, struct debug_member *m)
{
	const struct btf_type *r = raw(t);
	const struct btf_member *member = btf_members(r) + i;
	uint64_t at = btf_member_bit_offset(r, (uint32_t)i);
	uint32_t extra = 0, bits = btf_member_bitfield_size(r, (uint32_t)i);

	if (member->name_off)
		m->name = name_at(t->image->btf, member->name_off);
	m->type = btf_type_handle(t->image, member->type);
	if (!bits && !btf_kflag(r))
		bits = bits_of_type(btf__type_by_id(t->image->btf, member->type), &extra);
	if (bits)
		member_set_bits(m, at + extra, bits, m->type->size);
	else
		m->offset = at / 8;
	return true;
}

static size_t parameter_count(const struct debug_type *t)
{
	return btf_vlen(raw(t));
}

static bool parameter_at(const struct debug_type *t, size_t i, const char **name,
			 const struct debug_type **type)
{
	const struct btf_param *p = btf_params(raw(t)) + i;

	*name = name_at(t->image->btf, p->name_off);
	*type = p->type ? btf_type_handle(t->image, p->type) : NULL;
	return true;
}

/* ---- enumerators ---- */

static uint32_t enumerator_name(const struct btf_type *t, unsigned i)
{
	return btf_is_enum64(t) ? ((const __u32 *)btf_enum64(t))[3 * i] : btf_enum(t)[i].name_off;
}

static size_t enumerator_count(const struct debug_type *t)
{
	return btf_vlen(raw(t));
}

static bool enumerator_at(const struct debug_type *t, size_t i, const char **name, int64_t *value)
{
	const struct btf_type *r = raw(t);

	*name = name_at(t->image->btf, enumerator_name(r, (unsigned)i));
	*value = enumerator_value(r, t->is_signed, (unsigned)i);
	return true;
}

const struct debug_type_reader btf_reader = {
	.name = "BTF",
	.target = target,
	.member_count = member_count, .member_at = member_at,
	.parameter_count = parameter_count, .parameter_at = parameter_at,
	.enumerator_count = enumerator_count, .enumerator_at = enumerator_at,
};

static bool find_enumerator(struct debuginfo *d, uint32_t first, const char *name, int64_t *value)
{
	uint32_t n = btf__type_cnt(d->btf);

	for (uint32_t id = first; id < n; id++) {
		const struct btf_type *t = btf__type_by_id(d->btf, id);

		for (unsigned i = 0; btf_is_any_enum(t) && i < btf_vlen(t); i++)
			if (str_equal(name_at(d->btf, enumerator_name(t, i)), name)) {
				*value = enumerator_value(t, is_signed_enum(d, t), i);
				return true;
			}
	}
	return false;
}

enum debuginfo_answer btf_enumerator_named(struct debuginfo *d, const char *name, int64_t *value,
					   const char **reason)
{
	enum debuginfo_answer opened = btf_open(d, reason);
	const char *why;

	if (opened == DEBUGINFO_FOUND && find_enumerator(d, types_of(d)->first, name, value))
		return DEBUGINFO_FOUND;
	if (d->module && btf_open(d->kernel, &why) == DEBUGINFO_FOUND &&
	    find_enumerator(d->kernel, 1, name, value))
		return DEBUGINFO_FOUND;
	if (opened == DEBUGINFO_FOUND) {
		*reason = arena_printf(d->arena, "no enum has '%s'", name);
		opened = DEBUGINFO_ABSENT;
	}
	return opened;
}

/* ---- by name ---- */

static uint32_t kinds_of(enum debug_kind kind)
{
	switch (kind) {
	case DEBUG_STRUCT:
		return 1u << BTF_KIND_STRUCT;
	case DEBUG_UNION:
		return 1u << BTF_KIND_UNION;
	case DEBUG_ENUM:
		return 1u << BTF_KIND_ENUM | 1u << BTF_KIND_ENUM64;
	default:
		return 1u << BTF_KIND_TYPEDEF | 1u << BTF_KIND_INT | 1u << BTF_KIND_FLOAT;
	}
}

static const char *kind_name(enum debug_kind kind)
{
	return kind == DEBUG_STRUCT ? "struct " : kind == DEBUG_UNION ? "union " :
	       kind == DEBUG_ENUM ? "enum " : "type ";
}

enum debuginfo_answer btf_type_named(struct debuginfo *d, enum debug_kind kind, const char *name,
				     const struct debug_type **t, const char **reason)
{
	struct btf_id found;
	enum debuginfo_answer answer = btf_named(d, name, kinds_of(kind), &found, reason);

	if (found.id) {
		*t = btf_type_handle(found.image, found.id);
		return DEBUGINFO_FOUND;
	}
	if (answer != DEBUGINFO_FOUND)
		return answer;
	*reason = arena_printf(d->arena, "%s has no %s%s", d->module ? d->module : "the kernel",
			       kind_name(kind), name);
	return DEBUGINFO_ABSENT;
}

const char *btf_suggest_type(struct debuginfo *d, const char *name)
{
	const struct btf_types *types = d->btf_answer == DEBUGINFO_FOUND && d->btf ? types_of(d) : NULL;
	const char *space = strrchr(name, ' ');
	name_list names = { 0 };

	name = space ? space + 1 : name;
	for (uint32_t id = 1; types && id < types->n; id++) {
		const struct btf_type *t = btf__type_by_id(d->btf, id);
		const char *other = t && t->name_off ? name_at(d->btf, t->name_off) : "";

		if (t && *other == *name && (btf_is_composite(t) || btf_is_any_enum(t) || btf_is_typedef(t)))
			*vec_add(d->arena, &names) = other;
	}
	return nearest_name(name, names.items, names.n);
}
