/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line. Letters and meaning are SystemTap's; long options that neither SystemTap nor
 * tapc has may be named options of the script (@option), so they are kept until it is parsed. */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "options_peer.h"
#include "staging/common/status.h"
#include "base/util.h"

enum {
	OPT_KBUILD = 256, OPT_VM, OPT_SIMULATE, OPT_SYSROOT, OPT_DISABLE_CACHE, OPT_POISON_CACHE,
	OPT_CLEAN_CACHE, OPT_COLOR, OPT_COMPATIBLE, OPT_SUPPRESS_ERRORS, OPT_SUPPRESS_LIMITS, OPT_STRICT,
	OPT_NO_GLOBALS, OPT_SKIP_BADVARS, OPT_TAPSET_C, OPT_PRETTY, OPT_RUNTIME,
	OPT_SOURCE, OPT_DUMP_PROBE_TYPES, OPT_DUMP_PROBE_ALIASES, OPT_DUMP_FUNCTIONS,
	OPT_REMOTE, OPT_HELP_FUNCTION, OPT_HELP_PROBE, OPT_MAN_PAGES,
	OPT_SESSIONS, OPT_ATTACH, OPT_STOP, OPT_DETACH, OPT_MONITOR, OPT_SIGN, OPT_OUTPUT, OPT_LOCK, OPT_FLAME,
	OPT_MONITOR_GLOBALS, OPT_SIGN_MODULE, OPT_ALL_MODULES, OPT_LDD,
	OPT_BOUND, OPT_MAX_COST, OPT_MAX_MEMORY, OPT_VP, OPT_TMPDIR, OPT_DEBUG, OPT_MODINFO, OPT_SYSENV,
	OPT_RLIMIT,			/* and those behind it, in the order of limits */
	OPT_PEER = OPT_RLIMIT + 8,	/* and those behind it: peer_options */
};

static const char short_options[] = "hVvkgp:ue:E:I:D:G:R:r:a:m:o:c:x:T:s:S:bFwWtl:L:B:d:Pqi";

