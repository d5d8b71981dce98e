/* SPDX-License-Identifier: GPL-2.0-or-later */
/* syscall.openat, .return, and the raw kernel.syscall("openat") below it: system calls as user programs
 * make them, by name or wildcard, including those of 32-bit programs. nd_syscall, dw_syscall and
 * tp_syscall are the same; syscall_any is one handler for all system calls.
 *
 * The kernel reports all calls at two tracepoints, and the runtime looks up the handlers in a table by
 * call number. Arguments are defined in runtime/abi/syscalls.def; a probe body may use their names as
 * if an alias had set them. The runtime formats texts by the kinds in the rows, so one handler serves
 * all calls that have the names it uses in common: syscall.* with name and argstr is a single handler. */
#include "points/family.h"

#include <string.h>

#include "arch/calls.h"
#include "arch/arch.h"
#include "debuginfo/debuginfo.h"
#include "points/place_row.h"
#include "points/syscall_table.h"
#include "source/target_host.h"
#include "target/place.h"
#include "debuginfo/images.h"
#include "base/util.h"

#include "tap_script.h"
#include "tap_syscall.h"
#include "debuginfo/symbols/symbols.h"
#include "debuginfo/tracepoint.h"

enum { AT_RETURN = 1, RAW = 2, ANY = 4 };

/* The tracepoint at the end of calls never misses one: .maxactive is accepted and has no effect. */
#define RETURN_SHAPES(point, help, what) \
	{ point ".return", help, (what) | AT_RETURN }, \
	{ point ".return.maxactive(number)", help "; no call is missed, whatever the number", (what) | AT_RETURN }

static const struct point_shape shapes[] = {
	{ "kernel.syscall(string)", "entry of system calls", RAW },
	RETURN_SHAPES("kernel.syscall(string)", "return from system calls", RAW),
	{ "syscall.*", "entry of a system call, with its arguments by name and as text", 0 },
	RETURN_SHAPES("syscall.*", "return from a system call, with its result", 0),
	{ "nd_syscall.*", "syscall.*", 0 },
	RETURN_SHAPES("nd_syscall.*", "syscall.*.return", 0),
	{ "dw_syscall.*", "syscall.*", 0 },
	RETURN_SHAPES("dw_syscall.*", "syscall.*.return", 0),
	{ "tp_syscall.*", "syscall.*", 0 },
	RETURN_SHAPES("tp_syscall.*", "syscall.*.return", 0),
	{ "syscall_any", "entry of every system call, with its name and number", ANY },
	RETURN_SHAPES("syscall_any", "return from every system call", ANY),
	{ NULL, NULL, 0 },
};

/* Calls with higher numbers were added after 5.10, the oldest kernel; calls with lower numbers that
 * are missing exist on some architectures only. */
enum { LAST_OLD_CALL = 440 };

static const struct row_layout call_layout = ROW_LAYOUT(tap_syscall,
	ROW_STRUCT(tap_syscall, site, &row_site),
	ROW_MEMBER(tap_syscall, number),
	ROW_MEMBER(tap_syscall, compat),
	ROW_MEMBER(tap_syscall, within),
	ROW_MEMBER(tap_syscall, result),
	ROW_MEMBER(tap_syscall, arguments));

static const struct row_layout layout = ROW_LAYOUT(tap_syscalls,
	ROW_TABLE(tap_syscalls, calls, count, &call_layout),
	ROW_MEMBER(tap_syscalls, count),
	ROW_MEMBER(tap_syscalls, returns));

const struct probe_family syscall_family;

/* The data of a site. */
struct call_site {
	const struct syscall_call *call;	/* NULL: any */
	int number, compat, within;	/* as in struct tap_syscall */
	const struct arch *arch;	/* for any call */
};

static const struct syscall_call *call_of(const struct site *s)
{
	return ((const struct call_site *)s->data)->call;
}

/* ---- points ---- */

static void numbers(const struct arch *arch, const struct syscall_call *c, int *number, int *compat)
{
	enum arch_call call = (enum arch_call)(c - syscall_calls);

	*number = arch_call_number(arch, call);
	*compat = arch_call_number(arch->narrow, call);
}

