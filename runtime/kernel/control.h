/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory /proc/tap:NAME with control and meta (tap_wire.h). */
#ifndef TAP_CONTROL_H
#define TAP_CONTROL_H

#include <linux/proc_fs.h>

int tap_control_open(void);
void tap_control_close(void);
struct proc_dir_entry *tap_control_directory(void);

#endif