static const struct option long_options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "keep", no_argument, NULL, 'k' },
	{ "kbuild", no_argument, NULL, OPT_KBUILD },
	{ "vm", optional_argument, NULL, OPT_VM },
	{ "remote", required_argument, NULL, OPT_REMOTE },
	{ "simulate", no_argument, NULL, OPT_SIMULATE },
	{ "sysroot", required_argument, NULL, OPT_SYSROOT },
	{ "disable-cache", no_argument, NULL, OPT_DISABLE_CACHE },
	{ "poison-cache", no_argument, NULL, OPT_POISON_CACHE },
	{ "clean-cache", no_argument, NULL, OPT_CLEAN_CACHE },
	{ "color", optional_argument, NULL, OPT_COLOR },
	{ "colour", optional_argument, NULL, OPT_COLOR },
	{ "compatible", required_argument, NULL, OPT_COMPATIBLE },
	{ "suppress-handler-errors", no_argument, NULL, OPT_SUPPRESS_ERRORS },
	{ "suppress-time-limits", no_argument, NULL, OPT_SUPPRESS_LIMITS },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "no-global-var-display", no_argument, NULL, OPT_NO_GLOBALS },
	{ "skip-badvars", no_argument, NULL, OPT_SKIP_BADVARS },
	{ "pretty", no_argument, NULL, OPT_PRETTY },
	{ "all-modules", no_argument, NULL, OPT_ALL_MODULES },
	{ "ldd", no_argument, NULL, OPT_LDD },
	{ "bound", optional_argument, NULL, OPT_BOUND },
	{ "max-cost", required_argument, NULL, OPT_MAX_COST },
	{ "max-memory", required_argument, NULL, OPT_MAX_MEMORY },
	{ "tapset-c", no_argument, NULL, OPT_TAPSET_C },
	{ "sessions", no_argument, NULL, OPT_SESSIONS },
	{ "attach", required_argument, NULL, OPT_ATTACH },
	{ "stop", required_argument, NULL, OPT_STOP },
	{ "detach", no_argument, NULL, OPT_DETACH },
	{ "output", required_argument, NULL, OPT_OUTPUT },
	{ "flame", required_argument, NULL, OPT_FLAME },
	{ "lock", required_argument, NULL, OPT_LOCK },
	{ "monitor", optional_argument, NULL, OPT_MONITOR },
	{ "monitor-globals", no_argument, NULL, OPT_MONITOR_GLOBALS },
	{ "sign", required_argument, NULL, OPT_SIGN },
	{ "sign-module", optional_argument, NULL, OPT_SIGN_MODULE },
	{ "source", required_argument, NULL, OPT_SOURCE },
	{ "dump-probe-types", no_argument, NULL, OPT_DUMP_PROBE_TYPES },
	{ "dump-probe-aliases", no_argument, NULL, OPT_DUMP_PROBE_ALIASES },
	{ "dump-functions", no_argument, NULL, OPT_DUMP_FUNCTIONS },
	{ "help-function", required_argument, NULL, OPT_HELP_FUNCTION },
	{ "help-probe", required_argument, NULL, OPT_HELP_PROBE },
	{ "man-pages", required_argument, NULL, OPT_MAN_PAGES },
	{ "vp", required_argument, NULL, OPT_VP },
	{ "tmpdir", required_argument, NULL, OPT_TMPDIR },
	{ "debug", no_argument, NULL, OPT_DEBUG },
	{ "modinfo", required_argument, NULL, OPT_MODINFO },
	{ "sysenv", required_argument, NULL, OPT_SYSENV },
	{ "rlimit-as", required_argument, NULL, OPT_RLIMIT },
	{ "rlimit-cpu", required_argument, NULL, OPT_RLIMIT + 1 },
	{ "rlimit-nproc", required_argument, NULL, OPT_RLIMIT + 2 },
	{ "rlimit-stack", required_argument, NULL, OPT_RLIMIT + 3 },
	{ "rlimit-fsize", required_argument, NULL, OPT_RLIMIT + 4 },
	{ NULL, 0, NULL, 0 },
};
static const int limits[] = { RLIMIT_AS, RLIMIT_CPU, RLIMIT_NPROC, RLIMIT_STACK, RLIMIT_FSIZE };

