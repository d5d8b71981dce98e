/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a module. taprun gets it as an anonymous file, so nothing stays on disk, however the run
 * ends. A virtual machine sees this machine's files, so there it gets a regular file. */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "source/gap.h"
#include "source/installation.h"
#include "base/safe_path.h"
#include "staging/common/advice.h"
#include "staging/common/refusal.h"
#include "staging/common/status.h"
#include "source/options.h"
#include "base/util.h"

static void add_option(struct arena *a, name_list *argv, const char *letter, const char *value)
{
	if (!value)
		return;
	*vec_add(a, argv) = letter;
	*vec_add(a, argv) = value;
}

/* "-o" and "FILE" are two words, "--image=FILE" is one. */
static void pass_value(struct arena *a, name_list *argv, const char *option, const char *value)
{
	if (str_ends(option, "="))
		*vec_add(a, argv) = arena_printf(a, "%s%s", option, value);
	else
		add_option(a, argv, option, value);
}

static void pass_option(const struct options *o, name_list *argv, const struct option_row *row)
{
	const void *member = (const char *)o + row->member;

	switch (row->how) {
	case PUT_FLAG:
		if (*(const bool *)member)
			*vec_add(o->arena, argv) = row->passed;
		break;
	case PUT_TEXT: case PUT_CHECKED:
		if (*(const char *const *)member)
			pass_value(o->arena, argv, row->passed, *(const char *const *)member);
		break;
	case PUT_LIST:
		vec_each(value, (const name_list *)member)
			pass_value(o->arena, argv, row->passed, *value);
		break;
	case PUT_COUNT: case PUT_CALL: case PUT_CHOICE:
		break;		/* what is passed on for these is not what was given */
	}
}

void launch_words(const struct options *o, name_list *argv)
{
	struct arena *a = o->arena;

	for (size_t i = 0; i < option_row_count; i++)
		if (*option_rows[i].passed)
			pass_option(o, argv, &option_rows[i]);
	for (int i = 1; i < options_verbose(o, 5); i++)
		*vec_add(a, argv) = "-v";
	if (o->monitor && !o->tool)
		*vec_add(a, argv) = o->monitor;
	vec_each(image, &o->images)
		pass_value(a, argv, "--image=", *image);
	*vec_add(a, argv) = "-C";
	*vec_add(a, argv) = o->color ? "always" : "never";
}

/* taprun's command line for the module at PATH. */
static void taprun_words(const struct options *o, name_list *argv, const char *taprun, const char *path)
{
	*vec_add(o->arena, argv) = taprun;
	*vec_add(o->arena, argv) = "--pass";
	launch_words(o, argv);
	*vec_add(o->arena, argv) = path;
	if (options_set_at_start(o))
		vec_each(given, &o->script_options)
			*vec_add(o->arena, argv) = arena_printf(o->arena, "%s=%s", given->name, given->value);
}

static int run_program(struct arena *a, name_list *argv)
{
	*vec_add(a, argv) = NULL;
	fflush(NULL);
	execv(argv->items[0], (char *const *)argv->items);
	error_print("cannot run '%s': %s", argv->items[0], strerror(errno));
	return TAP_STATUS_HOST;
}

static const char *find_program(struct arena *a, const char *name)
{
	const char *path = installation_program(a, name);

	if (!path)
		error_print("%s is neither next to tapc nor in PATH", name);
	return path;
}

static int launch_here(const struct options *o, const char *image, size_t size)
{
	const char *taprun = find_program(o->arena, "taprun");
	int fd = memfd_create("tapc-module", 0);
	name_list argv = { 0 };

	if (!taprun)
		return TAP_STATUS_HOST;
	if (fd < 0 || !fd_write(fd, image, size)) {
		error_print("cannot hand over the module: %s", strerror(errno));
		return TAP_STATUS_HOST;
	}
	taprun_words(o, &argv, taprun, arena_printf(o->arena, "/proc/self/fd/%d", fd));
	return run_program(o->arena, &argv);
}

/* ---- in a virtual machine ---- */

/* The path in the guest of a file that taprun will write: it is below DIR, and vm moves it to PATH afterwards. */
static const char *brought(struct arena *a, name_list *argv, const char *dir, const char *name, const char *path)
{
	const char *slash, *inside;

	if (!path)
		return NULL;
	slash = strrchr(path, '/');
	inside = arena_printf(a, "%s/%s", dir, name);
	*vec_add(a, argv) = "--bring";
	*vec_add(a, argv) = inside;
	*vec_add(a, argv) = slash ? arena_printf(a, "%.*s/", (int)(slash - path), path) : ".";
	return arena_printf(a, "%s/%s", inside, slash ? slash + 1 : path);
}

