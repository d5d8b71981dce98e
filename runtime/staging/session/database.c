// SPDX-License-Identifier: GPL-2.0-or-later
/* The file is whole after each transaction, also when the process is killed; it is not synced to the disk. */
#include "database.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/host.h"
#include "common/message.h"

#ifdef HAVE_SQLITE
#include <sqlite3.h>

#include "common/library.h"

#define SQLITE(X) X(sqlite3_open_v2) X(sqlite3_exec) X(sqlite3_errcode) X(sqlite3_errmsg) X(sqlite3_get_autocommit) \
	X(sqlite3_close)
LIBRARY(sqlite, "libsqlite3.so.0", SQLITE)

struct database {
	sqlite3 *file;
	struct output *out;
	char *text;			/* statements, terminated */
	size_t room;
};

static void complain(struct database *d)
{
	d->out->error = sqlite.sqlite3_errcode(d->file) == SQLITE_FULL ? ENOSPC : EIO;
	message_error("cannot write to '%s': %s", d->out->path, sqlite.sqlite3_errmsg(d->file));
}

struct database *database_open(struct output *out)
{
	struct database *d;

	if (!sqlite_load()) {
		message_error("SQLite is missing: install libsqlite3-0 (Debian) or sqlite-libs (Fedora); --output=sql prints "
			      "what sqlite3 reads");
		return NULL;
	}
	d = host_alloc(sizeof(*d));
	d->out = out;
	if (sqlite.sqlite3_open_v2(out->path, &d->file, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
	    sqlite.sqlite3_exec(d->file, "PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE", NULL, NULL, NULL) == SQLITE_OK)
		return d;
	complain(d);
	database_close(d);
	return NULL;
}

void database_put(void *database, const char *statements, size_t size)
{
	struct database *d = database;

	if (d->out->error)
		return;
	if (size >= d->room) {
		d->room = 2 * size + 1;
		d->text = host_grow(d->text, d->room);
	}
	memcpy(d->text, statements, size);
	d->text[size] = 0;
	if (sqlite.sqlite3_exec(d->file, d->text, NULL, NULL, NULL) == SQLITE_OK)
		return;
	complain(d);
	if (!sqlite.sqlite3_get_autocommit(d->file))
		sqlite.sqlite3_exec(d->file, "ROLLBACK", NULL, NULL, NULL);
}

void database_close(struct database *d)
{
	sqlite.sqlite3_close(d->file);
	free(d->text);
	free(d);
}
#else
struct database *database_open(struct output *out)
{
	(void)out;
	message_error("this taprun was built without SQLite: --output=sql prints what sqlite3 reads");
	return NULL;
}

void database_put(void *database, const char *statements, size_t size)
{
	(void)database;
	(void)statements;
	(void)size;
}

void database_close(struct database *d)
{
	(void)d;
}
#endif