/* The point as pp() shows it, with a byte 1 for the name of the call. */
static const char *site_name(struct arena *a, const struct point *point, const struct point_shape *shape)
{
	const struct point_component *most = point_component(point, "maxactive");
	const char *end = !(shape->what & AT_RETURN) ? "" : !most ? ".return" :
			  arena_printf(a, ".return.maxactive(%lld)", (long long)most->number);

	if (shape->what & RAW)
		return arena_printf(a, "kernel.syscall(\"\1\")%s", end);
	return arena_printf(a, "%s.\1%s", point->components.items[0].name, end);
}

struct search {
	const struct point *point;
	const struct point_shape *shape;
	struct sites *sites;
	const struct arch *arch;
	const char *pattern;
};

static void add_site(struct search *s, const struct syscall_call *call, int number, int compat, int within)
{
	bool by_own_name = glob_match(s->pattern, call->name), is_wild = is_glob(s->pattern);
	struct call_site *data;
	struct site *site;

	if (number < 0 && compat < 0)
		return;
	data = arena_new(s->sites->arena, struct call_site);
	*data = (struct call_site){ call, number, compat, within, s->arch };
	site = site_add(s->sites, &syscall_family, s->point, s->shape);
	site->symbol = site->shown = is_wild && !(s->shape->what & RAW) ? syscall_said(call) :
				     by_own_name || is_wild ? call->name : s->pattern;
	site->name = site_name(s->sites->arena, s->point, s->shape);
	site->flags = s->shape->what & AT_RETURN ? TAP_PROBE_RETURN : 0;
	site->data = data;
}

static void add_any(struct search *s)
{
	struct site *site = site_add(s->sites, &syscall_family, s->point, s->shape);
	struct call_site *data = arena_new(s->sites->arena, struct call_site);

	data->arch = s->arch;
	site->data = data;
	site->flags = s->shape->what & AT_RETURN ? TAP_PROBE_RETURN : 0;
}

/* A wildcard leaves out socketcall, because it matches each of the calls that go through it. */
static bool is_meant(const struct search *s, const struct syscall_call *call)
{
	if (s->shape->what & RAW)
		return glob_match(s->pattern, call->name);
	if (is_glob(s->pattern) && str_equal(call->name, "socketcall"))
		return false;
	return glob_match(s->pattern, call->name) || syscall_is_also(call, s->pattern);
}

/* If a call is newer than the oldest kernel and is given by name, check that the kernel has it. */
static bool kernel_has(struct search *s, const struct syscall_call *call, int number)
{
	struct symbols found = { 0 };
	struct debuginfo *kernel;
	const char *name;

	if (number <= LAST_OLD_CALL || is_glob(s->pattern))
		return true;
	kernel = images_kernel(s->sites->images);
	name = arena_printf(s->sites->arena, "%s%s", s->arch->syscall.wrapper, call->name);
	if (debuginfo_functions(kernel, name, &found) != DEBUGINFO_ABSENT)
		return true;
	sites_reason(s->sites, "kernel %s has no system call '%s'",
		     s->sites->images->host->release, call->name);
	return false;
}

/* The call that programs use on newer architectures in place of NAME, which
 * include/uapi/asm-generic/unistd.h does not have. NULL: not known. */
