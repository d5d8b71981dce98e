/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The manual as man pages. */
#ifndef TAPC_TOOLS_MANUAL_PAGE_H
#define TAPC_TOOLS_MANUAL_PAGE_H

#include "manual.h"

struct text;

/* Adds text as roff: a line, and paragraphs, in which indented lines are code. */
void page_line(struct text *t, const char *s);
void page_body(struct text *t, const char *p);
/* Write man pages to DIR: tapset-SUBJECT.3tap for each tapset file, and the indexes tapfuncs.3tap and
 * tapprobes.3tap. False, with a message. */
bool manual_pages(const struct manual *m, const char *dir);

#endif
