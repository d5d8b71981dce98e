/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Would tapd load a module for this user? */
#ifndef STAGING_ASK_H
#define STAGING_ASK_H

enum ask_answer { ASK_YES, ASK_NO, ASK_NO_DAEMON };

/* After ASK_NO *REASON is tapd's, which the caller frees. */
enum ask_answer ask_tapd(char **reason);
/* Connects to the daemon: a descriptor, or -1 if nothing listens. */
int ask_connect(void);

#endif
