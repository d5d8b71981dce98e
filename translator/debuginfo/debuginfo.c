/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens and closes handles and the back ends that belong to them. */
#include "debuginfo/debuginfo.h"

#include <string.h>

#include "arch/arches.h"
#include "debuginfo/chain.h"
#include "debuginfo/dwarf/names.h"
#include "debuginfo/program/image.h"
#include "base/util.h"
#include "debuginfo/btf/btf.h"
#include "debuginfo/btf/type.h"
#include "debuginfo/dwarf/dwarf.h"
#include "debuginfo/program/entry.h"
#include "debuginfo/symbols/module.h"
#include "type_name.h"

struct debuginfo *debuginfo_kernel(struct arena *a, const struct debuginfo_request *request)
{
	struct debuginfo *d = arena_new(a, struct debuginfo);

	d->arena = a;
	d->request = *request;
	if (!d->request.sysroot)
		d->request.sysroot = "";
	if (!d->request.arch)
		d->request.arch = arch_host();
	d->kernel = d;
	d->whole_type = type_by_name;
	d->reason = "";
	return d;
}

struct debuginfo *debuginfo_program(struct arena *a, const struct debuginfo_request *request, const char *path)
{
	struct debuginfo *d = debuginfo_kernel(a, request);

	program_load(d, path);
	return d;
}

static char *underscored(struct arena *a, const char *name)
{
	char *copy = arena_strdup(a, name);

	for (char *p = copy; *p; p++)
		if (*p == '-')
			*p = '_';
	return copy;
}

struct debuginfo *debuginfo_module(struct debuginfo *kernel, const char *name)
{
	struct debuginfo *d;
	const char *reason, *path = strchr(name, '/') ? name : NULL;
	enum debuginfo_answer found;

	name = path ? module_name_of_path(kernel->arena, path) : underscored(kernel->arena, name);
	if (!name) {
		debuginfo_answered(kernel, DEBUGINFO_ABSENT,
				   arena_printf(kernel->arena, "'%s' is not a module's file", path));
		return NULL;
	}
	for (d = kernel->next; d; d = d->next)
		if (str_equal(d->module, name)) {
			kernel->reason = "";
			return d;
		}
	d = arena_new(kernel->arena, struct debuginfo);
	*d = (struct debuginfo){ .arena = kernel->arena, .request = kernel->request,
				 .kernel = kernel, .whole_type = type_by_name,
				 .module = name, .path = path, .reason = "" };
	found = module_locate(d, &reason);
	debuginfo_answered(kernel, found, reason);
	if (found != DEBUGINFO_FOUND)
		return NULL;
	d->next = kernel->next;
	kernel->next = d;
	return d;
}

void debuginfo_close(struct debuginfo *kernel)
{
	/* a module's types refer to the kernel's */
	if (kernel->next)
		debuginfo_close(kernel->next);
	index_close(&kernel->index);
	dwarf_names_close(kernel);
	dwarf_close(kernel);
	btf_types_close(kernel);
	btf_close(kernel);
	program_entry_close(kernel);
	program_close(kernel);
}

enum debuginfo_answer debuginfo_modules(struct debuginfo *kernel, const char *pattern,
					struct module_names *found)
{
	const char *reason = "";
	enum debuginfo_answer listed;

	if (!strchr(pattern, '/'))
		pattern = underscored(kernel->arena, pattern);
	listed = module_list(kernel, pattern, found, &reason);

	return debuginfo_answered(kernel, listed, reason);
}