static void print_help(void)
{
	fputs("Usage: tapc [OPTIONS] FILE [ARGUMENTS]     run the script FILE ('-': standard input)\n"
	      "       tapc [OPTIONS] -e SCRIPT [ARGUMENTS]\n"
	      "       tapc FILE --help                   what options the script itself takes\n"
      "Options may stand behind FILE, too; all words behind -- are arguments.\n"
	      "\n"
	      "What runs\n"
	      "  -e SCRIPT        script text on the command line\n"
	      "  -E SCRIPT        further script text, beside the script\n"
	      "  -I DIR           look in DIR too for tapset files\n"
	      "  -D NAME=VALUE    a limit, e.g. MAXACTION=100000, or a macro for embedded C\n"
	      "  -G NAME=VALUE    the initial value of a global variable\n"
	      "  -g               guru mode: embedded C and writes to the target are allowed\n"
	      "  -c COMMAND       start COMMAND, end with it; target() is its process\n"
	      "  -x PID           target() is PID\n"
	      "  -T SECONDS       end after so long\n"
	      "  --lock FILE      only if no other run holds FILE\n"
	      "  -d FILE, --ldd   for stacks of user space, know FILE (and its libraries) from the beginning\n"
	      "\n"
	      "Where it goes\n"
	      "  -o FILE          output to FILE (strftime's % sequences are expanded)\n"
	      "  -S SIZE[,N]      start a new file at SIZE MB, keep N\n"
	      "  -b, -s MB        one file a CPU; MB of buffer a CPU\n"
	      "  -F               flight recorder: leave it running, keep the newest; -o FILE: on disk\n"
	      "  --flame FILE     folded stacks that are printed (\"main;read 5\") become an SVG at the end\n"
	      "  --output=json    objects, one a line, in place of text\n"
	      "  -t               at the end, print hits and times of each probe\n"
	      "  --pretty         histograms with bars\n"
	      "  --color[=WHEN]   colour in messages: auto, always, never\n"
	      "  -w, -W           no warnings; warnings are errors\n"
	      "\n"
	      "Sessions\n"
	      "  --sessions       list them\n"
	      "  --detach         start one and leave it running\n"
	      "  --attach NAME    go on reading what it prints\n"
	      "  --monitor=NAME   a live screen of its probes: hits, costs, on and off\n"
	      "  --monitor-globals  the script to be run shows its globals there, too\n"
	      "  --monitor[=SECONDS]  run the script below such a screen\n"
	      "  --stop NAME      end it\n"
	      "  --sign KEY FILE  sign a module with a private key, for tapd\n"
	      "\n"
	      "What there is to probe\n"
	      "  -l POINT         list the places that POINT means\n"
	      "  -L POINT         the same with their target variables and types\n"
	      "  --source POINT   show the source of the functions, with the lines that can be probed\n"
	      "  --dump-probe-types, --dump-probe-aliases, --dump-functions\n"
	      "                   list what points and functions there are\n"
	      "  --help-function NAME, --help-probe NAME\n"
	      "                   what the manual says of it; of a pattern, a line for each\n"
	      "  --man-pages DIR  write that manual to DIR as man pages\n"
	      "\n"
	      "What it may cost\n"
	      "  --bound[=CPUS]   tell it beforehand, and run nothing: statements, locks, stack, places, memory\n"
	      "  --max-cost N     no probe may run more than N statements a hit\n"
	      "  --max-memory SIZE  the session may have no more memory in the kernel: bytes, or with K, M or G\n"
	      "\n"
	      "How far\n"
	      "  -p PASS          stop after pass 1 parse, 2 resolve, 3 translate, 4 build, 5 run\n"
	      "  -v               tell the time of each pass; more for more\n"
	      "  --vp DIGITS      the same for single passes: a digit for each is added\n"
	      "  --tmpdir DIR     make temporary folders in DIR, as TMPDIR says\n"
	      "  --rlimit-as N, --rlimit-cpu N, --rlimit-nproc N, --rlimit-stack N, --rlimit-fsize N\n"
	      "                   limits for tapc and what it starts, see setrlimit(2)\n"
	      "  -k               keep the temporary folder\n"
	      "  -m NAME          name of the module; with -p4 it stays here as NAME.ko\n"
	      "\n"
	      "Which kernel\n"
	      "  -r RELEASE|DIR   for this kernel release or build tree (default: the running one)\n"
	      "  --sysroot DIR    look for that kernel's files below DIR\n"
	      "  -a ARCH          for another architecture\n"
	      "  -B FLAG          pass FLAG to the kernel's make\n"
	      "  --debug          compile the module with debug information\n"
	      "  --modinfo NAME=VALUE  the module says so of itself\n"
	      "  --sysenv PATH=DIRS  look in DIRS, below --sysroot, for the programs of points\n"
	      "  --vm[=RELEASE]   run in a throwaway virtual machine on a copy-on-write view of this one\n"
	      "  --remote HOST    run on HOST over ssh, too: [USER@]HOST or ssh://[USER@]HOST[:PORT]; repeatable\n"
	      "  --simulate       run begin, end, timers and test probes in a process, with no kernel\n"
	      "  --sign-module[=DIR]  sign with an enrolled key, DIR/signing_key.pem and .x509 (/etc/tapc/mok)\n"
	      "  --kbuild         build by the kernel's make, not by replaying its recorded commands\n"
	      "  --disable-cache, --poison-cache, --clean-cache\n"
	      "  --strict         a probe that costs too much ends the session; it is switched off otherwise\n"
	      "  --suppress-handler-errors, --suppress-time-limits, --no-global-var-display, --skip-badvars\n"
	      "  -h, -V           this help; the version\n"
	      "\n"
	      "Exit status: 0 success, 1 the script failed while running, 2 wrong use, 3 error in the\n"
	      "script, 4 build failed, 5 could not load, 6 -c or -x cannot be had, 7 --lock, 8 trouble on this machine;\n"
	      "else that of -c's command.\n",
	      stdout);
}

