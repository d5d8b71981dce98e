/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where programs are looked for when nobody says. */
#ifndef STAGING_DEFAULT_PATH_H
#define STAGING_DEFAULT_PATH_H

/* Sets PATH if it is unset or empty, so that the programs that are run find others, too: make needs a compiler. */
void default_path_set(void);

#endif
