/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line. Letters have the same meaning as in SystemTap. After the script's name its own options (@option)
 * come first, then those of tapc; a long option before it that exists neither in SystemTap nor in tapc is the
 * script's, too. */
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

/* FORMAT has one %s, for WHAT. */
static int usage_error(const char *format, const char *what)
{
	_cleanup_free_ char *text = NULL;

	if (asprintf(&text, format, what) < 0)
		fatal("out of memory");
	error_print("%s; tapc -h lists the options", text);
	return TAP_STATUS_USAGE;
}

static bool is_identifier(const char *s, size_t n)
{
	if (!n || !(isalpha((unsigned char)*s) || *s == '_'))
		return false;
	for (size_t i = 1; i < n; i++)
		if (!is_identifier_char(s[i]))
			return false;
	return true;
}

/* NAME=VALUE; without '=' the value is DEFAULT_VALUE, or an error if that is NULL. */
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

static int set_format(struct options *o, const char *what)
{
	if (!what || str_equal(what, "print"))
		o->format = FORMAT_PRINT;
	else if (str_equal(what, "check"))
		o->format = FORMAT_CHECK;
	else if (str_equal(what, "write"))
		o->format = FORMAT_WRITE;
	else
		return usage_error("--format takes print, check or write, not '%s'", what);
	return -1;
}

static int set_prepare(struct options *o, const char *whose)
{
	if (!whose || str_equal(whose, "own"))
		o->prepare = PREPARE_OWN;
	else if (str_equal(whose, "system"))
		o->prepare = PREPARE_SYSTEM;
	else
		return usage_error("--prepare takes own or system, not '%s'", whose);
	return -1;
}

static int set_pass(struct options *o, const char *text)
{
	if (!is_number(text) || text[1] || text[0] < '1' || text[0] > '5')
		return usage_error("-p takes a pass from 1 to 5, not '%s'", text);
	o->last_pass = text[0] - '0';
	return -1;
}

static int add_define(struct options *o, const char *text)
{
	struct name_value nv;

	if (!split_name_value(o->arena, text, "1", &nv))
		return usage_error("-D takes NAME or NAME=VALUE, not '%s'", text);
	*vec_add(o->arena, &o->defines) = nv;
	return -1;
}

static int add_global(struct options *o, const char *text)
{
	struct name_value nv;

	if (!split_name_value(o->arena, text, NULL, &nv))
		return usage_error("-G takes NAME=VALUE, not '%s'", text);
	*vec_add(o->arena, &o->globals) = nv;
	return -1;
}