static int usage_error(const char *format, const char *what)
{
	fputs("tapc: error: ", stderr);
	fprintf(stderr, format, what);
	fputs("; tapc -h lists the options\n", stderr);
	return TAP_STATUS_USAGE;
}

static bool is_identifier(const char *s, size_t n)
{
	if (!n || !(isalpha((unsigned char)*s) || *s == '_'))
		return false;
	for (size_t i = 1; i < n; i++)
		if (!(isalnum((unsigned char)s[i]) || s[i] == '_'))
			return false;
	return true;
}

/* NAME=VALUE; without '=' the value is DEFAULT_VALUE, or bad when that is NULL. */
static bool split_name_value(struct arena *a, const char *text, const char *default_value,
			     struct name_value *out)
{
	const char *equals = strchr(text, '=');
	size_t n = equals ? (size_t)(equals - text) : strlen(text);

	if (!is_identifier(text, n) || (!equals && !default_value))
		return false;
	out->name = arena_strndup(a, text, n);
	out->value = equals ? equals + 1 : default_value;
	return true;
}

static bool is_number(const char *s)
{
	return *s && strspn(s, "0123456789") == strlen(s) && strlen(s) < 10;
}

static int set_color(struct options *o, const char *when)
{
	if (!when || str_equal(when, "always"))
		o->color = true;
	else if (str_equal(when, "never"))
		o->color = false;
	else if (!str_equal(when, "auto"))
		return usage_error("--color takes auto, always or never, not '%s'", when);
	return -1;
}

static int set_pass(struct options *o, const char *text)
{
	if (!is_number(text) || text[1] || text[0] < '1' || text[0] > '5')
		return usage_error("-p takes a pass from 1 to 5, not '%s'", text);
	o->last_pass = text[0] - '0';
	return -1;
}

static int set_name_value(struct arena *a, struct options *o, int option, const char *text)
{
	struct name_value nv;

	if (!split_name_value(a, text, option == 'D' ? "1" : NULL, &nv))
		return usage_error(option == 'D' ? "-D takes NAME or NAME=VALUE, not '%s'" :
						   "-G takes NAME=VALUE, not '%s'", text);
	if (option == 'D')
		*vec_add(a, &o->defines) = nv;
	else
		*vec_add(a, &o->globals) = nv;
	return -1;
}

static int set_module_name(struct options *o, struct arena *a, const char *name)
{
	size_t n = strlen(name);

	if (str_ends(name, ".ko"))
		n -= 3;
	if (!is_identifier(name, n) || n > 55)
		return usage_error("-m takes a name of letters, digits and '_' (at most 55), not '%s'", name);
	o->module_name = arena_strndup(a, name, n);
	return -1;
}

/* --NAME=VALUE that nobody here knows: the script's, if there is one. */
static int script_option(struct arena *a, struct options *o, const char *word)
{
	struct name_value nv;
	size_t n = strcspn(word, "=");
	char *name = arena_strndup(a, word, n);

	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	if (!is_identifier(name, n))
		return usage_error("unknown option '--%s'", word);
	nv = (struct name_value){ name, word[n] ? word + n + 1 : "1" };
	*vec_add(a, &o->script_options) = nv;
	return -1;
}

static int set_bound(struct options *o, const char *cpus)
{
	o->bound = true;
	o->bound_cpus = cpus && is_number(cpus) && strlen(cpus) < 6 ? (unsigned)atoi(cpus) : 0;
	return !cpus || o->bound_cpus ? -1 : usage_error("--bound takes a number of processors, not '%s'", cpus);
}

