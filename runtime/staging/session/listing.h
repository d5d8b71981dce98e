/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sessions seen from outside: which there are, and asking one to end. */
#ifndef STAGING_LISTING_H
#define STAGING_LISTING_H

#include <stdbool.h>

#include "common/status.h"

struct tap_report;

/* What the session is doing, as a word. */
const char *listing_state(const struct tap_report *r);
/* A line for each session on stdout; others' only with their owner, when they cannot be looked into. */
enum tap_status listing_print(const char *proc);
/* NAME, of MODULE_NAME_SIZE bytes, is a session's or the name of the script of one: that session's. False, with a
 * message, where several sessions are of that script. A name that is nobody's stays as it is. */
bool listing_complete(const char *proc, char *name);
/* Has session NAME its taprun? */
bool listing_is_held(const char *proc, const char *name);
/* A session that has its taprun: have it end, and wait until it is gone. */
enum tap_status listing_stop(const char *proc, const char *name);

#endif
