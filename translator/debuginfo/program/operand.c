/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of operands that all assemblers share: numbers, registers, symbols and displacements,
 * pushed as steps of a location. */
#include "operand.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "debuginfo/location.h"
#include "plt.h"
#include "debuginfo/symbols/symbols.h"

void operand_add(struct operand *o, enum location_op op, int64_t value)
{
	location_add(o->d->arena, &o->out->location, op, value);
}

bool operand_take(struct operand *o, const char *text)
{
	size_t n = strlen(text);

	while (*o->p == ' ')
		o->p++;
	if (strncmp(o->p, text, n))
		return false;
	o->p += n;
	return true;
}

bool operand_number(struct operand *o, int64_t *value)
{
	char *end;

	operand_take(o, "#");
	*value = strtoll(o->p, &end, 0);
	/* a number may exceed the signed range */
	if (end != o->p && o->p[0] != '-')
		*value = (int64_t)strtoull(o->p, &end, 0);
	if (end == o->p)
		return false;
	o->p = end;
	return true;
}

const char *operand_word(struct operand *o)
{
	size_t n = 0;

	while (isalnum((unsigned char)o->p[n]) || (o->p[n] && strchr("_.$@", o->p[n])))
		n++;
	o->p += n;
	return arena_strndup(o->d->arena, o->p - n, n);
}

bool operand_register(struct operand *o, const char *name)
{
	const struct arch_register *r = arch_register(o->arch, name);

	if (!r || r->dwarf < 0)
		return false;
	operand_add(o, LOCATION_REGISTER, r->dwarf);
	if (r->size < 8)
		location_add(o->d->arena, &o->out->location, LOCATION_ZERO, 0)->size = r->size;
	return true;
}

/* "counter@GOTOFF" is relative to the offset table, whose address a register adds: both are
 * addresses in the file. */
static bool push_symbol(struct operand *o, const char *name)
{
	const char *from = strstr(name, "@GOTOFF");
	struct symbols found = { 0 };

	if (from)
		name = arena_strndup(o->d->arena, name, (size_t)(from - name));
	if (debuginfo_data(o->d, name, &found) != DEBUGINFO_FOUND &&
	    debuginfo_functions(o->d, name, &found) != DEBUGINFO_FOUND)
		return false;
	/* several static symbols may have the same name */
	if (found.list.n != 1)
		return false;
	if (from)
		operand_add(o, LOCATION_CONST, found.list.items[0].offset - (int64_t)program_offset_table(o->d));
	else
		operand_add(o, LOCATION_ADDRESS, found.list.items[0].offset);
	return true;
}

static bool begins_name(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '.';
}

/* Push "symbol+8", "8+symbol", "4+16", or 0 if a bracket follows. */
bool operand_displacement(struct operand *o)
{
	bool has_symbol = false;
	int64_t sum = 0, value;

	for (bool more = *o->p != '('; more; more = *o->p == '+' || *o->p == '-') {
		o->p += *o->p == '+';
		if (!begins_name(*o->p)) {
			if (!operand_number(o, &value))
				return false;
			sum += value;
		} else if (has_symbol || !push_symbol(o, operand_word(o))) {
			return false;
		} else {
			has_symbol = true;
		}
	}
	if (sum || !has_symbol)
		operand_add(o, LOCATION_CONST, sum);
	if (sum && has_symbol)
		operand_add(o, LOCATION_ADD, 0);
	return true;
}
