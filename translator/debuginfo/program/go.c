/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The address of the goroutine (struct runtime.g) is in a register in all code that uses ABIInternal, and on arm64 in
 * all code of Go. On x86-64, assembly functions and Go before 1.17 have it in thread-local storage, as "runtime.tlsg":
 * the last word before the thread pointer, unless the program is linked with others that need such storage. */
#include "go.h"

#include <string.h>

#include "arch/arch.h"
#include "base/util.h"
#include "debuginfo/dwarf/dwarf.h"
#include "debuginfo/dwarf/name.h"
#include "debuginfo/symbols/elf.h"
#include "debuginfo/symbols/symbols.h"
#include "facts.h"
#include "image.h"

static bool has_go_table(const struct image *image)
{
	return image_section(image, ".gopclntab") || image_section(image, ".data.rel.ro.gopclntab");
}

static bool find_symbol(struct debuginfo *d, const char *name, uint64_t *address)
{
	struct symbols found = { 0 };

	if ((debuginfo_functions(d, name, &found) != DEBUGINFO_FOUND &&
	     debuginfo_data(d, name, &found) != DEBUGINFO_FOUND) || !found.list.n)
		return false;
	*address = found.list.items[0].address;
	return true;
}

bool program_is_go(struct debuginfo *d, uint64_t address)
{
	struct program *p = d->program;
	const char *reason;

	if (!p->go_tried && program_open(d, &reason) == DEBUGINFO_FOUND) {
		p->go_tried = true;
		if (has_go_table(&p->image) && !(find_symbol(d, "runtime.text", &p->go_start) &&
						 find_symbol(d, "runtime.etext", &p->go_end))) {
			p->go_start = 0;
			p->go_end = UINT64_MAX;
		}
	}
	return address >= p->go_start && address < p->go_end;
}

/* "Go cmd/compile go1.19.8; regabi" */
bool program_go_uses_registers(struct debuginfo *d, uint64_t address)
{
	Dwarf_Attribute attr;
	Dwarf_Addr pc;
	Dwarf_Die unit;
	const char *reason, *producer;

	if (!d->request.arch->go || dwarf_open(d, &reason) != DEBUGINFO_FOUND ||
	    !dwarf_address(d->dwarf, NULL, (int64_t)address, &pc) || !dwarf_unit_at(d->dwarf, pc, &unit) ||
	    !dwarf_attr(&unit, DW_AT_producer, &attr))
		return false;
	producer = dwarf_formstring(&attr);
	return producer && strstr(producer, "regabi");
}

enum tap_goroutine program_goroutine(struct debuginfo *d, const struct symbol *s)
{
	const struct arch_go *go = d->request.arch->go;
	int64_t distance;

	if (!go)
		return TAP_GOROUTINE_NONE;
	if (go->is_always || (!str_ends(s->name, ".abi0") && program_go_uses_registers(d, s->address)))
		return TAP_GOROUTINE_IN_REGISTER;
	return program_goroutine_storage(d, &distance) ? TAP_GOROUTINE_IN_STORAGE : TAP_GOROUTINE_NONE;
}

bool program_goroutine_storage(struct debuginfo *d, int64_t *distance)
{
	enum { WORD = 8 };
	struct program_facts f;
	uint64_t offset = 0;

	if (program_facts(d, &f) != DEBUGINFO_FOUND || f.is_library || !d->request.arch->storage_is_below)
		return false;
	if (f.tls_size > WORD) {
		uint64_t align = f.tls_align ? f.tls_align : 1;

		if (!elf_thread_offset(&d->program->image, "runtime.tlsg", &offset))
			return false;
		*distance = (int64_t)offset - (int64_t)((f.tls_size + align - 1) / align * align);
		return true;
	}
	*distance = -WORD;
	return true;
}

uint32_t program_goroutine_number(struct debuginfo *d)
{
	const struct debug_type *goroutine;
	struct debug_member number;
	const char *reason;

	if (dwarf_type_named(d, DEBUG_STRUCT, "runtime.g", &goroutine, &reason) != DEBUGINFO_FOUND ||
	    !debug_type_member(goroutine, "goid", &number) || debug_type_real(number.type)->size != 8)
		return 0;
	return (uint32_t)number.offset;
}
