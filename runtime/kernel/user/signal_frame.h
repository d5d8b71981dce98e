/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own code in programs, and the frames that it puts on their stacks, where no tables describe them:
 * from the return address of a signal handler to the code that the signal interrupted; and for 32-bit x86 the entry
 * into the kernel, because the daemon sees only the vDSO of 64-bit programs. Registers are those of tap_image.h. */
#ifndef TAP_SIGNAL_FRAME_H
#define TAP_SIGNAL_FRAME_H

#include <linux/kernel.h>

#include "tap_image.h"

#ifdef CONFIG_ARM64
/* struct rt_sigframe of arch/arm64/kernel/signal.c has 128 bytes of siginfo followed by a ucontext, in which the
 * registers begin at 184. The code is "mov x8, #139; svc #0", for which the vdso has had no call frame information
 * since 5.8: its sigreturn.S says that unwinders must recognise it by these instructions. */
static inline const struct tap_unwind_rule *tap_signal_rule(const u32 code[2], bool narrow)
{
	enum { AT = (128 + 184) / 8 };
	static const struct tap_unwind_rule rule = {
		.kind = TAP_UNWIND_REGISTER, .base = TAP_UNWIND_STACK, .signal = true,
		.return_in = TAP_UNWIND_RETURN, .saved = 0x11fff,
		.at = { AT + 19, AT + 20, AT + 21, AT + 22, AT + 23, AT + 24, AT + 29, AT + 31, AT + 25, AT + 26,
			AT + 27, AT + 28, AT + 30, [TAP_UNWIND_RETURN] = AT + 32 },
	};

	return !narrow && code[0] == 0xd2801168 && code[1] == 0xd4000001 ? &rule : NULL;
}
#elif defined(CONFIG_X86_64)
/* struct sigframe_ia32 and rt_sigframe_ia32 of arch/x86/include/asm/sigframe.h, without the return address that the
 * handler has popped: the number of the signal, then a sigcontext_32; or 3 words, 128 bytes of siginfo, and a
 * ucontext in which it is at 20. The code is "pop %eax; mov $119, %eax; int $0x80", or "mov $173, %eax; int $0x80". */
#define TAP_SIGNAL_RULE(at_) { \
	.kind = TAP_UNWIND_REGISTER, .base = TAP_UNWIND_STACK, .signal = true, \
	.return_in = TAP_UNWIND_RETURN, .saved = 0x100ff, \
	.at = { (at_) + 11, (at_) + 9, (at_) + 10, (at_) + 8, (at_) + 5, (at_) + 4, (at_) + 6, (at_) + 7, \
		[TAP_UNWIND_RETURN] = (at_) + 14 }, \
}
static inline const struct tap_unwind_rule *tap_signal_rule(const u32 code[2], bool narrow)
{
	static const struct tap_unwind_rule plain = TAP_SIGNAL_RULE(1),
					    realtime = TAP_SIGNAL_RULE((3 * 4 + 128 + 20) / 4);

	if (narrow && code[0] == 0x0077b858 && code[1] == 0x80cd0000)
		return &plain;
	return narrow && code[0] == 0x0000adb8 && (code[1] & 0xffffff) == 0x80cd00 ? &realtime : NULL;
}
#else
static inline const struct tap_unwind_rule *tap_signal_rule(const u32 code[2], bool narrow) { return NULL; }
#endif

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
