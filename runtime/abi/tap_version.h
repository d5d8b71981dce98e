/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made by versions.sh: checksums of the headers that describe each interface. */
#ifndef TAP_VERSION_H
#define TAP_VERSION_H

/* script.c and the runtime */
#define TAP_ABI_VERSION 3802408539u
/* module and loader: 16 bits in tap_wire.h */
#define TAP_WIRE_VERSION 46871u
/* tapd and its clients: 16 bits in protocol.h */
#define TAPD_VERSION 9967u

#endif
