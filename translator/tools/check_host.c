/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row for each thing that a script may need: a function finds it, or a gap. Where a script without it would end with
 * a message, the gap is found by the same code, so that both say the same. Nothing is built, fetched or loaded. */
#include "check_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/util.h"
#include "build/kernel_target.h"
#include "debuginfo/btf/btf.h"
#include "debuginfo/dwarf/dwarf.h"
#include "debuginfo/images.h"
#include "debuginfo/symbols/symbols.h"
#include "run/launch.h"
#include "source/cache_dir.h"
#include "source/gap.h"
#include "source/installation.h"
#include "source/options.h"
#include "source/target_host.h"
#include "staging/common/ask.h"
#include "staging/common/json.h"
#include "staging/common/output.h"
#include "staging/common/privilege.h"
#include "staging/common/refusal.h"
#include "staging/common/status.h"

/* What a row is needed for. */
enum need { NEED_BUILD, NEED_LOAD, NEED_VM, NEED_SOME };

struct checkup {
	struct arena *arena;
	const struct options *options;
	struct target_host *host;
	struct images *images;
	struct cache_dir *cache;
	struct kernel_target kernel;
	struct gap kernel_gap;
	bool has[NEED_SOME];		/* no gap in what is needed for this */
	bool is_unknown;		/* the last row could not be checked, its text says why */
};

/* LOOK returns a text about what was found, or NULL and the gap. */
struct check {
	const char *name;
	enum need need;
	const char *serves;		/* what needs it */
	const char *(*look)(struct checkup *c, struct gap *g);
};

static const char *absent(struct gap *g, enum advice advice, const char *subject, const char *what)
{
	gap_found(g, advice, subject, "%s", what);
	return NULL;
}

/* ---- to build ---- */

static const char *move_kernel_gap(struct checkup *c, struct gap *g)
{
	*g = c->kernel_gap;
	c->kernel_gap = (struct gap){ 0 };
	return NULL;
}

static const char *look_headers(struct checkup *c, struct gap *g)
{
	enum advice a = c->kernel_gap.advice;
	bool is_of_tools = a == ADVICE_COMPILER || a == ADVICE_CLANG || a == ADVICE_MAKE;

	return c->kernel_gap.what && !is_of_tools ? move_kernel_gap(c, g) : c->kernel.build;
}

/* Without headers it is not known which compiler the kernel was built with. */
static const char *look_compiler(struct checkup *c, struct gap *g)
{
	enum advice a = c->kernel_gap.advice;
	const char *any;

	if (a == ADVICE_COMPILER || a == ADVICE_CLANG)
		return move_kernel_gap(c, g);
	if (c->kernel.compiler_path)
		return c->kernel.compiler_path;
	any = path_find(c->arena, "gcc");
	return any ? any : absent(g, ADVICE_COMPILER, "gcc", "no C compiler is installed");
}

static const char *look_make(struct checkup *c, struct gap *g)
{
	const char *make = path_find(c->arena, "make");

	if (make)
		return make;
	return c->kernel_gap.advice == ADVICE_MAKE ? move_kernel_gap(c, g) :
		absent(g, ADVICE_MAKE, NULL, "make is not installed");
}

static const char *look_cache(struct checkup *c, struct gap *g)
{
	const char *dir = cache_dir_path(c->cache);

	return dir ? dir : absent(g, ADVICE_CACHE, NULL, "no directory is usable as a cache");
}

/* ---- to load ---- */

static bool is_about_kernel(const struct gap *g)
{
	return g->advice == ADVICE_VM || g->advice == ADVICE_PROC;
}

static const char *look_modules(struct checkup *c, struct gap *g)
{
	(void)c;
	if (!privilege_suffices(g) && is_about_kernel(g))
		return NULL;
	gap_close(g);
	return "the running kernel can load modules";
}

