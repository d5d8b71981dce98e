/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How is a program's function entered? Is it by a call? A return probe replaces the return address, which is at the
 * top of the stack on x86 when a function is entered by a call. Some functions are entered by a jump, with
 * something else there: the program's entry (argc), the loader's _dl_runtime_resolve (a link map), the
 * function that a signal handler returns to (the signal's frame). Overwriting that breaks the program.
 *
 * The ELF header names the entry, and the unwind table identifies the rest: for a called function, the
 * frame address is one return address above the stack pointer, and the caller is known.
 *
 * Functions of Go are called, but Go's runtime reads its own stacks, to move them and to find pointers, and ends the
 * program when it meets a return address that it does not know ("unexpected return pc"). Their return instructions are
 * probed instead (returns.h). */
#include "entry.h"

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "go.h"
#include "image.h"
#include "returns.h"

/* Opened once. NULL if there is no table, or it cannot be read. */
static Dwarf_CFI *unwind_table(struct program *p)
{
	if (!p->unwind_tried) {
		p->unwind_tried = true;
		elf_version(EV_CURRENT);
		p->elf = elf_memory((char *)(uintptr_t)p->image.bytes.data, p->image.bytes.size);
		p->unwind = p->elf ? dwarf_getcfi_elf(p->elf) : NULL;
	}
	return p->unwind;
}

void program_entry_close(struct debuginfo *d)
{
	struct program *p = d->program;

	if (!p)
		return;
	if (p->unwind)
		dwarf_cfi_end(p->unwind);
	if (p->elf)
		elf_end(p->elf);
	p->elf = NULL;
	p->unwind = NULL;
}

/* Does the frame begin at the value that the stack pointer had before a call? */
static bool is_frame_of_call(Dwarf_Frame *frame, const struct arch *arch)
{
	const struct arch_register *sp = arch_register(arch, arch->sp);
	size_t pushed = arch->link ? 0 : arch->word;
	Dwarf_Op *ops;
	size_t n;

	return !dwarf_frame_cfa(frame, &ops, &n) && n == 1 && ops->atom == DW_OP_bregx &&
	       (int)ops->number == sp->dwarf && ops->number2 == pushed;
}

/* For the outermost function of a thread, the table says that it has no caller. */
static bool has_caller(Dwarf_Frame *frame)
{
	int column = dwarf_frame_info(frame, NULL, NULL, NULL);
	Dwarf_Op memory[3], *ops = memory;
	size_t n;

	return column < 0 || dwarf_frame_register(frame, column, memory, &ops, &n) || n || ops != memory;
}

static bool table_says_called(struct debuginfo *d, uint64_t address)
{
	Dwarf_CFI *table = unwind_table(d->program);
	Dwarf_Frame *frame;
	bool is_signal, called;

	if (!table || dwarf_cfi_addrframe(table, address, &frame))
		return true;
	dwarf_frame_info(frame, NULL, NULL, &is_signal);
	called = !is_signal && is_frame_of_call(frame, d->request.arch) && has_caller(frame);
	free(frame);
	return called;
}

const char *program_return_obstacle(struct debuginfo *d, uint64_t address)
{
	const char *reason;
	Elf64_Ehdr h;

	if (program_open(d, &reason) != DEBUGINFO_FOUND || !image_header(&d->program->image, &h))
		return NULL;
	if (program_is_go(d, address))
		return NULL;
	return address == h.e_entry || !table_says_called(d, address) ? PROGRAM_NOT_CALLED : NULL;
}

uint8_t program_pad(struct debuginfo *d, uint64_t address)
{
	enum { MOST = 6 };	/* bytes of a pad and of what decides about it */
	const struct arch *arch = d->request.arch;
	const uint8_t *code = arch->pad ? image_at(&d->program->image, address, MOST) : NULL;

	if (program_is_go(d, address))
		return program_stack_check(d, address);
	return code ? arch->pad(code, MOST) : 0;
}

uint8_t program_second_nop(struct debuginfo *d, uint64_t address)
{
	enum { MOST = 11, PAGE = 4096 };
	const struct arch *arch = d->request.arch;
	const uint8_t *code;

	if (!arch->second_nop || address % PAGE + MOST > PAGE)
		return 0;		/* the kernel replaces none that is in two pages */
	code = image_at(&d->program->image, address, MOST);
	return code ? arch->second_nop(code, MOST) : 0;
}

const char *program_unprobed(struct debuginfo *d, uint64_t address)
{
	enum { MOST = 8 };	/* prefixes, and the opcode's first two bytes */
	const struct arch *arch = d->request.arch;
	const uint8_t *code = arch->unprobed ? image_at(&d->program->image, address, MOST) : NULL;

	return code ? arch->unprobed(code, MOST) : NULL;
}