static int set_max_cost(struct options *o, const char *text)
{
	o->max_cost = is_number(text) ? strtoull(text, NULL, 10) : 0;
	return o->max_cost ? -1 : usage_error("--max-cost takes a number of statements, not '%s'", text);
}

/* 4096, 512K, 8M, 1G */
static int set_max_memory(struct options *o, const char *text)
{
	static const char units[] = "KMG";
	size_t digits = strspn(text, "0123456789");
	const char *unit = text[digits] ? strchr(units, text[digits]) : NULL;

	if (digits && digits < 10 && (!text[digits] || (unit && !text[digits + 1])))
		o->max_memory = strtoull(text, NULL, 10) << (unit ? 10 * (unit - units + 1) : 0);
	return o->max_memory ? -1 : usage_error("--max-memory takes bytes, or a number with K, M or G, not '%s'", text);
}

static int set_form(struct options *o, const char *form)
{
	if (!str_equal(form, "text") && !str_equal(form, "json"))
		return usage_error("--output takes text or json, not '%s'", form);
	o->form = form;
	return -1;
}

static int set_tool(struct options *o, int tool, const char *argument)
{
	o->tool = tool;
	o->tool_argument = argument;
	return -1;
}

/* How often, or whose. */
static int set_monitor(struct options *o, struct arena *a, const char *value)
{
	o->monitor = value ? arena_printf(a, "--monitor=%s", value) : "--monitor";
	if (value && (isalpha((unsigned char)*value) || *value == '_'))
		return set_tool(o, TOOL_MONITOR, NULL);
	o->monitor_globals = true;
	return -1;
}

static int set_dump(struct options *o, int what, const char *argument)
{
	o->dump = what;
	o->dump_argument = argument;
	o->script_text = "";
	return -1;
}

/* --vp 00130: a digit a pass, added to -v */
static int add_pass_verbosity(struct options *o, const char *digits)
{
	size_t n = strlen(digits);

	if (!n || n > ARRAY_SIZE(o->pass_verbose) || strspn(digits, "0123456789") != n)
		return usage_error("--vp takes 1 to 5 digits, one for each pass, not '%s'", digits);
	for (size_t i = 0; i < n; i++)
		o->pass_verbose[i] += digits[i] - '0';
	return -1;
}

static int set_compatible(struct options *o, const char *version)
{
	if (strspn(version, "0123456789.") != strlen(version) || !isdigit((unsigned char)*version))
		return usage_error("--compatible takes a version of SystemTap's, such as 4.8, not '%s'", version);
	if (strverscmp(version, SYSTEMTAP_VERSION) > 0)
		return usage_error("--compatible is a version of the past, not %s: systemtap_v says which one tapc is like", version);
	o->compatible = version;
	return -1;
}

