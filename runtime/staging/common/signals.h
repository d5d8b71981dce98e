/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals are blocked and read from a descriptor. Children get the signal settings that we inherited. */
#ifndef STAGING_SIGNALS_H
#define STAGING_SIGNALS_H

#include <stdbool.h>
#include <sys/signalfd.h>

/* Returns the descriptor, or -1 and errno. */
int signals_open(void);
/* Called in a child before exec. */
void signals_restore(void);
/* Reads the next pending signal; false if there is none. */
bool signals_next(int fd, struct signalfd_siginfo *info);

#endif
