/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packet filters: programs of the classic BPF, whose jumps lead forward only, so each step runs at most once. */
#ifndef TAP_CORE_FILTER_H
#define TAP_CORE_FILTER_H

#include "tap_script.h"

enum {
	TAP_FILTER_BYTES = 65535,	/* what a filter that matches returns at most */
	TAP_FILTER_MOST_STEPS = 1 << 16,
};

/* The packet that a filter reads, from its link layer header on. */
struct tap_filter_packet {
	/* Copies SIZE bytes (1, 2, 4). False: not all of them are there, and the filter does not match. */
	bool (*read)(const struct tap_filter_packet *p, u32 at, u8 *to, u32 size);
	u32 size;			/* bytes of the whole packet, for `len` */
};

/* Whether all steps are known and end within the program. */
bool tap_filter_is_valid(const struct tap_filter *filter);
/* Any program may be given: one that is not valid does not match. */
bool tap_filter_matches(const struct tap_filter *filter, const struct tap_filter_packet *p);

#endif
