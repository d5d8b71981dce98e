/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scripts that are installed with tapc, which its command line finds by their names: tapc opensnoop. */
#ifndef TAPC_GALLERY_H
#define TAPC_GALLERY_H

#include <stdbool.h>

struct arena;
struct options;
struct script_head;

/* The file of the tool that WORD names; NULL if it names none. Words with '/' or '.' are always files. */
const char *gallery_find(struct arena *a, const char *word);
/* The tool with the most similar name, also to NAME.stp; or NULL. */
const char *gallery_near(struct arena *a, const char *word);
/* --tools: a line for each, with its question. False, with a message, if there are no tools. */
bool gallery_list(struct arena *a);
/* --help after a script's NAME (or NULL for the text of -e): its comment and its options. */
void gallery_help(struct arena *a, const char *name, const char *text, const struct script_head *head);
/* Write a man page tapc-NAME.1 for each tool to the directory DIR. False, with a message. */
bool gallery_pages(struct arena *a, const char *dir);

#endif
