/* SPDX-License-Identifier: GPL-2.0-or-later */
/* May this process load modules into this kernel, and if not, why? */
#ifndef STAGING_PRIVILEGE_H
#define STAGING_PRIVILEGE_H

#include <stdbool.h>

struct gap;
struct module;

/* Does this process have the right to load modules at all? */
bool privilege_is_there(void);
/* Checks what can be known before trying: rights, a kernel without modules, lockdown, signatures. False, with
 * one message that says what to do. */
bool privilege_check(const struct module *m);
/* May this process load modules, as far as its rights and the kernel's configuration decide? False: G says why not. */
bool privilege_suffices(struct gap *g);
/* privilege_check for programs that only read or remove modules. */
bool privilege_check_process(void);

/* A descriptor for the kernel's log from now on; -1 if it is not readable. */
int privilege_open_kernel_log(void);
/* Explains why init_module failed with ERR, including what the kernel wrote to LOG about it. */
void privilege_explain(const struct module *m, int err, int log);

#endif