static const char *newer_call(const char *name)
{
	static const char *const pairs[][2] = {
		{ "access", "faccessat" }, { "alarm", "setitimer" }, { "chmod", "fchmodat" }, { "chown", "fchownat" },
		{ "creat", "openat" }, { "dup2", "dup3" }, { "epoll_create", "epoll_create1" },
		{ "epoll_wait", "epoll_pwait" }, { "eventfd", "eventfd2" }, { "fork", "clone" },
		{ "getdents", "getdents64" }, { "getpgrp", "getpgid" }, { "inotify_init", "inotify_init1" },
		{ "lchown", "fchownat" }, { "link", "linkat" }, { "lstat", "newfstatat" }, { "mkdir", "mkdirat" },
		{ "mknod", "mknodat" }, { "open", "openat" }, { "pause", "ppoll" }, { "pipe", "pipe2" },
		{ "poll", "ppoll" }, { "readlink", "readlinkat" }, { "rename", "renameat" }, { "rmdir", "unlinkat" },
		{ "select", "pselect6" }, { "signalfd", "signalfd4" }, { "stat", "newfstatat" },
		{ "symlink", "symlinkat" }, { "time", "gettimeofday" }, { "unlink", "unlinkat" },
		{ "utime", "utimensat" }, { "utimes", "utimensat" }, { "vfork", "clone" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		if (str_equal(name, pairs[i][0]))
			return pairs[i][1];
	return NULL;
}

static bool complain(struct search *s)
{
	const char **names, *near;

	if (s->sites->reasons.n)
		return false;
	names = arena_array(s->sites->arena, const char *, syscall_call_count);
	for (size_t i = 0; i < syscall_call_count; i++)
		names[i] = syscall_calls[i].name;
	sites_reason(s->sites, "%s has no system call '%s'", s->arch->name, s->pattern);
	if (newer_call(s->pattern))
		sites_reason(s->sites, "programs call '%s' in its place", newer_call(s->pattern));
	near = nearest_name(s->pattern, names, syscall_call_count);
	if (near && !str_equal(near, s->pattern))
		sites_reason(s->sites, "did you mean '%s'?", near);
	return false;
}

static bool resolve_named(struct search *s)
{
	int socketcall = arch_call_number(s->arch->narrow, CALL_socketcall);

	for (size_t i = 0; i < syscall_call_count; i++) {
		const struct syscall_call *call = &syscall_calls[i];
		int number, compat, within = syscall_socketcall(call);

		numbers(s->arch, call, &number, &compat);
		if (!is_meant(s, call) || !kernel_has(s, call, number))
			continue;
		add_site(s, call, number, compat, 0);
		if (within && socketcall >= 0 && !(s->shape->what & RAW))
			add_site(s, call, -1, socketcall, within);
	}
	return s->sites->list.n || complain(s);
}

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	struct search s = { point, shape, sites, images_arch(sites->images), NULL };
	int64_t maxactive;

	if (!point_maxactive(point, sites, &maxactive))
		return false;
	if (shape->what & ANY) {
		add_any(&s);
		return true;
	}
	s.pattern = shape->what & RAW ? point_component(point, "syscall")->text : point->components.items[1].name;
	return resolve_named(&s);
}

/* ---- variables ---- */

static bool get(struct site_variable *out, enum type type, const char *text)
{
	out->get = text;
	out->type = type;
	return true;
}

/* Argument N (from 0). Guru mode may write it at the entry of the call. */
static bool number(const struct site *site, struct site_variable *out, const char *type, size_t n,
		   struct arena *a)
{
	if (!(site->shape->what & AT_RETURN))
		out->set = arena_printf(a, "tap_call_set_%zu", n);
	return get(out, TYPE_LONG, arena_printf(a, "(s64)(%s)tap_call_word(c, %zu)", type, n));
}

static bool raw_variable(const struct site *site, const char *name, struct site_variable *out,
			 struct arena *a)
{
	if (!strncmp(name, "arg", 3) && name[3] >= '1' && name[3] <= '6' && !name[4])
		return number(site, out, "s64", (size_t)(name[3] - '1'), a);
	if (str_equal(name, "syscall") || str_equal(name, "nr") || str_equal(name, "syscall_nr"))
		return get(out, TYPE_LONG, "(s64)tap_call_word(c, 6)");
	if (str_equal(name, "compat"))
		return get(out, TYPE_LONG, "(s64)tap_call_word(c, 7)");
	if (str_equal(name, "name"))
		return get(out, TYPE_STRING, "tap_syscall_name(c)");
	if (str_equal(name, "return") && site->shape->what & AT_RETURN)
		return get(out, TYPE_LONG, "(s64)tap_call_word(c, 8)");
	return false;
}

/* Is NAME the name of the argument without its ending, followed by END? "buf_uaddr" gives "buf_str". */
static bool is_derived(const char *name, const char *own, const char *end)
{
	size_t n = strlen(own);

	if (str_ends(own, "_uaddr"))
		n -= strlen("_uaddr");
	else if (str_ends(own, "_str"))
		n -= strlen("_str");
	return !strncmp(name, own, n) && str_equal(name + n, end);
}

/* NAME is OWN followed by END. */
static bool is_with(const char *name, const char *own, const char *end)
{
	return str_starts(name, own) && str_equal(name + strlen(own), end);
}

static bool shown(struct site_variable *out, size_t n, struct arena *a)
{
	return get(out, TYPE_STRING, arena_printf(a, "tap_call_argument(c, %zu)", n));
}

/* Argument N as if it were of another KIND. */
static bool shown_as(struct site_variable *out, size_t n, int kind, struct arena *a)
{
	return get(out, TYPE_STRING, arena_printf(a, "tap_call_argument_as(c, %zu, %d)", n, kind));
}

static const struct address_part {
	const char *name;
	int kind;
} address_parts[] = {
	{ "uaddr_af", TAP_SHOW_sockaddr_family }, { "uaddr_ip", TAP_SHOW_sockaddr_ip },
	{ "uaddr_ip_port", TAP_SHOW_sockaddr_port }, { "uaddr_ipv6_flowinfo", TAP_SHOW_sockaddr_flowinfo },
	{ "uaddr_ipv6_scope_id", TAP_SHOW_sockaddr_scope_id },
};

static bool address_variable(const char *name, size_t n, struct site_variable *out, struct arena *a)
{
	for (size_t i = 0; i < ARRAY_SIZE(address_parts); i++)
		if (str_equal(name, address_parts[i].name))
			return shown_as(out, n, address_parts[i].kind, a);
	return false;
}

static bool text_variable(const struct site *site, const struct syscall_argument *arg, size_t n,
			  const char *name, struct site_variable *out, struct arena *a)
{
	if (is_with(name, arg->name, "_unquoted") || is_derived(name, arg->name, "_unquoted"))
		return get(out, TYPE_STRING, arena_printf(a, "tap_call_text(c, %zu)", n));
	if (str_equal(name, arg->name) || is_derived(name, arg->name, "_str"))
		return shown(out, n, a);
	return is_derived(name, arg->name, "_uaddr") && number(site, out, arg->kind->type, n, a);
}

/* Is NAME one of the variables that scripts get for the call's argument N? */
static bool argument_variable(const struct site *site, const struct syscall_argument *arg, size_t n,
			      const char *name, struct site_variable *out, struct arena *a)
{
	enum syscall_form form = arg->kind->form;

	if (form == SYSCALL_STRING)
		return text_variable(site, arg, n, name, out, a);
	if (form == SYSCALL_TEXT)
		return str_equal(name, arg->name) && shown(out, n, a);
	if (str_equal(name, arg->name))
		return number(site, out, arg->kind->type, n, a);
	if (form == SYSCALL_NUMBER)
		return false;
	if (form == SYSCALL_ADDRESS && address_variable(name, n, out, a))
		return true;
	if (form == SYSCALL_SIGNAL && is_with(name, arg->name, "_name"))
		return shown(out, n, a);
	if (form == SYSCALL_BYTES && is_derived(name, arg->name, ""))
		return shown(out, n, a);
	return (is_with(name, arg->name, "_str") || is_derived(name, arg->name, "_str")) && shown(out, n, a);
}

/* The value as C code; TYPE is the C type of the argument. */
static const char *view_number(const struct syscall_variable *v, const char *type, struct arena *a)
{
	size_t n = v->argument - 1;

	switch (v->view) {
	case SYSCALL_VIEW_NUMBER:
		return arena_printf(a, "(s64)(%s)tap_call_word(c, %zu)", type, n);
	case SYSCALL_VIEW_PAGES:
		return arena_printf(a, "(s64)(tap_call_word(c, %zu) >> 12)", n);
	case SYSCALL_VIEW_INT:
	case SYSCALL_VIEW_WORD:
		return arena_printf(a, "tap_call_element(c, %zu, %d, %d)", n, v->detail, v->view == SYSCALL_VIEW_WORD);
	default:
		return "0ll";
	}
}

static bool own_variable(const struct syscall_variable *v, const struct syscall_argument *arguments,
			 struct site_variable *out, struct arena *a)
{
	const char *number;

	if (v->view == SYSCALL_VIEW_ZERO_TEXT)
		return get(out, TYPE_STRING, "TAP_STRING(\"0\")");
	if (v->view == SYSCALL_VIEW_UNQUOTED)
		return get(out, TYPE_STRING, arena_printf(a, "tap_call_text(c, %zu)", v->argument - 1));
	if (v->view == SYSCALL_VIEW_AS)
		return shown_as(out, v->argument - 1, v->detail, a);
	number = view_number(v, v->argument ? arguments[v->argument - 1].kind->type : "", a);
	if (v->only_if)
		number = arena_printf(a, "((u32)tap_call_word(c, 0) == %uu ? %s : 0)", v->only_if, number);
	return get(out, TYPE_LONG, number);
}

/* The call's own variable NAME (NULL: any name), searched in the table after the row AFTER. */
static const struct syscall_variable *find_own(const struct site *site, const char *name,
					       const struct syscall_variable *after)
{
	const struct syscall_variable *v = after ? after + 1 : syscall_variables;

	for (; v < syscall_variables + syscall_variable_count; v++)
		if (str_equal(v->call, call_of(site)->name) && (!name || str_equal(v->name, name)) &&
		    (!v->at_return || site->shape->what & AT_RETURN))
			return v;
	return NULL;
}

static bool named_variable(const struct site *site, const char *name, struct site_variable *out,
			   struct arena *a)
{
	struct syscall_argument arguments[SYSCALL_MOST_ARGUMENTS];
	size_t n;

	if (!call_of(site))
		return false;
	if (str_equal(name, "argstr"))
		return get(out, TYPE_STRING, "tap_call_arguments(c)");
	n = syscall_arguments(a, call_of(site), arguments);
	if (find_own(site, name, NULL))
		return own_variable(find_own(site, name, NULL), arguments, out, a);
	for (size_t i = 0; i < n; i++)
		if (argument_variable(site, &arguments[i], i, name, out, a))
			return true;
	return false;
}

static bool result_variable(const char *name, struct site_variable *out)
{
	if (str_equal(name, "retval"))
		return get(out, TYPE_LONG, "(s64)tap_call_word(c, 8)");
	return str_equal(name, "retstr") && get(out, TYPE_STRING, "tap_call_result(c)");
}

static bool find_variable(const struct site *site, const char *name, struct site_variable *out,
			  struct arena *a)
{
	if (site->shape->what & RAW)
		return raw_variable(site, name, out, a);
	return (site->shape->what & AT_RETURN && result_variable(name, out)) ||
	       named_variable(site, name, out, a) || raw_variable(site, name, out, a);
}

static bool variable(const struct site *site, const char *name, struct site_variable *out,
		     struct sites *sites)
{
	*out = (struct site_variable){ .get = NULL };
	if (find_variable(site, name, out, sites->arena))
		return true;
	sites_reason(sites, "a system call has $arg1 to $arg6, $syscall, $compat, $name%s",
		     site->shape->what & AT_RETURN ? " and $return" : "");
	return false;
}

/* No raw variables except the name: scripts may have their own "nr" and "compat". */
static bool offers(const struct site *site, const char *name, struct arena *a)
{
	struct site_variable v = { .get = NULL };

	if (site->shape->what & RAW)
		return false;
	return str_equal(name, "name") || (site->shape->what & ANY && str_equal(name, "syscall_nr")) ||
	       (site->shape->what & AT_RETURN && result_variable(name, &v)) ||
	       named_variable(site, name, &v, a);
}

static void list_variable(const struct site *site, const char *name, site_variables *out, struct arena *a)
{
	struct site_variable v = { .debug.name = name };

	vec_each(known, out)
		if (str_equal(known->debug.name, name))
			return;
	if (find_variable(site, name, &v, a))
		*vec_add(a, out) = v;
}

static void list_argument(const struct site *site, const char *own, site_variables *out, struct arena *a)
{
	static const char *const ends[] = { "", "_str", "_unquoted", "_name", "_uaddr" };
	size_t n = strlen(own);

	if (str_ends(own, "_uaddr"))
		n -= strlen("_uaddr");
	if (str_ends(own, "_str"))
		n -= strlen("_str");
	list_variable(site, own, out, a);
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		if (n < strlen(own))
			list_variable(site, arena_printf(a, "%s%s", own, ends[i]), out, a);
		list_variable(site, arena_printf(a, "%.*s%s", (int)n, own, ends[i]), out, a);
	}
}