/* What a module says of itself begins with a name that modinfo(8) can show. */
static int add_modinfo(struct options *o, struct arena *a, const char *text)
{
	static const char first[] = "abcdefghijklmnopqrstuvwxyz_", others[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
	size_t n = strspn(text, others);

	if (!*text || !strchr(first, *text) || text[n] != '=' || !text[n + 1])
		return usage_error("--modinfo takes NAME=VALUE, NAME of small letters, digits and '_', not '%s'", text);
	*vec_add(a, &o->modinfo) = text;
	return -1;
}

/* Of the other machine's environment only PATH is asked. */
static int set_target_path(struct options *o, const char *text)
{
	const char *equals = strchr(text, '=');

	if (!equals || !is_identifier(text, (size_t)(equals - text)))
		return usage_error("--sysenv takes NAME=VALUE, not '%s'", text);
	if (str_starts(text, "PATH="))
		o->target_path = equals + 1;
	return -1;
}

static int set_limit(int which, const char *text)
{
	struct rlimit limit;

	if (!*text || text[strspn(text, "0123456789")])
		return usage_error("a limit is a number, not '%s'", text);
	limit.rlim_cur = limit.rlim_max = strtoul(text, NULL, 10);
	if (setrlimit(limits[which], &limit) == 0)
		return -1;
	return usage_error("the limit %s cannot be set: the one that this process has may be lower", text);
}

static int set_one(struct options *o, struct arena *a, int option, const char *value)
{
	const struct peer_option *peer = option >= OPT_PEER ? &peer_options[option - OPT_PEER] :
					 option < 256 ? peer_option_letter(option) : NULL;

	if (peer)
		return peer_option_take(peer, value) ? -1 : TAP_STATUS_USAGE;
	if (option >= OPT_RLIMIT && option < OPT_RLIMIT + (int)ARRAY_SIZE(limits))
		return set_limit(option - OPT_RLIMIT, value);
	switch (option) {
	case 'h': o->help = true; break;
	case 'V': o->version = true; break;
	case 'v': o->verbose++; break;
	case 'k': o->keep = true; break;
	case 'g': o->guru = true; break;
	case 'u': o->no_optimize = true; break;
	case 'w': o->no_warnings = true; break;
	case 'W': o->warnings_are_errors = true; break;
	case 'b': o->bulk = true; break;
	case 'F': o->flight_recorder = true; break;
	case 't': o->timing = true; break;
	case 'p': return set_pass(o, value);
	case 'e':
		if (o->has_text)
			return usage_error("there is one script: '%s' is a second one, and -E adds to it", value);
		o->script_text = value;
		o->has_text = true;
		break;
	case 'E': *vec_add(a, &o->extra) = value; break;
	case 'I': *vec_add(a, &o->tapset_dirs) = value; break;
	case 'B': *vec_add(a, &o->kbuild_flags) = value; break;
	case 'D': case 'G': return set_name_value(a, o, option, value);
	case 'R': o->runtime_dir = value; break;
	case 'r': o->release = value; break;
	case 'a': o->arch = value; break;
	case 'm': return set_module_name(o, a, value);
	case 'o': o->output = value; break;
	case 'c': o->command = value; break;
	case 'x': case 'T': case 's':
		if (!is_number(value))
			return usage_error(option == 'x' ? "-x takes a process number, not '%s'" :
					   option == 'T' ? "-T takes a number of seconds, not '%s'" :
							   "-s takes a number of megabytes, not '%s'", value);
		*(option == 'x' ? &o->pid : option == 'T' ? &o->seconds : &o->buffer_mb) = value;
		break;
	case 'S': o->size_limit = value; break;
	case 'd':
		if (strchr(value, '/'))		/* the kernel knows the symbols of its modules */
			*vec_add(a, &o->images) = value;
		break;
	case OPT_ALL_MODULES: break;
	case OPT_LDD: o->ldd = true; break;
	case OPT_BOUND: return set_bound(o, value);
	case OPT_MAX_COST: return set_max_cost(o, value);
	case OPT_MAX_MEMORY: return set_max_memory(o, value);
	case 'l': o->list = true; o->script_text = arena_printf(a, "probe %s {}", value); break;
	case 'L': o->list_variables = true; o->script_text = arena_printf(a, "probe %s {}", value); break;
	case OPT_KBUILD: o->kbuild = true; break;
	case OPT_VM: o->vm = true; o->vm_kernel = value; break;
	case OPT_REMOTE: *vec_add(a, &o->remotes) = value; break;
	case OPT_SIMULATE: o->simulate = true; break;
	case OPT_SYSROOT: o->sysroot = value; break;
	case OPT_DISABLE_CACHE: o->disable_cache = true; break;
	case OPT_POISON_CACHE: o->poison_cache = true; break;
	case OPT_CLEAN_CACHE: o->clean_cache = true; break;
	case OPT_COLOR: return set_color(o, value);
	case OPT_COMPATIBLE: return set_compatible(o, value);
	case OPT_SUPPRESS_ERRORS: o->suppress_handler_errors = true; break;
	case OPT_SUPPRESS_LIMITS: o->suppress_time_limits = true; break;
	case OPT_STRICT: o->strict = true; break;
	case OPT_NO_GLOBALS: o->no_global_var_display = true; break;
	case OPT_SKIP_BADVARS: o->skip_badvars = true; break;
	case OPT_PRETTY: o->pretty = true; break;
	case OPT_TAPSET_C: o->tapset_c = true; break;
	case OPT_SESSIONS: return set_tool(o, TOOL_SESSIONS, NULL);
	case OPT_ATTACH: return set_tool(o, TOOL_ATTACH, value);
	case OPT_MONITOR_GLOBALS: o->monitor_globals = true; break;
	case OPT_MONITOR: return set_monitor(o, a, value);
	case OPT_STOP: return set_tool(o, TOOL_STOP, value);
	case OPT_SIGN: return set_tool(o, TOOL_SIGN, value);
	case OPT_SIGN_MODULE: o->sign_module = value ? value : "/etc/tapc/mok"; break;
	case OPT_FLAME: o->flame = value; break;
	case OPT_LOCK: o->lock = value; break;
	case OPT_OUTPUT: return set_form(o, value);
	case OPT_DETACH: o->detach = true; break;
	case OPT_VP: return add_pass_verbosity(o, value);
	case OPT_TMPDIR: setenv("TMPDIR", value, 1); break;
	case OPT_DEBUG: *vec_add(a, &o->kbuild_flags) = "KCFLAGS=-g"; break;
	case OPT_MODINFO: return add_modinfo(o, a, value);
	case OPT_SYSENV: return set_target_path(o, value);
	case OPT_SOURCE:
		o->list = o->source = true;
		o->script_text = arena_printf(a, "probe %s {}", value);
		break;
	case OPT_DUMP_PROBE_TYPES: return set_dump(o, DUMP_PROBE_TYPES, NULL);
	case OPT_DUMP_PROBE_ALIASES: return set_dump(o, DUMP_PROBE_ALIASES, NULL);
	case OPT_DUMP_FUNCTIONS: return set_dump(o, DUMP_FUNCTIONS, NULL);
	case OPT_HELP_FUNCTION: return set_dump(o, DUMP_HELP_FUNCTION, value);
	case OPT_HELP_PROBE: return set_dump(o, DUMP_HELP_PROBE, value);
	case OPT_MAN_PAGES: return set_dump(o, DUMP_MAN_PAGES, value);
	}
	return -1;
}

static int bad_option(char **argv, bool wants_value)
{
	const char *word = argv[optind - 1];

	if (optopt > 0 && optopt < 256 && strchr(short_options, optopt))
		return usage_error("option '-%s' needs a value", (char[]){ (char)optopt, 0 });
	if (optopt >= 256)
		return usage_error(wants_value ? "option '%s' needs a value" : "option '%s' takes no value", word);
	return usage_error("unknown option '-%s'", (char[]){ (char)optopt, 0 });
}

/* getopt's table: tapc's options and those of SystemTap's that are none. */
static const struct option *all_options(void)
{
	static struct option all[ARRAY_SIZE(long_options) + 64];
	size_t n = ARRAY_SIZE(long_options) - 1;

	if (all[0].name)
		return all;
	memcpy(all, long_options, sizeof(long_options));
	for (size_t i = 0; peer_options[i].name && n + 1 < ARRAY_SIZE(all); i++)
		if (peer_options[i].name[1])
			all[n++] = (struct option){ peer_options[i].name, peer_options[i].has_arg, NULL,
						    OPT_PEER + (int)i };
	all[n] = (struct option){ NULL, 0, NULL, 0 };
	return all;
}

bool options_is_own(const char *word)
{
	size_t size = strcspn(word, "=");

	for (const struct option *o = all_options(); o->name; o++)
		if (strlen(o->name) == size && strncmp(o->name, word, size) == 0)
			return true;
	return false;
}

/* Behind the script: an option of tapc's, or the script's own word, such as -5 or --top=3? */
static bool is_argument(const char *word)
{
	if (word[0] != '-' || !word[1] || str_equal(word, "--"))
		return false;
	if (word[1] == '-')
		return str_equal(word, "--help") || str_equal(word, "--version") || !options_is_own(word + 2);
	return word[1] == ':' || !strchr(short_options, word[1]);
}

/* The first word is the script's name, unless -e gave the script. */
static void split_words(struct options *o)
{
	if (o->script_text || o->tapset_c || o->tool || !o->args.n)
		return;
	o->script_file = o->args.items[0];
	o->plain_args -= o->plain_args == o->args.n;
	memmove(o->args.items, o->args.items + 1, --o->args.n * sizeof(*o->args.items));
}

/* As in SystemTap, options may stand behind the script's name, too; all words behind "--" are arguments. */
static int parse_words(struct options *o, struct arena *a, int argc, char **argv)
{
	char format[96] = "-:";
	int before = 0;	/* where the word begins; getopt stays in a word of several letters */

	strcat(format, short_options);
	opterr = 0;
	optind = 0;
	for (;;) {
		int option, status = -1;

		if (o->args.n && optind != before && optind < argc && is_argument(argv[optind])) {
			*vec_add(a, &o->args) = argv[optind++];
			continue;
		}
		before = optind;
		option = getopt_long(argc, argv, format, all_options(), NULL);
		if (option == -1)
			break;
		if (option == 1)
			*vec_add(a, &o->args) = optarg;
		else if (option == '?' && optopt == 0 && str_starts(argv[optind - 1], "--"))
			status = script_option(a, o, argv[optind - 1] + 2);
		else if (option == '?' || option == ':')
			status = bad_option(argv, option == ':');
		else
			status = set_one(o, a, option, optarg);
		if (status >= 0)
			return status;
	}
	o->plain_args = argc - optind;
	while (optind < argc)
		*vec_add(a, &o->args) = argv[optind++];
	split_words(o);
	return -1;
}

bool options_split_script(struct options *o, struct arena *a)
{
	size_t kept = 0, plain = o->args.n - o->plain_args;
	bool ok = true;

	for (size_t i = 0; i < o->args.n; i++) {
		const char *word = o->args.items[i];

		if (i >= plain || !str_starts(word, "--"))
			o->args.items[kept++] = word;
		else if (str_equal(word, "--help"))
			o->script_help = true;
		else
			ok = script_option(a, o, word + 2) < 0 && ok;
	}
	o->args.n = kept;
	return ok;
}

int options_parse(struct options *o, struct arena *a, int argc, char **argv)
{
	int status;

	*o = (struct options){ .last_pass = 5, .color = isatty(2) };
	status = parse_words(o, a, argc, argv);
	if (status >= 0)
		return status;
	if (o->help) {
		print_help();
		return TAP_STATUS_OK;
	}
	if (o->version) {
		printf("tapc %s\n", PACKAGE_VERSION);
		return TAP_STATUS_OK;
	}
	if (!o->tool && !o->script_file && !o->script_text && !o->tapset_c && !o->clean_cache)
		return usage_error("no script given%s", "");
	if (o->simulate && !o->bound && o->form && str_equal(o->form, "json"))
		return usage_error("--simulate prints text, not %s", "JSON");
	if (o->bound && o->remotes.n)
		return usage_error("--bound runs nothing: not with %s", "--remote");
	if (o->max_cost && o->suppress_time_limits)
		return usage_error("--max-cost is held by the limits that %s leaves out", "--suppress-time-limits");
	if (o->monitor && (o->simulate || o->remotes.n))
		return usage_error("--monitor is of a session in this machine's kernel: not with %s",
				   o->simulate ? "--simulate" : "--remote");
	if (o->module_name && o->last_pass < 4)
		o->module_name = NULL;
	if (o->no_warnings)		/* none is left that -W could make an error of */
		o->warnings_are_errors = false;
	return -1;
}

bool options_defines(const struct options *o, const char *name)
{
	vec_each(d, &o->defines)
		if (str_equal(d->name, name))
			return true;
	return false;
}
