/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Socket addresses as text. */
#ifndef TAP_SOCKET_H
#define TAP_SOCKET_H

#include "show.h"

/* A socket address of SIZE bytes: {AF_INET, 127.0.0.1, 80}. */
void tap_show_sockaddr(struct tap_shower *s, u64 address, u32 size);

#endif
