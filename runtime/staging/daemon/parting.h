/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sockets that are closed without waiting for whoever is at the other end. What he has put into a socket and nobody
 * has taken is closed with it, and the last one who has a file open may wait for its file system: so does any user's
 * FUSE with the write-back cache, for ever, and kill -9 does not help. A socket in which descriptors are is
 * therefore closed by a process that is there for nothing else. */
#ifndef STAGING_PARTING_H
#define STAGING_PARTING_H

#include <stdbool.h>
#include <sys/types.h>

/* LISTENER: whose waiting connections may be of that kind, too. */
void parting_open(int listener);
/* Closes FD, now or later. */
void parting_close(int fd);
/* There are so many that no more shall be accepted for the moment. */
bool parting_is_full(void);
/* PID has ended: was it one that closes? */
bool parting_reap(pid_t pid);
/* In a process that serves: what is to be closed is not its business. */
void parting_forget(void);
/* Before this process ends: so that its end waits for nobody, either. */
void parting_end(void);

#endif