static const char *look_running(struct checkup *c, struct gap *g)
{
	struct utsname here;

	uname(&here);
	if (str_equal(here.release, c->host->release))
		return c->host->release;
	gap_found(g, ADVICE_VM, NULL, "kernel %s is running, not %s", here.release, c->host->release);
	return NULL;
}

/* Members of tapd's group need no right. */
static const char *ask(struct checkup *c, struct gap *g)
{
	_cleanup_free_ char *reason = NULL;
	enum ask_answer answer = ask_tapd(&reason);
	const char *user = getenv("USER");

	if (answer == ASK_NO_DAEMON)
		return NULL;
	gap_close(g);
	if (answer == ASK_YES)
		return "tapd loads modules for this user";
	return absent(g, ADVICE_GROUP, user ? user : arena_printf(c->arena, "%u", (unsigned)getuid()),
		      reason ? reason : "tapd, which loads modules for users, does not answer");
}

static const char *look_rights(struct checkup *c, struct gap *g)
{
	if (privilege_is_there())
		return "this user may load modules";
	if (privilege_suffices(g) || is_about_kernel(g)) {
		gap_close(g);
		absent(g, ADVICE_SUDO, NULL, "loading modules needs root or CAP_SYS_MODULE");
	}
	return ask(c, g);
}

static const char *look_signatures(struct checkup *c, struct gap *g)
{
	return refusal_is_absent(c->options->sign_module, g) ? "the kernel accepts our modules" : NULL;
}

static const char *look_loader(struct checkup *c, struct gap *g)
{
	const char *path = installation_program(c->arena, "taprun");

	return path ? path : absent(g, ADVICE_REINSTALL, NULL, "taprun is neither next to tapc nor in PATH");
}

/* ---- --vm ---- */

static const char *look_vm_kernel(struct checkup *c, struct gap *g)
{
	const char *release = c->options->vm ? c->host->release : target_host_vm_kernel(c->arena, c->host->sysroot);

	if (!release)
		target_host_no_vm_kernel(c->host, g);
	return release;
}

static const char *look_vm_tools(struct checkup *c, struct gap *g)
{
	return launch_vm_is_possible(c->options, g) ? "QEMU, busybox and cpio" : NULL;
}

/* ---- information on the kernel ---- */

static const char *look_symbols(struct checkup *c, struct gap *g)
{
	struct debuginfo_facts facts;
	struct debuginfo *kernel = images_kernel(c->images);

	if (debuginfo_facts(kernel, &facts) == DEBUGINFO_FOUND)
		return facts.source;
	return absent(g, ADVICE_NONE, NULL, debuginfo_reason(kernel));
}

static const char *look_types(struct checkup *c, struct gap *g)
{
	const char *reason;

	if (btf_open(images_kernel(c->images), &reason) == DEBUGINFO_FOUND)
		return "BTF";
	return absent(g, ADVICE_DEBUG, c->host->release, reason);
}

/* A check does not fetch hundreds of megabytes. */
static const char *look_debug(struct checkup *c, struct gap *g)
{
	struct debuginfo *kernel = images_kernel(c->images);
	const char *urls = getenv("DEBUGINFOD_URLS"), *reason;
	bool is_here;

	urls = urls && *urls ? arena_strdup(c->arena, urls) : NULL;
	unsetenv("DEBUGINFOD_URLS");
	is_here = dwarf_open(kernel, &reason) == DEBUGINFO_FOUND;
	if (is_here)
		return kernel->dwarf->path;
	if (urls)
		return arena_printf(c->arena, "fetched when a script needs it, from %s", urls);
	return absent(g, ADVICE_DEBUG, c->host->release,
		      arena_printf(c->arena, "there is no debug file for kernel %s", c->host->release));
}

/* ---- what the kernel reports hits by ---- */

static const char *unknown(struct checkup *c, const char *why)
{
	c->is_unknown = true;
	return why;
}

