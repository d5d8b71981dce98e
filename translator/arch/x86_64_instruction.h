/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TAPC_ARCH_X86_64_INSTRUCTION_H
#define TAPC_ARCH_X86_64_INSTRUCTION_H

#include "instruction.h"

/* Describes the instruction at CODE, of which SIZE bytes can be read. False: it is unknown, or longer than SIZE. */
bool instruction_x86_64(const uint8_t *code, uint64_t size, struct instruction *out);

#endif
