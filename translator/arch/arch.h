/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the translator must know of an architecture: one row each, in arch/. */
#ifndef TAPC_ARCH_H
#define TAPC_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct choosing;
struct debuginfo;
struct image_section;
struct operand;

/* A register as scripts name it: register("rdi"), register("edi"). */
struct arch_register {
	const char *name;
	int dwarf;			/* DWARF number of the whole register; -1: it has none */
	uint16_t offset;		/* in struct pt_regs */
	uint8_t size;			/* bytes of it; the least significant ones */
};

struct arch_syscall {
	const uint16_t *numbers;	/* by enum arch_call (calls.h) */
	const char *instruction;	/* "syscall" */
	const char *number;		/* register with the call's number at entry */
	const char *result;		/* register with what it returns */
	/* The number as pt_regs keeps it, also at exit and after a restart. */
	uint16_t number_offset;
	const char *arguments[6];
	const char *wrapper;		/* "__x64_sys_": its one parameter is a struct pt_regs *; NULL: the
					 * kernel's sys_ functions take the arguments themselves */
	const char *compat_wrapper;	/* the same for 32-bit programs */
};

struct arch {
	const char *name;		/* uname -m: "x86_64" */
	const char *kernel;		/* arch/NAME of the kernel: "x86" */
	uint16_t elf_machine;		/* EM_... */
	uint8_t word;			/* bytes of a pointer */
	const struct arch_register *registers;	/* ends with a NULL name */
	uint16_t pt_regs_size;
	/* Integer and pointer arguments of a function, in order; the next ones are on the stack. */
	const char *const *arguments;
	uint8_t argument_count;
	uint8_t stack_arguments;	/* at entry: distance of the first one from the stack pointer */
	const char *result;		/* of a function: register("rax") */
	const char *second_result;	/* the second half of a value of two registers */
	uint8_t structs_returned;	/* up to how many bytes in these registers; larger ones in memory */
	/* Exceptions to the rule that arguments use one register after the other, and then the stack. */
	bool large_by_address;		/* a struct of more than two words is a copy, whose address is passed */
	bool pairs_are_even;		/* a number of two words begins in a register of even number */
	bool registers_end;		/* once one is on the stack, all that follow are */
	bool pairs_are_split;		/* the last register may hold the first half of two words */
	bool result_has_register;	/* the address of a struct that is returned in memory is no first argument */
	const char *pc, *sp, *fp;
	const char *link;		/* register of the return address; NULL: it is on the stack */
	bool storage_is_below;		/* a thread's pointer is at the end of the program's part of its storage; else: */
	uint8_t storage_gap;		/* bytes from that pointer to the beginning of this part, if it needs no alignment */
	struct arch_syscall syscall;
	/* Largest distance of ftrace's call from the function's first byte, behind a landing pad. */
	uint8_t ftrace_reach;
	/* What ftrace lists may be this far before the function: arm64 keeps data there. 0: never. */
	uint8_t ftrace_before;
	/* Debug information may have functions begin this far behind their symbols: for arm64 gcc (12) leaves out
	 * the instructions of -fpatchable-function-entry. 0: never. */
	uint8_t patchable;
	/* The kernel reports an access to watched memory when it is done. Else it is to be stepped over, which kernels
	 * do for debuggers only. */
	bool watches_memory;
	bool has_kprobes_on_ftrace;	/* an address of ftrace's can be had without int3 */
	/* The code of its programs. An operand of a static marker (debuginfo/program/operand.h). */
	bool (*operand)(struct operand *o);
	/* The address of the word through which the .plt entry of SIZE bytes at ADDRESS jumps; 0: unknown. */
	uint64_t (*plt_slot)(struct debuginfo *d, const uint8_t *entry, uint64_t size, uint64_t address);
	/* The size of the entries of the section S, and of its header. */
	uint64_t (*plt_entry)(const struct image_section *s, uint64_t *header);
	/* What the code of an IFUNC makes or loads (debuginfo/program/choice.h). */
	void (*choices)(struct choosing *c, const uint8_t *code, uint64_t size);
	const uint8_t *trap;		/* the breakpoint instruction: to be found in no image */
	uint8_t trap_size;
	const struct arch *narrow;	/* of the 32-bit programs that its kernel runs; NULL: none that is known */
};

/* The one whose programs a kernel of ARCH runs: those for MACHINE of 64 or (NARROW) 32 bits; NULL: it does not, or
 * what they are like is not known. */
const struct arch *arch_of_program(const struct arch *arch, uint16_t elf_machine, bool narrow);
/* By name, NULL: there is none. */
const struct arch_register *arch_register(const struct arch *arch, const char *name);
/* The whole register of a DWARF number. */
const struct arch_register *arch_register_of_dwarf(const struct arch *arch, int dwarf);
/* The register of integer argument N (from 1); NULL: it is on the stack. */
const struct arch_register *arch_argument(const struct arch *arch, unsigned n);

#endif
