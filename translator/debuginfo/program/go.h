/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs written in Go: their code, and where it keeps its goroutine. */
#ifndef TAPC_DEBUGINFO_PROGRAM_GO_H
#define TAPC_DEBUGINFO_PROGRAM_GO_H

#include "tap_script.h"
#include "debuginfo/symbols/symbol.h"
#include "program.h"

/* Is the code at ADDRESS Go's? Go's linker marks it with two symbols; without them all code of a Go program may be. */
bool program_is_go(struct debuginfo *d, uint64_t address);
/* Does the function at ADDRESS pass values in registers (ABIInternal)? The compiler's debug information says it. */
bool program_go_uses_registers(struct debuginfo *d, uint64_t address);

/* Where the function S of Go keeps the address of its goroutine; NONE: not known. */
enum tap_goroutine program_goroutine(struct debuginfo *d, const struct symbol *s);
/* Its distance from the thread pointer; false: not known. */
bool program_goroutine_storage(struct debuginfo *d, int64_t *distance);
/* The offset of the goroutine's number in it; 0: not known. */
uint32_t program_goroutine_number(struct debuginfo *d);

#endif
