/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The handle of an image: the queries that every file below debuginfo.h may use. */
#include "debuginfo/handle.h"

#include "base/util.h"

enum debuginfo_answer debuginfo_answered(struct debuginfo *d, enum debuginfo_answer answer,
					 const char *reason)
{
	d->reason = answer == DEBUGINFO_FOUND ? "" : reason;
	return answer;
}

const char *debuginfo_reason(const struct debuginfo *d)
{
	return d->reason;
}

const char *debuginfo_module_name(const struct debuginfo *d)
{
	return d->module;
}

const struct arch *debuginfo_arch(const struct debuginfo *d)
{
	return d->request.arch;
}

bool debuginfo_is_user(const struct debuginfo *d)
{
	return d->program || d->is_user_types;
}

void debuginfo_set_user(struct debuginfo *d)
{
	d->is_user_types = true;
}

bool debuginfo_uses(struct debuginfo *d, const char *path)
{
	if (d->request.uses)
		d->request.uses(d->request.uses_data, path);
	return file_exists(path);
}

void debuginfo_progress(struct debuginfo *d, const char *what)
{
	if (d->request.progress)
		d->request.progress(d->request.progress_data, what);
}