static const char *look_config(struct checkup *c, struct gap *g, const char *name, const char *what)
{
	if (!target_host_has_config(c->host, c->arena))
		return unknown(c, "the kernel's configuration was not found");
	if (target_host_config(c->host, c->arena, arena_printf(c->arena, "CONFIG_%s", name)))
		return what;
	gap_found(g, ADVICE_CONFIG, name, "the kernel has no %s", what);
	return NULL;
}

static const char *look_kprobes(struct checkup *c, struct gap *g)
{
	return look_config(c, g, "KPROBES", "kprobes");
}

static bool is_switched_off(const char *path)
{
	_cleanup_fclose_ FILE *f = fopen(path, "re");

	return f && fgetc(f) == '0';
}

static const char *look_ftrace(struct checkup *c, struct gap *g)
{
	if (c->host->is_running && is_switched_off("/proc/sys/kernel/ftrace_enabled"))
		return absent(g, ADVICE_FTRACE, NULL, "ftrace is switched off (kernel.ftrace_enabled=0)");
	return look_config(c, g, "DYNAMIC_FTRACE", "ftrace");
}

static const char *look_tracepoints(struct checkup *c, struct gap *g)
{
	return look_config(c, g, "TRACEPOINTS", "tracepoints");
}

static const char *look_uprobes(struct checkup *c, struct gap *g)
{
	return look_config(c, g, "UPROBES", "uprobes");
}

static const char *look_stacks(struct checkup *c, struct gap *g)
{
	return look_config(c, g, "STACKTRACE", "stack traces");
}

static const char *look_counters(struct checkup *c, struct gap *g)
{
	static const char *const units[] = { "cpu", "cpu_core", "armv8_pmuv3", "armv8_pmuv3_0" };

	if (!c->host->is_running)
		return unknown(c, "the kernel is not the one that is running here");
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (dir_exists(arena_printf(c->arena, "/sys/bus/event_source/devices/%s", units[i])))
			return units[i];
	return absent(g, ADVICE_NONE, NULL, "this machine has no counters that its kernel can use, as in most virtual "
		      "machines");
}

static const struct check checks[] = {
	{ "headers", NEED_BUILD, "building modules", look_headers },
	{ "compiler", NEED_BUILD, "building modules", look_compiler },
	{ "make", NEED_BUILD, "building the runtime", look_make },
	{ "cache", NEED_SOME, "building the runtime only once", look_cache },
	{ "modules", NEED_LOAD, "loading modules", look_modules },
	{ "running", NEED_LOAD, "loading modules", look_running },
	{ "rights", NEED_LOAD, "loading modules", look_rights },
	{ "signatures", NEED_LOAD, "loading modules", look_signatures },
	{ "loader", NEED_LOAD, "loading modules", look_loader },
	{ "symbols", NEED_SOME, "kernel functions by name", look_symbols },
	{ "types", NEED_SOME, "$variables and @cast", look_types },
	{ "debug", NEED_SOME, "source lines, inlined functions and local variables", look_debug },
	{ "ftrace", NEED_SOME, "cheap probes of function entries", look_ftrace },
	{ "kprobes", NEED_SOME, "kernel.function and kernel.statement", look_kprobes },
	{ "tracepoints", NEED_SOME, "kernel.trace and syscall.*", look_tracepoints },
	{ "uprobes", NEED_SOME, "process.function, .statement and .mark", look_uprobes },
	{ "stacks", NEED_SOME, "backtraces of the kernel", look_stacks },
	{ "counters", NEED_SOME, "perf.hw.*", look_counters },
	{ "vm-kernel", NEED_VM, "--vm", look_vm_kernel },
	{ "vm-tools", NEED_VM, "--vm", look_vm_tools },
};

/* ---- the report ---- */

struct finding {
	const struct check *check;
	const char *state;		/* "ok", "unknown"; "missing": scripts need it here; "absent": only some do */
	const char *text;
	char *command, *clause;		/* of the advice; NULL: none */
};

static bool is_needed(const struct checkup *c, enum need need)
{
	return need == NEED_BUILD || need == (c->options->vm ? NEED_VM : NEED_LOAD);
}

