/* SPDX-License-Identifier: GPL-2.0-or-later */
/* runtime/abi/syscalls.def in memory: one row for each system call; arguments are parsed on demand.
 * The kinds of arguments are those of syscall_kinds.def; the runtime can format each of them. */
#include "syscall_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/util.h"

#include "tap_script.h"
#include "tap_syscall.h"

static const struct syscall_kind kinds[] = {
#define KIND(name, type, form) { #name, #type, SYSCALL_##form, TAP_SHOW_##name },
#include "syscall_kinds.def"
#undef KIND
};

#define SYSCALL(name, arguments)
#define SOCKETCALL(name, number)
#define SYSCALL_ALSO(name, call)
#define SYSCALL_VARIABLE(call, name, view, argument, detail)
#define SYSCALL_RETURN_VARIABLE(call, name, view, argument, detail, only_if)
#define SYSCALL_NAMED(name, call)

const struct syscall_call syscall_calls[] = {
#undef SYSCALL
#define SYSCALL(name, arguments) { #name, arguments },
#include "syscalls.def"
#undef SYSCALL
#define SYSCALL(name, arguments)
};
const size_t syscall_call_count = ARRAY_SIZE(syscall_calls);

static const struct socketcall {
	const char *name;
	int number;
} socketcalls[] = {
#undef SOCKETCALL
#define SOCKETCALL(name, number) { #name, number },
#include "syscalls.def"
#undef SOCKETCALL
#define SOCKETCALL(name, number)
};

static const struct other_name {
	const char *name, *call;
	bool is_said;
} other_names[] = {
#undef SYSCALL_ALSO
#undef SYSCALL_NAMED
#define SYSCALL_ALSO(name, call) { #name, #call, false },
#define SYSCALL_NAMED(name, call) { #name, #call, true },
#include "syscalls.def"
#undef SYSCALL_ALSO
#undef SYSCALL_NAMED
#define SYSCALL_ALSO(name, call)
#define SYSCALL_NAMED(name, call)
};

const struct syscall_variable syscall_variables[] = {
#undef SYSCALL_VARIABLE
#undef SYSCALL_RETURN_VARIABLE
#define SYSCALL_VARIABLE(call, name, view, argument, detail) \
	{ #call, #name, SYSCALL_VIEW_##view, argument, detail, 0, false },
#define SYSCALL_RETURN_VARIABLE(call, name, view, argument, detail, only_if) \
	{ #call, #name, SYSCALL_VIEW_##view, argument, detail, only_if, true },
#include "syscalls.def"
};
const size_t syscall_variable_count = ARRAY_SIZE(syscall_variables);

/* ---- arguments ---- */

static const struct syscall_kind *find_kind(const char *name, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strncmp(kinds[i].name, name, n) && !kinds[i].name[n])
			return &kinds[i];
	abort();			/* syscalls.def and syscall_kinds.def do not match */
}

/* "fd fd, size count = hex" */
size_t syscall_arguments(struct arena *a, const struct syscall_call *call,
			 struct syscall_argument out[SYSCALL_MOST_ARGUMENTS])
{
	const char *p = call->text;
	size_t n;

	for (n = 0; *p && *p != '=' && n < SYSCALL_MOST_ARGUMENTS; n++) {
		size_t kind = strcspn(p, " "), name;

		out[n].kind = find_kind(p, kind);
		p += kind + 1;
		name = strcspn(p, ", ");
		out[n].name = arena_strndup(a, p, name);
		p += name + strspn(p + name, ", ");
	}
	return n;
}

int syscall_result(const struct syscall_call *call)
{
	const char *result = strchr(call->text, '=');

	if (!result)
		return TAP_RESULT_DECIMAL;
	return str_equal(result, "= hex") ? TAP_RESULT_HEX : TAP_RESULT_OCTAL;
}

int syscall_socketcall(const struct syscall_call *call)
{
	for (size_t i = 0; i < ARRAY_SIZE(socketcalls); i++)
		if (str_equal(socketcalls[i].name, call->name))
			return socketcalls[i].number;
	return 0;
}

bool syscall_is_also(const struct syscall_call *call, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(other_names); i++)
		if (str_equal(other_names[i].call, call->name) && glob_match(name, other_names[i].name))
			return true;
	return false;
}

const char *syscall_said(const struct syscall_call *call)
{
	for (size_t i = 0; i < ARRAY_SIZE(other_names); i++)
		if (other_names[i].is_said && str_equal(other_names[i].call, call->name))
			return other_names[i].name;
	return call->name;
}
