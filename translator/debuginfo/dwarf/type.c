/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types from DWARF. The id of a handle is that of its DIE; for an array of several dimensions, the bits above
 * it are the number of dimensions already removed. A type that a unit only declares is looked up by name. */
#include "type.h"
#include "arch/arch.h"
#include "dwarf.h"
#include "debuginfo/type.h"

#define DIMENSION_SHIFT 56
#define DIE_OFFSET(id) ((id) & (((uint64_t)1 << DIMENSION_SHIFT) - 1))

static bool die_of(const struct debug_type *t, Dwarf_Die *die)
{
	return t->image->dwarf && t->id && dwarf_die(t->image->dwarf, DIE_OFFSET(t->id), die);
}

static bool type_die(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, type);
}

static bool number(Dwarf_Die *die, unsigned name, uint64_t *value)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;

	if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &word))
		return false;
	*value = word;
	return true;
}

static bool flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	bool value;

	return dwarf_attr_integrate(die, name, &attr) && !dwarf_formflag(&attr, &value) && value;
}

/* Child number I of those that IS_ONE accepts; the number of such children if I is SIZE_MAX. */
static size_t find_child(Dwarf_Die *die, bool (*is_one)(Dwarf_Die *), size_t i, Dwarf_Die *child)
{
	size_t n = 0;

	if (dwarf_child(die, child))
		return 0;
	do {
		if (is_one(child) && n++ == i)
			return n;
	} while (dwarf_siblingof(child, child) == 0);
	return i == SIZE_MAX ? n : 0;
}

/* ---- handles ---- */

static void describe_base(Dwarf_Die *die, struct debug_type *t)
{
	uint64_t encoding = DW_ATE_unsigned;

	number(die, DW_AT_encoding, &encoding);
	t->kind = DEBUG_INT;
	switch (encoding) {
	case DW_ATE_boolean:
		t->kind = DEBUG_BOOL;
		return;
	case DW_ATE_signed_char:
		t->is_signed = true;
		t->kind = DEBUG_CHAR;
		return;
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
		t->kind = DEBUG_CHAR;
		return;
	case DW_ATE_signed:
		t->is_signed = true;
		return;
	case DW_ATE_float:
	case DW_ATE_complex_float:
	case DW_ATE_imaginary_float:
	case DW_ATE_decimal_float:
		t->kind = DEBUG_FLOAT;
		return;
	default:
		return;
	}
}

static bool is_subrange(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_subrange_type;
}

/* The number of elements in dimension I; 0: not known. */
static uint64_t dimension(Dwarf_Die *array, size_t i)
{
	Dwarf_Die range;
	uint64_t n;

	if (!find_child(array, is_subrange, i, &range))
		return 0;
	if (number(&range, DW_AT_count, &n))
		return n;
	/* for a flexible array gcc writes no bound, or -1 */
	return number(&range, DW_AT_upper_bound, &n) && n + 1 < (uint64_t)1 << 48 &&
	       (uint32_t)n != UINT32_MAX ? n + 1 : 0;
}

static uint64_t target_size(struct debuginfo *d, Dwarf_Die *die, int depth);

static void describe_array(struct debuginfo *d, Dwarf_Die *die, size_t from, struct debug_type *t, int depth)
{
	Dwarf_Die child;
	size_t n = find_child(die, is_subrange, SIZE_MAX, &child);
	uint64_t size = target_size(d, die, depth);

	t->kind = DEBUG_ARRAY;
	t->count = dimension(die, from);
	for (size_t i = from; i < n; i++)
		size *= dimension(die, i);
	t->size = size;
}

static bool is_enumerator(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_enumerator;
}

int64_t dwarf_enumerator_value(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Sword value = 0;
	Dwarf_Word word;

	if (!dwarf_attr_integrate(die, DW_AT_const_value, &attr))
		return 0;
	/* forms of fixed width are unsigned here, although libdw may sign-extend them */
	switch (dwarf_whatform(&attr)) {
	case DW_FORM_data1: case DW_FORM_data2: case DW_FORM_data4: case DW_FORM_udata:
		return dwarf_formudata(&attr, &word) ? 0 : (int64_t)word;
	default:
		return dwarf_formsdata(&attr, &value) ? 0 : value;
	}
}

