/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of C++ functions. The demangler is that of the C++ runtime library, which is installed wherever
 * such programs run: it is loaded when a mangled name is found, so tapc does not depend on it. */
#include "name.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "image.h"

typedef char *demangler(const char *name, char *out, size_t *size, int *status);

static demangler *find_demangler(void)
{
	static const char *const libraries[] = { "libstdc++.so.6", "libc++abi.so.1" };
	static demangler *found;
	static bool was_looked_for;

	for (size_t i = 0; !was_looked_for && !found && i < ARRAY_SIZE(libraries); i++) {
		void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);

		/* ISO C has no conversion between object and function pointers */
		if (library)
			*(void **)&found = dlsym(library, "__cxa_demangle");
	}
	was_looked_for = true;
	return found;
}

static bool is_mangled(const char *name)
{
	return name[0] == '_' && name[1] == 'Z';
}

const char *program_demangle(struct arena *a, const char *name)
{
	demangler *demangle = is_mangled(name) && strlen(name) < 4096 ? find_demangler() : NULL;
	char *text = demangle ? demangle(name, NULL, NULL, NULL) : NULL;
	const char *kept = text ? arena_strdup(a, text) : NULL;

	free(text);
	return kept;
}

/* The length of "ns::f<int>(long)" without its parameters: up to the last parentheses that are not
 * nested and do not belong to "operator()" or "(anonymous namespace)". */
static size_t without_parameters(const char *text)
{
	size_t n = strlen(text), end = n;
	int depth = 0;

	while (end > 0 && text[end - 1] != ')')
		end--;
	for (size_t i = end; i-- > 0;) {
		depth += (text[i] == ')') - (text[i] == '(');
		if (!depth)
			return i ? i : n;
	}
	return n;
}

/* "f" of "ns::f<int>", for scripts that omit namespaces. */
static const char *last_part(const char *name)
{
	const char *part = name;
	int depth = 0;

	for (const char *p = name; *p; p++) {
		depth += (*p == '<' || *p == '(') - (*p == '>' || *p == ')');
		if (!depth && p[0] == ':' && p[1] == ':')
			part = p + 2;
	}
	return part;
}

static bool matches(struct arena *scratch, const char *pattern, const char *name)
{
	const char *whole = program_demangle(scratch, name);
	char *plain;

	if (!whole)
		return false;
	if (glob_match(pattern, whole))
		return true;
	plain = arena_strndup(scratch, whole, without_parameters(whole));
	return glob_match(pattern, plain) || glob_match(pattern, last_part(plain));
}

size_t program_match(struct debuginfo *d, const char *pattern, uint32_t flags, struct symbols *found)
{
	struct arena *scratch = arena_open();
	struct symbols all = { 0 };
	size_t n = 0;

	index_match(&d->index, scratch, "_Z*", flags, &all);
	vec_each (s, &all.list)
		if (matches(scratch, pattern, s->name)) {
			*vec_add(d->arena, &found->list) = *s;
			n++;
		}
	arena_close(scratch);
	return n;
}
