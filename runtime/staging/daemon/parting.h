/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Closes sockets without waiting for their peers. Descriptors that a peer has sent, and that have not been received,
 * are closed with the socket, and the last process to close a file may wait for its file system. Any user's
 * FUSE with the write-back cache can block it forever, and kill -9 does not help. So a socket that contains
 * descriptors is closed by a process that does nothing else. */
#ifndef STAGING_PARTING_H
#define STAGING_PARTING_H

#include <stdbool.h>
#include <sys/types.h>

/* LISTENER: its pending connections may contain descriptors, too. */
void parting_open(int listener);
/* Closes FD, now or later. */
void parting_close(int fd);
/* Too many sockets are waiting to be closed; accept no more for the moment. */
bool parting_is_full(void);
/* PID has exited: was it one of these processes? */
bool parting_reap(pid_t pid);
/* For a process that serves a client: closes its copies of the waiting sockets. */
void parting_forget(void);
/* Called before this process ends, so that its exit does not block, either. */
void parting_end(void);

#endif
