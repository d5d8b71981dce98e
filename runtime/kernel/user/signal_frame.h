/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own code in 32-bit programs, which no tables describe because the daemon sees only the vDSO of 64-bit
 * programs: the entry into the kernel. Frames of signals are in arch/. Registers are those of tap_image.h. */
#ifndef TAP_SIGNAL_FRAME_H
#define TAP_SIGNAL_FRAME_H

#include <linux/kernel.h>

#include "compat.h"
#include "tap_image.h"

/* __kernel_vsyscall pushes some registers; after the entry into the kernel it continues with "pop %ebp; pop %edx;
 * pop %ecx; ret" (arch/x86/entry/vdso/vdso32/system_call.S). False if CODE differs. */
static inline bool tap_rule_of_pops(const u8 code[4], struct tap_unwind_rule *rule)
{
	enum { POP = 0x58, POP_FRAME = POP + 5, RET = 0xc3, MOST = 4 };
	s16 pops = 0, frame = -1;

	while (pops < MOST && (code[pops] & 0xf8) == POP) {
		if (code[pops] == POP_FRAME)
			frame = pops;
		pops++;
	}
	if (pops == MOST || code[pops] != RET)
		return false;
	*rule = (struct tap_unwind_rule){
		.kind = TAP_UNWIND_REGISTER, .base = TAP_UNWIND_STACK, .offset = 4 * (pops + 1),
		.return_in = TAP_UNWIND_RETURN, .saved = 1u << TAP_UNWIND_RETURN,
		.lost = 0x7,		/* registers that calls do not preserve */
		.at = { [TAP_UNWIND_RETURN] = -1 },
	};
	if (frame >= 0) {
		rule->saved |= 1u << TAP_UNWIND_FRAME;
		rule->at[TAP_UNWIND_FRAME] = frame - pops - 1;
	}
	return true;
}

#endif
