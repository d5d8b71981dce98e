/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A minimal loader, for adversaries: this process runs a session through its file control. */
#ifndef ADVERSARY_SESSION_H
#define ADVERSARY_SESSION_H

#include <stdint.h>

#include "abi/tap_wire.h"
#include "common/module.h"

/* The name of the module in MODULE.ko. */
void session_name(char name[MODULE_NAME_SIZE], const char *module);
/* All of these return 0 or an errno. */
int session_load(const char *module, const char *parameters, int *control);
int session_command(int control, enum tap_command_kind kind, const void *payload, uint32_t size);
int session_start(int control);
/* Only for tasks in the cgroup with this number; 0: for all. */
int session_start_in(int control, uint64_t cgroup);
int session_unload(const char *name, int flags);

#endif