static void look(struct checkup *c, const struct check *check, struct finding *f)
{
	struct gap g = { 0 };
	const char *found;

	c->is_unknown = false;
	found = check->look(c, &g);
	*f = (struct finding){ .check = check, .text = found, .state = c->is_unknown ? "unknown" : "ok" };
	if (found)
		return;
	f->state = is_needed(c, check->need) ? "missing" : "absent";
	f->text = arena_strdup(c->arena, g.what);
	f->command = advice_command(g.advice, g.subject, g.root ? g.root : "");
	f->clause = advice_clause(g.advice, g.subject, g.root ? g.root : "");
	if (check->need != NEED_SOME)
		c->has[check->need] = false;
	gap_close(&g);
}

static void print_finding(const struct finding *f)
{
	enum { COLUMNS = 22 };

	printf("%-8s %-12s %s\n", f->state, f->check->name, f->text);
	if (str_equal(f->state, "absent"))
		printf("%*sfor %s\n", COLUMNS, "", f->check->serves);
	if (f->command)
		printf("%*s> %s\n", COLUMNS, "", f->command);
	else if (f->clause && *f->clause)
		printf("%*s%s\n", COLUMNS, "", f->clause);
}

static void add_text(struct output *out, const char *key, const char *text)
{
	if (text)
		json_text(out, key, text, strlen(text));
}

static void print_finding_json(struct output *out, const struct checkup *c, const struct finding *f)
{
	json_begin(out, "check");
	add_text(out, "name", f->check->name);
	add_text(out, "state", f->state);
	json_switch(out, "needed", is_needed(c, f->check->need));
	add_text(out, "for", f->check->serves);
	add_text(out, "text", f->text);
	add_text(out, "command", f->command);
	add_text(out, "advice", f->clause && *f->clause ? f->clause : NULL);
	json_end(out);
}

/* The status of a script that is run with these options. */
static int status_of(const struct checkup *c)
{
	if (!c->has[NEED_BUILD])
		return TAP_STATUS_BUILD;
	return c->has[c->options->vm ? NEED_VM : NEED_LOAD] ? TAP_STATUS_OK : TAP_STATUS_LOAD;
}

static void print_verdict(const struct checkup *c, int status)
{
	const char *where = c->options->vm ? "in a virtual machine" : "on this machine";

	if (status == TAP_STATUS_OK)
		printf("Scripts can run %s.\n", where);
	else
		printf("Scripts cannot run %s%s.\n", where,
		       !c->options->vm && c->has[NEED_VM] ? "; with --vm they can run in a virtual machine" : "");
}

static void print_verdict_json(struct output *out, const struct checkup *c, int status)
{
	json_begin(out, "check_host");
	add_text(out, "kernel", c->host->release);
	json_switch(out, "can_run", status == TAP_STATUS_OK);
	json_number(out, "status", status);
	json_end(out);
	output_close(out);
}

int check_host(const struct options *o, struct target_host *host, struct images *images, struct cache_dir *cache)
{
	struct checkup c = { .arena = o->arena, .options = o, .host = host, .images = images, .cache = cache,
			     .has = { true, true, true } };
	bool json = o->form && str_equal(o->form, "json");
	struct finding f;
	struct output out;
	int status;

	output_open(&out, STDOUT_FILENO);
	kernel_target_look(&c.kernel, o, host, &c.kernel_gap);
	if (!json)
		printf("kernel %s\n", host->release);
	for (size_t i = 0; i < ARRAY_SIZE(checks); i++) {
		look(&c, &checks[i], &f);
		if (json)
			print_finding_json(&out, &c, &f);
		else
			print_finding(&f);
		free(f.command);
		free(f.clause);
	}
	status = status_of(&c);
	if (json)
		print_verdict_json(&out, &c, status);
	else
		print_verdict(&c, status);
	gap_close(&c.kernel_gap);
	return status;
}
