/* SPDX-License-Identifier: GPL-2.0-or-later */
/* May this process load modules into this kernel, and why not. */
#ifndef STAGING_PRIVILEGE_H
#define STAGING_PRIVILEGE_H

#include <stdbool.h>

struct module;

/* Has this process the right to load modules at all? */
bool privilege_is_there(void);
/* What can be known before trying: rights, kernel without modules, lockdown, signatures. False, with
 * one message that says what to do. */
bool privilege_check(const struct module *m);
/* The same for programs that only read or remove modules. */
bool privilege_check_process(void);

/* The kernel's log from here on; -1 when it is not readable. */
int privilege_open_kernel_log(void);
/* init_module failed with ERR: a message, and what the kernel wrote to LOG about it. */
void privilege_explain(const struct module *m, int err, int log);

#endif