bool launch_vm_is_possible(const struct options *o, struct gap *g)
{
	struct utsname here;
	bool is_arm;

	uname(&here);
	is_arm = str_starts(o->arch ? o->arch : here.machine, "a");	/* arm64, aarch64 */
	const char *const tools[] = { is_arm ? "qemu-system-aarch64" : "qemu-system-x86_64", "busybox", "cpio" };

	if (!installation_program(o->arena, "vm/vm") || !installation_program(o->arena, "taprun"))
		return gap_found(g, ADVICE_REINSTALL, NULL, "the virtual machine's launcher is not installed");
	for (size_t i = 0; i < ARRAY_SIZE(tools); i++)
		if (!path_find(o->arena, tools[i]))
			return gap_found(g, ADVICE_VM_TOOLS, is_arm ? "arm" : "x86",
					 "--vm needs %s, which is not installed", tools[i]);
	return true;
}

/* The directory exists as long as the guest: vm removes it, however the guest ends. */
static int launch_in_vm(struct options *o, const char *image, size_t size, const char *release)
{
	struct arena *a = o->arena;
	const char *vm = installation_program(a, "vm/vm"), *taprun = installation_program(a, "taprun");
	const char *module, *dir;
	name_list words = { 0 }, argv = { 0 };
	struct gap gap = { 0 };

	if (o->detach || (o->flight_recorder && o->output)) {
		error_print("a guest of --vm ends with the script's output, so scripts cannot run in the "
			    "background there");
		return TAP_STATUS_USAGE;
	}
	if (!launch_vm_is_possible(o, &gap)) {
		gap_print(&gap);
		return TAP_STATUS_HOST;
	}
	dir = safe_work_dir(a);
	if (!dir)
		return TAP_STATUS_HOST;
	module = arena_printf(a, "%s/module.ko", dir);
	if (!file_write(module, image, size)) {
		error_print("cannot write '%s': %s", module, strerror(errno));
		dir_remove(dir);
		return TAP_STATUS_HOST;
	}
	*vec_add(a, &argv) = vm;
	*vec_add(a, &argv) = "--remove";
	*vec_add(a, &argv) = dir;
	*vec_add(a, &argv) = "--timeout";
	*vec_add(a, &argv) = "1000000000";
	o->output = brought(a, &argv, dir, "output", o->output);
	o->flame = brought(a, &argv, dir, "flame", o->flame);
	taprun_words(o, &words, taprun, module);
	add_option(a, &argv, "--kernel", release);
	add_option(a, &argv, "--sysroot", o->sysroot);
	*vec_add(a, &argv) = "--";
	vec_each(w, &words)
		*vec_add(a, &argv) = *w;
	return run_program(a, &argv);
}

/* taprun would refuse it too, but its message cannot mention --vm. */
bool launch_is_possible(const struct options *o, const char *release)
{
	struct utsname host;
	struct gap gap = { 0 };

	uname(&host);
	if (o->vm)
		return true;
	if (!str_equal(host.release, release)) {
		error_print("kernel %s is running, not %s: --vm runs the script on that kernel in a "
			    "guest, -p4 only builds the module", host.release, release);
		return false;
	}
	return refusal_is_absent(o->sign_module, &gap) || gap_print(&gap);
}

int launch_module(struct options *o, const char *image, size_t size, const char *release)
{
	if (!launch_is_possible(o, release))
		return TAP_STATUS_LOAD;
	if (options_verbose(o, 5))
		fputs("Pass 5: starting run.\n", stderr);
	if (o->vm)
		return launch_in_vm(o, image, size, release);
	return launch_here(o, image, size);
}

/* ---- without a script ---- */

static const char *tool_word(const struct options *o)
{
	return o->tool == TOOL_SESSIONS ? "--sessions" : o->tool == TOOL_STOP ? "--stop" :
	       o->tool == TOOL_SNAPSHOT ? "--snapshot" :
	       o->tool == TOOL_MONITOR ? o->monitor : o->tool == TOOL_SIGN ? "--sign" : "-A";
}

int launch_tool(const struct options *o)
{
	const char *program = find_program(o->arena, o->tool == TOOL_SIGN ? "tapd" : "taprun");
	name_list argv = { 0 };

	if (!program)
		return TAP_STATUS_HOST;
	*vec_add(o->arena, &argv) = program;
	if (o->tool != TOOL_SIGN)
		launch_words(o, &argv);
	*vec_add(o->arena, &argv) = tool_word(o);
	if (o->tool_argument)
		*vec_add(o->arena, &argv) = o->tool_argument;
	vec_each(word, &o->args)
		*vec_add(o->arena, &argv) = *word;
	return run_program(o->arena, &argv);
}