static void describe_enum(Dwarf_Die *die, struct debug_type *t)
{
	Dwarf_Die child;

	t->kind = DEBUG_ENUM;
	if (dwarf_child(die, &child))
		return;
	do
		t->is_signed |= is_enumerator(&child) && dwarf_enumerator_value(&child) < 0;
	while (dwarf_siblingof(&child, &child) == 0);
}

static bool is_qualifier(Dwarf_Die *die, struct debug_type *t)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_const_type:
		t->is_const = true;
		return true;
	case DW_TAG_volatile_type:
		t->is_volatile = true;
		return true;
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return true;
	default:
		return false;
	}
}

static void describe(struct debuginfo *d, Dwarf_Die *die, size_t from, struct debug_type *t, int depth);

static uint64_t target_size(struct debuginfo *d, Dwarf_Die *die, int depth)
{
	struct debug_type target = { .image = d };
	Dwarf_Die type;

	if (!type_die(die, &type))
		return 0;
	describe(d, &type, 0, &target, depth + 1);
	return target.size;
}

static void describe(struct debuginfo *d, Dwarf_Die *die, size_t from, struct debug_type *t, int depth)
{
	Dwarf_Die type = *die, whole;
	Dwarf_Attribute signature;

	for (; depth < DEEPEST_TYPE && is_qualifier(&type, t); depth++) {
		Dwarf_Die next;

		if (!type_die(&type, &next))
			return;		/* const void */
		type = next;
	}
	if (depth >= DEEPEST_TYPE)
		return;
	/* in a separate type unit (-fdebug-types-section) */
	if (dwarf_attr(&type, DW_AT_signature, &signature) && dwarf_formref_die(&signature, &whole))
		type = whole;
	t->id = dwarf_id(d->dwarf, &type) | (uint64_t)from << DIMENSION_SHIFT;
	t->name = dwarf_diename(&type);
	number(&type, DW_AT_byte_size, &t->size);
	switch (dwarf_tag(&type)) {
	case DW_TAG_base_type:
		describe_base(&type, t);
		return;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		t->kind = DEBUG_POINTER;
		if (!t->size)
			t->size = d->request.arch->word;
		return;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		t->kind = DEBUG_STRUCT;
		return;
	case DW_TAG_union_type:
		t->kind = DEBUG_UNION;
		return;
	case DW_TAG_enumeration_type:
		describe_enum(&type, t);
		return;
	case DW_TAG_array_type:
		describe_array(d, &type, from, t, depth);
		return;
	case DW_TAG_subroutine_type:
	case DW_TAG_subprogram:
		t->kind = DEBUG_FUNCTION;
		return;
	case DW_TAG_typedef:
		t->kind = DEBUG_TYPEDEF;
		t->size = target_size(d, &type, depth);
		return;
	default:
		t->kind = DEBUG_VOID;
		return;
	}
}

static const struct debug_type *handle(struct debuginfo *d, Dwarf_Die *die, size_t from)
{
	struct debug_type *t = arena_new(d->arena, struct debug_type);
	const struct debug_type *whole;
	const char *reason;
	Dwarf_Die real;

	t->image = d;
	t->reader = &dwarf_reader;
	describe(d, die, from, t, 0);
	if ((t->kind == DEBUG_STRUCT || t->kind == DEBUG_UNION) && t->name && die_of(t, &real) &&
	    flag(&real, DW_AT_declaration) &&
	    d->whole_type(d, t->kind, t->name, &whole, &reason) == DEBUGINFO_FOUND) {
		struct debug_type mine = *t;

		*t = *whole;
		t->is_const |= mine.is_const;
		t->is_volatile |= mine.is_volatile;
	}
	return t;
}

const struct debug_type *dwarf_type_handle(struct debuginfo *d, Dwarf_Die *die)
{
	return handle(d, die, 0);
}

const struct debug_type *dwarf_type_of(struct debuginfo *d, Dwarf_Die *die)
{
	struct debug_type *t;
	Dwarf_Die type;

	if (type_die(die, &type))
		return handle(d, &type, 0);
	t = arena_new(d->arena, struct debug_type);
	t->image = d;
	t->reader = &dwarf_reader;
	return t;
}

static const struct debug_type *target(const struct debug_type *t)
{
	size_t from = t->id >> DIMENSION_SHIFT;
	Dwarf_Die die, child;

	if (!die_of(t, &die))
		return t;
	if (t->kind == DEBUG_ARRAY && from + 1 < find_child(&die, is_subrange, SIZE_MAX, &child))
		return handle(t->image, &die, from + 1);
	return dwarf_type_of(t->image, &die);
}

