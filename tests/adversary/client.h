/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A minimal client of tapd, for adversaries. */
#ifndef ADVERSARY_CLIENT_H
#define ADVERSARY_CLIENT_H

#include "common/protocol.h"

/* Waits until the daemon is ready, at most LIMIT. Returns -1 if it is not. */
int client_connect(const char *path);
/* Returns 0 or an errno; P is the daemon's answer SESSION, with its descriptors. */
int client_load(int socket, const char *module, unsigned flags, struct tapd_packet *p);

#endif
