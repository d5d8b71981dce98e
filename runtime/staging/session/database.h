/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --output=sqlite: statements for an SQLite file. */
#ifndef STAGING_DATABASE_H
#define STAGING_DATABASE_H

#include <stddef.h>

#include "common/output.h"

struct database;

/* Opens the file of OUT, which is empty and gets nothing else. NULL, with a message. */
struct database *database_open(struct output *out);
/* Carries out a transaction of the database DATABASE. If it fails, with a message, OUT has the error, and later ones
 * are left out. */
void database_put(void *database, const char *statements, size_t size);
void database_close(struct database *d);

#endif
