/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptions of architectures: one struct arch each, in arch/. */
#ifndef TAPC_ARCH_H
#define TAPC_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct choosing;
struct debuginfo;
struct image_section;
struct instruction;
struct operand;

/* A register under its name in scripts: register("rdi"), register("edi"). */
struct arch_register {
	const char *name;
	int dwarf;			/* DWARF number of the whole register; -1: none */
	uint16_t offset;		/* in struct pt_regs */
	uint8_t size;			/* bytes, counted from the least significant one */
};

struct arch_syscall {
	const uint16_t *numbers;	/* by enum arch_call (calls.h) */
	const char *number;		/* register with the system call number at entry */
	const char *result;		/* register with the return value */
	const char *arguments[6];
	const char *wrapper;		/* "__x64_sys_": its only parameter is a struct pt_regs *; NULL: the
					 * kernel's sys_ functions take the arguments themselves */
};

/* How Go uses the registers: its ABIInternal. */
struct arch_go {
	const char *const *registers;	/* of integers and pointers, for arguments and for results */
	uint8_t register_count, floats;	/* FLOATS: how many registers for floating-point numbers */
	const char *goroutine;		/* has the address of the goroutine (struct runtime.g) */
	bool is_always;			/* also in code that does not use ABIInternal */
};

struct arch {
	const char *name;		/* uname -m: "x86_64" */
	const char *kernel;		/* arch/NAME of the kernel: "x86" */
	uint16_t elf_machine;		/* EM_... */
	uint8_t word;			/* size of a pointer in bytes */
	const struct arch_register *registers;	/* ends with a NULL name */
	/* Integer and pointer arguments of a function, in order; the next ones are on the stack. */
	const char *const *arguments;
	uint8_t argument_count;
	uint8_t stack_arguments;	/* offset of the first one from the stack pointer at entry */
	const char *result;		/* register with a function's return value: "rax" */
	const char *second_result;	/* register with the second half of a return value in two registers */
	uint8_t structs_returned;	/* size in bytes of the largest struct returned in these registers */
	/* Exceptions to the rule that arguments use one register after the other, and then the stack. */
	bool large_by_address;		/* a struct of more than two words is copied, and its address is passed */
	bool pairs_are_even;		/* a number of two words begins in an even-numbered register */
	bool registers_end;		/* after an argument on the stack, all following ones are on the stack */
	bool pairs_are_split;		/* the last register can hold the first half of two words */
	bool result_has_register;	/* the address of a struct returned in memory is not the first argument */
	const char *pc, *sp, *fp;
	const char *link;		/* register of the return address; NULL: it is on the stack */
	bool storage_is_below;		/* the program's thread-local storage ends at the thread pointer; otherwise: */
	uint8_t storage_gap;		/* it begins this many bytes after the pointer, unless alignment needs more */
	struct arch_syscall syscall;
	/* Largest distance of ftrace's call from the function's first byte, after a landing pad. */
	uint8_t ftrace_reach;
	/* The address that ftrace lists can be this far before the function: arm64 keeps data there. 0: never. */
	uint8_t ftrace_before;
	/* In debug information, functions can begin this far after their symbols: for arm64, gcc (12) omits the
	 * instructions of -fpatchable-function-entry. 0: never. */
	uint8_t patchable;
	/* The kernel reports an access to watched memory after the access. Otherwise it must be stepped over, which
	 * kernels do only for debuggers. */
	bool watches_memory;
	/* The code of programs. Parses an operand of a static marker (debuginfo/program/operand.h). */
	bool (*operand)(struct operand *o);
	/* The address of the word through which the .plt entry of SIZE bytes at ADDRESS jumps; 0: unknown. */
	uint64_t (*plt_slot)(struct debuginfo *d, const uint8_t *entry, uint64_t size, uint64_t address);
	/* The size of the entries of the section S, and of its header. */
	uint64_t (*plt_entry)(const struct image_section *s, uint64_t *header);
	/* Finds the addresses that the code of an IFUNC computes or loads (debuginfo/program/choice.h). */
	void (*choices)(struct choosing *c, const uint8_t *code, uint64_t size);
	/* The size of the landing pad at CODE, if a breakpoint on the next instruction is cheaper and is hit exactly
	 * when the function is entered; else 0. NULL: there are no such pads. */
	uint8_t (*pad)(const uint8_t *code, uint64_t size);
	/* The distance from the nop at CODE, a static marker's, to a nop of ten bytes right after it; else 0. NULL:
	 * the kernel replaces no such nops by calls. */
	uint8_t (*second_nop)(const uint8_t *code, uint64_t size);
	/* Why the kernel cannot place a breakpoint on the instruction at CODE, of which SIZE bytes can be read; NULL:
	 * it can, or this is not known. */
	const char *(*unprobed)(const uint8_t *code, uint64_t size);
	/* See instruction.h; NULL: its instructions cannot be told apart. */
	bool (*instruction)(const uint8_t *code, uint64_t size, struct instruction *out);
	const struct arch_go *go;	/* NULL: programs written in Go are not supported */
	const struct arch *narrow;	/* for 32-bit programs on its kernel; NULL: not supported */
};

/* The architecture of a program for ELF_MACHINE, with 64 bits or (NARROW) 32 bits, on a kernel of ARCH; NULL: the
 * kernel does not run it, or it is not supported. */
const struct arch *arch_of_program(const struct arch *arch, uint16_t elf_machine, bool narrow);
/* Finds a register by name; NULL if there is none. */
const struct arch_register *arch_register(const struct arch *arch, const char *name);
/* The whole register with a DWARF number. */
const struct arch_register *arch_register_of_dwarf(const struct arch *arch, int dwarf);
/* The register of integer argument N (from 1); NULL: the argument is on the stack. */
const struct arch_register *arch_argument(const struct arch *arch, unsigned n);

#endif
