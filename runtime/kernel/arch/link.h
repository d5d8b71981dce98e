/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For architectures whose calls leave the return address in a register, not on the stack. See arch.h. */
#ifndef TAP_ARCH_LINK_H
#define TAP_ARCH_LINK_H

#define TAP_RETURN_ON_STACK 0
static inline unsigned long tap_return_pops(struct pt_regs *regs) { return 0; }
static inline void tap_return_pop(struct pt_regs *regs) { }
static inline void tap_return_push(struct pt_regs *regs) { }
static inline unsigned long tap_return_slack(struct pt_regs *regs) { return 0; }
static inline unsigned long tap_called_before(unsigned long back) { return 0; }
static inline unsigned long tap_called_before_by_user(unsigned long back) { return 0; }

#define TAP_MOST_SHORTENED 0
static inline unsigned int tap_nop_size(unsigned long at) { return 0; }

#endif
