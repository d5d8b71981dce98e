/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What SystemTap's library has and this one does not have, and what to use in its place. */
#ifndef LIBRARY_ABSENT_H
#define LIBRARY_ABSENT_H

/* Advice for a function, or for the first word of a probe point; NULL: SystemTap has none of that name, either. */
const char *absent_function(const char *name);
const char *absent_family(const char *word);

#endif
