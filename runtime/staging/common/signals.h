/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals as data: blocked, and read from a descriptor. Children get back what we were given. */
#ifndef STAGING_SIGNALS_H
#define STAGING_SIGNALS_H

#include <stdbool.h>
#include <sys/signalfd.h>

/* The descriptor, or -1 and errno. */
int signals_open(void);
/* In a child, before exec. */
void signals_restore(void);
/* The next one that waits; false: none. */
bool signals_next(int fd, struct signalfd_siginfo *info);

#endif