static void variables(const struct site *site, unsigned what, site_variables *out, struct sites *sites)
{
	static const char *const raw[] = { "arg1", "arg2", "arg3", "arg4", "arg5", "arg6" };
	static const char *const others[] = { "name", "syscall_nr", "argstr", "retstr", "retval", "return" };
	struct syscall_argument arguments[SYSCALL_MOST_ARGUMENTS];
	bool is_raw = site->shape->what & RAW;
	struct arena *a = sites->arena;
	size_t n = 0;

	if (!is_raw && call_of(site))
		n = syscall_arguments(a, call_of(site), arguments);
	for (size_t i = 0; what & VARIABLES_PARAMETERS && i < n; i++)
		list_argument(site, arguments[i].name, out, a);
	for (size_t i = 0; what & VARIABLES_PARAMETERS && i < ARRAY_SIZE(address_parts); i++)
		list_variable(site, address_parts[i].name, out, a);
	for (const struct syscall_variable *v = NULL; what & VARIABLES_PARAMETERS && call_of(site) && !is_raw &&
	     (v = find_own(site, NULL, v));)
		list_variable(site, v->name, out, a);
	for (size_t i = 0; what & VARIABLES_PARAMETERS && is_raw && i < ARRAY_SIZE(raw); i++)
		list_variable(site, raw[i], out, a);
	for (size_t i = 0; what & VARIABLES_LOCALS && i < ARRAY_SIZE(others); i++)
		list_variable(site, others[i], out, a);
}