/* ---- members ---- */

static bool is_member(Dwarf_Die *die)
{
	return (dwarf_tag(die) == DW_TAG_member && !flag(die, DW_AT_external)) ||
	       dwarf_tag(die) == DW_TAG_inheritance;
}

static size_t member_count(const struct debug_type *t)
{
	Dwarf_Die die, child;

	return die_of(t, &die) ? find_child(&die, is_member, SIZE_MAX, &child) : 0;
}

static bool find_member(const struct debug_type *t, size_t i, Dwarf_Die *member)
{
	struct dwarf_file *f = t->image->dwarf;
	Dwarf_Die die;

	if (f->cursor.of == t->id && f->cursor.i + 1 == i) {
		*member = f->cursor.die;
		do
			if (dwarf_siblingof(member, member))
				return false;
		while (!is_member(member));
	} else if (!die_of(t, &die) || !find_child(&die, is_member, i, member)) {
		return false;
	}
	f->cursor.of = t->id;
	f->cursor.i = i;
	f->cursor.die = *member;
	return true;
}

static uint64_t member_offset(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	Dwarf_Word offset = 0;
	size_t n;

	if (!dwarf_attr_integrate(die, DW_AT_data_member_location, &attr))
		return 0;
	if (dwarf_formudata(&attr, &offset) == 0)
		return offset;
	return dwarf_getlocation(&attr, &ops, &n) == 0 && n == 1 && ops[0].atom == DW_OP_plus_uconst ?
	       ops[0].number : 0;
}

static bool member_at(const struct debug_type *t, size_t i, struct debug_member *m)
{
	Dwarf_Die die;
	uint64_t bits = 0, at, from_top, unit;

	if (!find_member(t, i, &die))
		return false;
	m->name = dwarf_tag(&die) == DW_TAG_member ? dwarf_diename(&die) : NULL;
	m->type = dwarf_type_of(t->image, &die);
	m->offset = member_offset(&die);
	if (!number(&die, DW_AT_bit_size, &bits))
		return true;
	at = 8 * m->offset;
	if (number(&die, DW_AT_data_bit_offset, &from_top)) {
		at += from_top;
	} else if (number(&die, DW_AT_bit_offset, &from_top)) {
		/* DWARF 3: relative to the most significant bit of the storage unit */
		unit = m->type->size;
		number(&die, DW_AT_byte_size, &unit);
		at += 8 * unit - from_top - bits;
	}
	member_set_bits(m, at, (uint32_t)bits, m->type->size);
	return true;
}

static bool is_parameter(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_formal_parameter || dwarf_tag(die) == DW_TAG_unspecified_parameters;
}

static size_t parameter_count(const struct debug_type *t)
{
	Dwarf_Die die, child;

	return die_of(t, &die) ? find_child(&die, is_parameter, SIZE_MAX, &child) : 0;
}

static bool parameter_at(const struct debug_type *t, size_t i, const char **name,
			 const struct debug_type **type)
{
	Dwarf_Die die, child;

	if (!die_of(t, &die) || !find_child(&die, is_parameter, i, &child))
		return false;
	*name = dwarf_diename(&child) ?: "";
	*type = dwarf_tag(&child) == DW_TAG_formal_parameter ? dwarf_type_of(t->image, &child) : NULL;
	return true;
}

static size_t enumerator_count(const struct debug_type *t)
{
	Dwarf_Die die, child;

	return die_of(t, &die) ? find_child(&die, is_enumerator, SIZE_MAX, &child) : 0;
}

static bool enumerator_at(const struct debug_type *t, size_t i, const char **name, int64_t *value)
{
	Dwarf_Die die, child;

	if (!die_of(t, &die) || !find_child(&die, is_enumerator, i, &child))
		return false;
	*name = dwarf_diename(&child) ?: "";
	*value = dwarf_enumerator_value(&child);
	return true;
}

const struct debug_type_reader dwarf_reader = {
	.name = "DWARF",
	.target = target,
	.member_count = member_count, .member_at = member_at,
	.parameter_count = parameter_count, .parameter_at = parameter_at,
	.enumerator_count = enumerator_count, .enumerator_at = enumerator_at,
};