static int set_module_name(struct options *o, const char *name)
{
	size_t n = strlen(name);

	if (str_ends(name, ".ko"))
		n -= 3;
	if (!is_identifier(name, n) || n > 55)
		return usage_error("-m takes a name of letters, digits and '_' (at most 55), not '%s'", name);
	o->module_name = arena_strndup(o->arena, name, n);
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

static bool is_timeline(const char *form)
{
#define FORMAT(name, slices) || str_equal(form, #name)
	return form && (false
#include "staging/common/timelines.def"
			);
#undef FORMAT
}

bool options_show_slices(const struct options *o)
{
#define FORMAT(name, slices) || (slices && str_equal(o->form, #name))
	return o->form && (false
#include "staging/common/timelines.def"
			);
#undef FORMAT
}

static int check_form(const char *form)
{
#define FORMAT(name, slices) ", " #name
	static const char known[] = "--output takes text, json"
#include "staging/common/timelines.def"
		", not '%s'";
#undef FORMAT

	return str_equal(form, "text") || str_equal(form, "json") || is_timeline(form) ? -1 : usage_error(known, form);
}

static int set_json(struct options *o, const char *none)
{
	(void)none;
	o->form = "json";
	return -1;
}

static int check_process(const char *text)
{
	return is_number(text) ? -1 : usage_error("-x takes a process number, not '%s'", text);
}

static int check_seconds(const char *text)
{
	return is_number(text) ? -1 : usage_error("-T takes a number of seconds, not '%s'", text);
}

static int check_megabytes(const char *text)
{
	if (!is_number(text) || !strtoul(text, NULL, 10))
		return usage_error("-s takes a number of megabytes, not '%s'", text);
	return strtoul(text, NULL, 10) <= 1024 ? -1 : usage_error("-s takes at most 1024 megabytes, not '%s'", text);
}

static int set_tool(struct options *o, const char *argument, int tool)
{
	o->tool = tool;
	o->tool_argument = argument;
	return -1;
}

/* An interval, or the name of a session. */
static int set_monitor(struct options *o, const char *value)
{
	o->monitor = value ? arena_printf(o->arena, "--monitor=%s", value) : "--monitor";
	if (value && (isalpha((unsigned char)*value) || *value == '_'))
		return set_tool(o, NULL, TOOL_MONITOR);
	o->monitor_globals = true;
	return -1;
}

static int set_dump(struct options *o, const char *argument, int what)
{
	o->dump = what;
	o->dump_argument = argument;
	o->script_text = "";
	return -1;
}

/* --vp 00130: one digit per pass, added to -v */
static int add_pass_verbosity(struct options *o, const char *digits)
{
	size_t n = strlen(digits);

	if (!n || n > ARRAY_SIZE(o->pass_verbose) || strspn(digits, "0123456789") != n)
		return usage_error("--vp takes 1 to 5 digits, one for each pass, not '%s'", digits);
	for (size_t i = 0; i < n; i++)
		o->pass_verbose[i] += digits[i] - '0';
	return -1;
}

static int check_compatible(const char *version)
{
	if (strspn(version, "0123456789.") != strlen(version) || !isdigit((unsigned char)*version))
		return usage_error("--compatible takes a version of SystemTap's, such as 4.8, not '%s'", version);
	if (strverscmp(version, SYSTEMTAP_VERSION) > 0)
		return usage_error("--compatible is a version of the past, not %s: systemtap_v says which one tapc is like", version);
	return -1;
}

/* A line of module information starts with a name that modinfo(8) can show. */
static int add_modinfo(struct options *o, const char *text)
{
	static const char first[] = "abcdefghijklmnopqrstuvwxyz_", others[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
	size_t n = strspn(text, others);

	if (!*text || !strchr(first, *text) || text[n] != '=' || !text[n + 1])
		return usage_error("--modinfo takes NAME=VALUE, NAME of small letters, digits and '_', not '%s'", text);
	*vec_add(o->arena, &o->modinfo) = text;
	return -1;
}

/* Of the other machine's environment only PATH is used. */
static int set_target_path(struct options *o, const char *text)
{
	const char *equals = strchr(text, '=');

	if (!equals || !is_identifier(text, (size_t)(equals - text)))
		return usage_error("--sysenv takes NAME=VALUE, not '%s'", text);
	if (str_starts(text, "PATH="))
		o->target_path = equals + 1;
	return -1;
}

static int set_limit(struct options *o, const char *text, int which)
{
	struct rlimit limit;

	(void)o;
	if (!*text || text[strspn(text, "0123456789")])
		return usage_error("a limit is a number, not '%s'", text);
	limit.rlim_cur = limit.rlim_max = strtoul(text, NULL, 10);
	if (setrlimit(which, &limit) == 0)
		return -1;
	return usage_error("the limit %s cannot be set: the one that this process has may be lower", text);
}

/* Options that a script declares have been looked up by now if a file was named before -e: that is a script, too. */
static int set_script(struct options *o, const char *text)
{
	if (o->has_text || o->declared)
		return usage_error("there is one script: '%s' is a second one, and -E adds to it", text);
	o->script_text = text;
	o->has_text = true;
	return -1;
}

static int set_points(struct options *o, const char *point, bool *which)
{
	*which = true;
	o->script_text = arena_printf(o->arena, "probe %s {}", point);
	return -1;
}

static int set_list(struct options *o, const char *point) { return set_points(o, point, &o->list); }
static int set_list_variables(struct options *o, const char *point) { return set_points(o, point, &o->list_variables); }

static int set_source(struct options *o, const char *point)
{
	o->source = true;
	return set_points(o, point, &o->list);
}

/* A name without a slash is a kernel module, whose symbols are known. */
static int add_program(struct options *o, const char *file)
{
	if (strchr(file, '/'))
		*vec_add(o->arena, &o->images) = file;
	return -1;
}

static int add_debug(struct options *o, const char *none)
{
	(void)none;
	*vec_add(o->arena, &o->kbuild_flags) = "KCFLAGS=-g";
	return -1;
}

static int set_sign_module(struct options *o, const char *folder)
{
	o->sign_module = folder ? folder : "/etc/tapc/mok";
	return -1;
}

static int set_vm(struct options *o, const char *kernel)
{
	o->vm = true;
	o->vm_kernel = kernel;
	return -1;
}

static int set_tmpdir(struct options *o, const char *folder)
{
	(void)o;
	setenv("TMPDIR", folder, 1);
	return -1;
}

static int take_nothing(struct options *o, const char *none)
{
	(void)o;
	(void)none;
	return -1;
}

/* ---- the table ---- */

#define FLAG(member_) .how = PUT_FLAG, .member = offsetof(struct options, member_)
#define COUNT(member_) .how = PUT_COUNT, .member = offsetof(struct options, member_)
#define TEXT(member_) .how = PUT_TEXT, .member = offsetof(struct options, member_)
#define LIST(member_) .how = PUT_LIST, .member = offsetof(struct options, member_)
#define CHECKED(function, member_) .how = PUT_CHECKED, .check = function, .member = offsetof(struct options, member_)
#define CALL(function) .how = PUT_CALL, .take = function
#define CHOOSE(function, number_) .how = PUT_CHOICE, .choose = function, .number = number_
#define OPTION(group_, letter_, name_, argument_, kind, set, module_, passed_, help_) \
	{ .group = GROUP_##group_, .letter = letter_, .name = name_, .argument = argument_, set, \
	  .module = MODULE_##module_, .passed = passed_, .help = help_ },
#define SHARED(group_, letter_, name_, argument_, kind, loader, translator, module_, passed_, help_) \
	{ .group = GROUP_##group_, .letter = letter_, .name = name_, .argument = argument_, translator, \
	  .module = MODULE_##module_, .passed = passed_, .help = help_ },

const struct option_row option_rows[] = {
#include "source/options.def"
#include "staging/common/options.def"
};
const size_t option_row_count = ARRAY_SIZE(option_rows);

/* ---- words ---- */

enum { PEERS = 64, PEER_FIRST = OPTION_FIRST + ARRAY_SIZE(option_rows) };

/* getopt's letters and long names: tapc's options, and those of SystemTap that it ignores or refuses. */
static struct {
	char letters[2 * ARRAY_SIZE(option_rows) + 2 * PEERS + 4];
	struct option names[ARRAY_SIZE(option_rows) + PEERS + 1];
} words;

static void make_words(void)
{
	size_t n = option_names(option_rows, ARRAY_SIZE(option_rows), words.names);

	option_letters(option_rows, ARRAY_SIZE(option_rows), "-:", words.letters);
	for (size_t i = 0; i < PEERS && peer_options[i].name; i++) {
		const struct peer_option *peer = &peer_options[i];

		if (peer->name[1])
			words.names[n++] = (struct option){ peer->name, peer->has_arg, NULL, PEER_FIRST + (int)i };
		else
			strcat(words.letters, peer->name);	/* none of them takes an argument */
	}
}

static const struct option *all_names(void)
{
	if (!words.names[0].name)
		make_words();
	return words.names;
}

static const char *all_letters(void)
{
	all_names();
	return words.letters;
}

static bool is_letter(int c)
{
	return c > 0 && c < 256 && strchr(all_letters() + 2, c);
}

static void print_help(void)
{
	fputs("Usage: tapc [OPTIONS] FILE [ARGUMENTS]     run the script FILE ('-': standard input)\n"
	      "       tapc [OPTIONS] -e SCRIPT [ARGUMENTS]\n"
	      "       tapc [OPTIONS] TOOL [ARGUMENTS]     run a script that is installed with tapc (--tools)\n"
	      "       tapc FILE --help                   the options of the script itself\n"
	      "Options may come after FILE, too; all words after -- are arguments.\n",
	      stdout);
	option_help(option_rows, ARRAY_SIZE(option_rows));
	fputs("\n"
	      "Exit status: 0 success, 1 the script failed while running, 2 wrong use, 3 error in the\n"
	      "script, 4 build failed, 5 could not load, 6 -c or -x not available, 7 --lock, 8 trouble on this\n"
	      "machine; otherwise that of -c's command.\n",
	      stdout);
}

static int set_one(struct options *o, int option, const char *value)
{
	const struct peer_option *peer = option >= PEER_FIRST ? &peer_options[option - PEER_FIRST] :
					 option < OPTION_FIRST ? peer_option_letter(option) : NULL;
	const struct option_row *row = option_of(option_rows, ARRAY_SIZE(option_rows), option);

	if (peer)
		return peer_option_take(peer, value) ? -1 : TAP_STATUS_USAGE;
	if (row->how != PUT_LIST)
		return option_store(o, row, value);
	*vec_add(o->arena, (name_list *)((char *)o + row->member)) = value;
	return -1;
}

static int bad_option(char **argv, bool wants_value)
{
	const char *word = argv[optind - 1];

	if (is_letter(optopt))
		return usage_error("option '-%s' needs a value", (char[]){ (char)optopt, 0 });
	if (optopt >= OPTION_FIRST)
		return usage_error(wants_value ? "option '%s' needs a value" : "option '%s' takes no value", word);
	return usage_error("unknown option '-%s'", (char[]){ (char)optopt, 0 });
}

/* Whether WORD, up to its '=', is the name of a long option of tapc. */
static bool is_own(const char *word)
{
	size_t size = strcspn(word, "=");

	for (const struct option *o = all_names(); o->name; o++)
		if (strlen(o->name) == size && strncmp(o->name, word, size) == 0)
			return true;
	return false;
}

/* The name of the option most similar to WORD, up to its '=', of the script or of tapc; or NULL. */
static const char *near_option(const struct options *o, const char *word)
{
	const char *names[ARRAY_SIZE(option_rows)], *plain = strndupa(word, strcspn(word, "=")), *near = NULL;
	name_list own = { 0 };
	size_t n = 0;

	if (o->declared)
		vec_each(d, o->declared)
			*vec_add(o->arena, &own) = d->name;
	if (own.n)
		near = nearest_name(plain, own.items, own.n);
	for (size_t i = 0; i < ARRAY_SIZE(option_rows); i++)
		if (*option_rows[i].name && *option_rows[i].help)
			names[n++] = option_rows[i].name;
	return near ? near : nearest_name(plain, names, n);
}

/* ---- options of the script ---- */

/* WORD without its dashes. */
static int unknown_option(const struct options *o, const char *word)
{
	const char *near = near_option(o, word);
	int size = (int)strcspn(word, "=");

	if (!is_identifier(word, 1))
		return usage_error("unknown option '--%s'", word);
	if (near)
		error_print("unknown option '--%.*s'; did you mean '--%s'?", size, word, near);
	else
		error_print("unknown option '--%.*s'; %s", size, word, o->declared && o->declared->n ?
			    "tapc SCRIPT --help and tapc -h list the options" : "tapc -h lists the options");
	return TAP_STATUS_USAGE;
}

static int set_declared(struct options *o, const struct declared_option *d, const char *given)
{
	const char *value = declared_value(d, o->arena, given);

	if (!value)
		return TAP_STATUS_USAGE;
	*vec_add(o->arena, &o->script_options) = (struct name_value){ d->variable, value };
	return -1;
}

/* "--top=3", "--top", "3", "--failed" */
static int take_long(struct options *o, const struct declared_option *d, int argc, char **argv)
{
	const char *equals = strchr(argv[optind++], '=');

	if (equals || declared_is_flag(d) || optind == argc)
		return set_declared(o, d, equals ? equals + 1 : NULL);
	return set_declared(o, d, argv[optind++]);
}

/* "-n3", "-n", "3", "-xn3" */
static int take_letters(struct options *o, int argc, char **argv)
{
	const char *letters = argv[optind++] + 1;

	for (; *letters; letters++) {
		const struct declared_option *d = declared_find_letter(o->declared, *letters);
		const char *value = NULL;

		if (!d)
			return usage_error("unknown option '-%s' of the script", (char[]){ *letters, 0 });
		if (!declared_is_flag(d))
			value = letters[1] ? letters + 1 : optind < argc ? argv[optind++] : NULL;
		if (set_declared(o, d, value) >= 0)
			return TAP_STATUS_USAGE;
		if (!declared_is_flag(d))
			break;
	}
	return -1;
}

/* A script without options that uses arguments may have this one. */
static bool is_help(const struct options *o, const char *word)
{
	if (str_equal(word, "-h"))
		return o->declared->n;
	return str_equal(word, "--help") && (o->declared->n || !(o->has_text || o->script_has_arguments));
}

/* Whether the next word is for the script and not for tapc; then STATUS is that of taking it. */
static bool take_of_script(struct options *o, int argc, char **argv, int *status)
{
	const char *word = argv[optind];
	const struct declared_option *d = NULL;

	if (str_starts(word, "--"))
		d = declared_find(o->declared, word + 2);
	else if (word[0] == '-' && word[1])
		d = declared_find_letter(o->declared, word[1]);
	if (d)
		*status = word[1] == '-' ? take_long(o, d, argc, argv) : take_letters(o, argc, argv);
	else
		o->script_help = is_help(o, word);
	return d || o->script_help;
}

/* After the script: an option of tapc, or an argument of the script, such as -5 or, if the script declares no options,
 * --top=3? */
static bool is_argument(const struct options *o, const char *word)
{
	if (word[0] != '-' || !word[1] || str_equal(word, "--"))
		return false;
	if (word[1] == '-' && o->declared->n)
		return false;
	if (word[1] == '-')
		return str_equal(word, "--help") || str_equal(word, "--version") || !is_own(word + 2);
	return word[1] == ':' || (!is_letter(word[1]) && !(o->declared->n && isalpha((unsigned char)word[1])));
}

/* Whether the other words are after a script; LOOK is called for it once. */
static bool is_after_script(struct options *o, script_look *look, void *data)
{
	static const declared_options none = { 0 };

	if (!o->args.n && !o->has_text)
		return false;
	if (!o->declared && !o->tool && !o->format && !o->tapset_c && (o->has_text || !o->script_text))
		look(data, o);
	if (!o->declared)
		o->declared = &none;
	return true;
}

/* ---- all words ---- */

/* The first word is the script's name, unless -e gave the script. */
static void split_words(struct options *o)
{
	if (o->script_text || o->tapset_c || o->format || o->tool || !o->args.n)
		return;
	o->script_file = o->args.items[0];
	o->plain_args -= o->plain_args == o->args.n;
	memmove(o->args.items, o->args.items + 1, --o->args.n * sizeof(*o->args.items));
}

/* --NAME=VALUE before the script, which may declare it. */
static int take_early(struct options *o, const name_list *early)
{
	vec_each(word, early) {
		const struct declared_option *d = o->declared ? declared_find(o->declared, *word) : NULL;
		const char *equals = strchr(*word, '=');
		int status = d ? set_declared(o, d, equals ? equals + 1 : NULL) : unknown_option(o, *word);

		if (status >= 0)
			return status;
	}
	return -1;
}

/* As in SystemTap, options may also follow the script's name; all words after "--" are arguments. */
static int parse_words(struct options *o, struct arena *a, int argc, char **argv, script_look *look, void *data)
{
	int before = 0;	/* the start of the word; getopt stays in a word of several letters */
	name_list early = { 0 };

	opterr = 0;
	optind = 0;
	for (;;) {
		int option, status = -1;

		if (is_after_script(o, look, data) && optind != before && optind < argc) {
			if (take_of_script(o, argc, argv, &status)) {
				if (status >= 0 || o->script_help)
					return status;
				continue;
			}
			if (o->args.n && is_argument(o, argv[optind])) {
				*vec_add(a, &o->args) = argv[optind++];
				continue;
			}
		}
		before = optind;
		option = getopt_long(argc, argv, all_letters(), all_names(), NULL);
		if (option == -1)
			break;
		if (option == 1)
			*vec_add(a, &o->args) = optarg;
		else if (option == '?' && optopt == 0 && str_starts(argv[optind - 1], "--"))
			*vec_add(a, &early) = argv[optind - 1] + 2;
		else if (option == '?' || option == ':')
			status = bad_option(argv, option == ':');
		else
			status = set_one(o, option, optarg);
		if (status >= 0)
			return status;
	}
	o->plain_args = argc - optind;
	while (optind < argc)
		*vec_add(a, &o->args) = argv[optind++];
	is_after_script(o, look, data);
	split_words(o);
	return take_early(o, &early);
}

bool options_set_at_start(const struct options *o)
{
	return o->last_pass == 5 && !o->simulate && !o->remotes.n && !o->list && !o->list_variables && !o->bound;
}

/* Is standard input to be formatted? */
static bool has_input(const struct options *o)
{
	vec_each(file, &o->args)
		if (str_equal(*file, "-"))
			return true;
	return !o->args.n;
}

static bool needs_script(const struct options *o)
{
	return !o->tool && !o->script_file && !o->script_text && !o->tapset_c && !o->format && !o->clean_cache &&
	       !o->prepare && !o->check_host && !o->list_tools && !o->language_server && !o->interactive;
}

/* A newcomer's first command is often "tapc" alone. Programs that call tapc get one line that they can report. */
static int no_script(bool is_alone)
{
	if (!is_alone || !isatty(STDERR_FILENO))
		return usage_error("no script given%s", "");
	fputs("tapc runs a script that traces the kernel and programs, and none was given. Try:\n"
	      "  sudo tapc -e 'probe syscall.openat { println(execname(), \" \", filename) }' -T 5\n"
	      "  tapc --check-host              what this machine lacks for it, and the commands that supply it\n"
	      "  tapc --help-probe 'vfs.*'      what can be probed; --help-function '*': what a probe can call\n"
	      "  tapc -h                        all options; man tapc is their manual\n", stderr);
	return TAP_STATUS_USAGE;
}

int options_parse(struct options *o, struct arena *a, int argc, char **argv, script_look *look, void *data)
{
	int status;

	*o = (struct options){ .arena = a, .last_pass = 5, .color = isatty(2) };
	status = parse_words(o, a, argc, argv, look, data);
	if (status >= 0 || o->script_help)
		return status;
	if (o->help) {
		print_help();
		return TAP_STATUS_OK;
	}
	if (o->version) {
		printf("tapc %s\n", PACKAGE_VERSION);
		return TAP_STATUS_OK;
	}
	if (o->check) {
		o->bound = true;
		o->last_pass = o->last_pass < 3 ? o->last_pass : 3;
	}
	if (o->language_server && (o->script_file || o->has_text))
		return usage_error("--language-server serves the scripts that an editor opens%s", ": it takes none");
	if (needs_script(o))
		return no_script(argc == 1);
	if (o->format == FORMAT_WRITE && (o->has_text || has_input(o)))
		return usage_error("--format=write needs files: %s cannot be rewritten",
				   o->has_text ? "the text of -e" : "standard input");
	if (o->simulate && !o->bound && o->form && str_equal(o->form, "json"))
		return usage_error("--simulate prints text, not %s", "JSON");
	if (is_timeline(o->form) && (o->bound || o->remotes.n > 1 || (o->vm && !o->output)))
		return usage_error("--output=%s is one file, of one session: not with --bound, --check and several --remote, "
				   "and --vm needs -o FILE", o->form);
	if (o->bound && o->remotes.n)
		return usage_error("%s runs nothing: not with --remote", o->check ? "--check" : "--bound");
	if (o->max_cost && o->suppress_time_limits)
		return usage_error("--max-cost is held by the limits that %s leaves out", "--suppress-time-limits");
	if (o->monitor && (o->simulate || o->remotes.n))
		return usage_error("--monitor is of a session in this machine's kernel: not with %s",
				   o->simulate ? "--simulate" : "--remote");
	if ((o->replace || o->values_of) && o->simulate)
		return usage_error("--replace and --values-of are about a session in a kernel: not with %s", "--simulate");
	if (o->replace && o->values_of)
		return usage_error("--replace takes the values of '%s', so --values-of cannot name another session", o->replace);
	o->hand_over |= o->replace || o->values_of;
	if (o->module_name && o->last_pass < 4)
		o->module_name = NULL;
	if (o->no_warnings)		/* no warnings are left that -W could make errors */
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

bool options_direct(const struct options *o)
{
	return options_defines(o, "TAP_DIRECT") && !options_defines(o, "TAP_NO_DIRECT");
}
