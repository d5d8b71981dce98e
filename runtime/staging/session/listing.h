/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sessions seen from outside: lists them and ends one. */
#ifndef STAGING_LISTING_H
#define STAGING_LISTING_H

#include <stdbool.h>

#include "common/status.h"

struct tap_report;

/* The session's state as a word. */
const char *listing_state(const struct tap_report *r);
/* Prints a line for each session to stdout. A session that may not be read shows only its owner. */
enum tap_status listing_print(const char *proc);
/* NAME, of MODULE_NAME_SIZE bytes, is the name of a session, or of a script; the latter is replaced by the name
 * of the script's session. False, with a message, if the script has several sessions. An unknown name is left
 * unchanged. */
bool listing_complete(const char *proc, char *name);
/* Does a taprun hold session NAME? */
bool listing_is_held(const char *proc, const char *name);
/* Ends a session that a taprun holds, and waits until it is gone. */
enum tap_status listing_stop(const char *proc, const char *name);
/* Asks for a snapshot of what session NAME has recorded. */
enum tap_status listing_snapshot(const char *proc, const char *name);

#endif