/* ---- rows ---- */

static bool groups(const struct site *site, const struct site *other)
{
	return site->shape == other->shape;
}

static struct tap_syscall row_call(struct arena *a, const char *name, const struct call_site *c)
{
	struct syscall_argument arguments[SYSCALL_MOST_ARGUMENTS];
	size_t n = syscall_arguments(a, c->call, arguments);
	char *kinds = arena_array(a, char, n + 1);

	for (size_t i = 0; i < n; i++)
		kinds[i] = (char)arguments[i].kind->number;
	return (struct tap_syscall){ .site = { .symbol = name }, .number = c->number, .compat = c->compat,
				     .within = (u8)c->within, .result = (u8)syscall_result(c->call),
				     .arguments = kinds };
}

/* All calls of the architecture, and one element for numbers that have no name. */
static u32 row_any(const struct call_site *any, struct tap_syscall *out, struct arena *a)
{
	u32 n = 0;

	for (size_t i = 0; i < syscall_call_count; i++) {
		struct call_site c = { .call = &syscall_calls[i] };

		numbers(any->arch, c.call, &c.number, &c.compat);
		if (c.number >= 0 || c.compat >= 0)
			out[n++] = row_call(a, c.call->name, &c);
	}
	out[n++] = (struct tap_syscall){ .site = { .symbol = "unknown" }, .number = TAP_SYSCALL_OTHERS,
					 .compat = TAP_SYSCALL_OTHERS, .arguments = "" };
	return n;
}

static const void *describe(const struct site *const *sites, size_t n, struct arena *a)
{
	bool any = sites[0]->shape->what & ANY;
	struct tap_syscall *calls = arena_array(a, struct tap_syscall, any ? syscall_call_count + 1 : n);
	struct tap_syscalls *row = arena_new(a, struct tap_syscalls);

	for (size_t i = 0; !any && i < n; i++)
		calls[i] = row_call(a, sites[i]->symbol, sites[i]->data);
	row->calls = calls;
	row->count = any ? row_any(sites[0]->data, calls, a) : (u32)n;
	row->returns = sites[0]->shape->what & AT_RETURN;
	return row;
}

const struct probe_family syscall_family = {
	.name = "syscall",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_syscall",
	.where = &layout,
	.describe = describe,
	.groups = groups,
	.variable = variable,
	.offers = offers,
	.variables = variables,
	.by = { "the tracepoints of system calls", 0, false },
	.site_bytes = 512,
	.session_bytes = 64 << 10,
	.keeps = true,
	.call_bytes = TAP_CALL_WORDS * sizeof(uint64_t),
};
