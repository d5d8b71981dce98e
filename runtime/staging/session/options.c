// SPDX-License-Identifier: GPL-2.0-or-later
/* Options come before the module, as for staprun; after it come the script's parameters. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/status.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0.1"
#endif

static int wrong(const char *format, const char *word)
{
	message_error(format, word);
	return TAP_STATUS_USAGE;
}

/* A decimal number of at most MOST; followed only by the text that END points to afterwards. */
static bool parse_number(const char *text, uint64_t most, uint64_t *value, const char **end)
{
	char *stop;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &stop, 10);
	*end = stop;
	return errno == 0 && *value <= most;
}

static bool parse_megabytes(const char *text, uint64_t *bytes, const char **end)
{
	if (!parse_number(text, 1 << 20, bytes, end) || *bytes == 0)
		return false;
	*bytes <<= 20;
	return true;
}

static int parse_rotation(struct options *o, const char *text)
{
	const char *end;
	uint64_t most = 0;

	if (!parse_megabytes(text, &o->names.size, &end) ||
	    (*end == ',' && (!parse_number(end + 1, 100000, &most, &end) || most == 0)) || *end)
		return wrong("-S takes megabytes and perhaps a number of files (-S 10,5), not '%s'",
			     text);
	o->names.most = (unsigned)most;
	return -1;
}

static int parse_target(struct options *o, const char *text)
{
	uint64_t pid;
	const char *end;

	if (!parse_number(text, INT32_MAX, &pid, &end) || *end || pid == 0)
		return wrong("-x takes a process number, not '%s'", text);
	o->target = (pid_t)pid;
	return -1;
}

static int parse_remote(struct options *o, const char *text)
{
	uint64_t number;
	const char *end;

	if (!parse_number(text, INT32_MAX, &number, &end) || *end != ':')
		return wrong("-r takes a number and a name, N:NAME, not '%s'", text);
	o->remote = (int)number;
	o->remote_name = end + 1;
	return -1;
}

static int parse_seconds(struct options *o, const char *text)
{
	char *end;

	o->seconds = strtod(text, &end);
	if (end == text || *end || !(o->seconds > 0) || o->seconds > 1e9)
		return wrong("-T takes a number of seconds above 0, not '%s'", text);
	return -1;
}

/* An interval, or a session. */
static int parse_monitor(struct options *o, const char *text)
{
	char *end;

	o->monitor_seconds = 1;
	o->monitor = !text || (*text >= '0' && *text <= '9') || *text == '.' || *text == '-';
	if (!o->monitor)
		o->monitored = text;
	if (!o->monitor || !text)
		return -1;
	o->monitor_seconds = strtod(text, &end);
	if (*end || !(o->monitor_seconds >= 0.1) || o->monitor_seconds > 1e6)
		return wrong("--monitor takes seconds from 0.1 on, or a session's name, not '%s'", text);
	return -1;
}

static int parse_colour(struct options *o, const char *text)
{
	static const char *const names[] = {
		[COLOUR_AUTO] = "auto", [COLOUR_NEVER] = "never", [COLOUR_ALWAYS] = "always",
	};

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], text) == 0) {
			o->colour = (enum message_colour)i;
			return -1;
		}
	return wrong("-C takes auto, always or never, not '%s'", text);
}

bool options_add_image(struct options *o, const char *path)
{
	if ((size_t)o->image_count >= sizeof(o->images) / sizeof(*o->images)) {
		wrong("too many files are named by --image, from '%s' on", path);
		return false;
	}
	o->images[o->image_count++] = path;
	return true;
}

static int add_image(struct options *o, const char *path)
{
	return options_add_image(o, path) ? -1 : TAP_STATUS_USAGE;
}

static int parse_buffer(struct options *o, const char *text)
{
	const char *end = "";

	if (!parse_megabytes(text, &o->buffer, &end) || *end)
		return wrong("-s takes megabytes, not '%s'", text);
	return -1;
}

void options_set_buffer(struct options *o, const char *megabytes)
{
	if (megabytes)
		parse_buffer(o, megabytes);
}

static int parse_form(struct options *o, const char *form)
{
#define FORMAT(name, slices) ", " #name
	static const char known[] = "--output knows text, json"
#include "common/timelines.def"
		", not '%s'";
#undef FORMAT

	o->json = strcmp(form, "json") == 0;
	o->timeline = timeline_format_of(form);
	if (o->timeline && timeline_is_folder(o->timeline))
		o->names.inside = TIMELINE_STREAM;
	if (!o->json && !o->timeline && strcmp(form, "text") != 0)
		return wrong(known, form);
	return -1;
}

static int set_json(struct options *o, const char *none)
{
	(void)none;
	return parse_form(o, "json");
}

static int set_output(struct options *o, const char *format)
{
	o->names.format = format;
	return -1;
}

static int set_stop(struct options *o, const char *none)
{
	(void)none;
	o->attach = o->stop = true;
	return -1;
}

static int set_snapshot(struct options *o, const char *none)
{
	(void)none;
	o->attach = o->snapshot = true;
	return -1;
}

/* staprun's -u: the kernel has uprobes. */
static int take_nothing(struct options *o, const char *none)
{
	(void)o;
	(void)none;
	return -1;
}

static int refuse_namespace(struct options *o, const char *pid)
{
	(void)o;
	return wrong("taprun has no -N %s: ns_pid() gives the numbers of the process's own namespace", pid);
}

static int print_version(struct options *o, const char *none)
{
	(void)o;
	(void)none;
	puts("taprun (tapc) " PACKAGE_VERSION);
	return fflush(stdout) ? TAP_STATUS_HOST : 0;
}


/* ---- the table ---- */

#define FLAG(member_) .how = PUT_FLAG, .member = offsetof(struct options, member_)
#define COUNT(member_) .how = PUT_COUNT, .member = offsetof(struct options, member_)
#define TEXT(member_) .how = PUT_TEXT, .member = offsetof(struct options, member_)
#define CALL(function) .how = PUT_CALL, .take = function
#define OPTION(group_, letter_, name_, argument_, kind, set, help_) \
	{ .group = GROUP_##group_, .letter = letter_, .name = name_, .argument = argument_, set, .help = help_ },
#define SHARED(group_, letter_, name_, argument_, kind, loader, translator, module, passed, help_) \
	{ .group = GROUP_##group_, .letter = letter_, .name = name_, .argument = argument_, loader, .help = help_ },

static int print_help(struct options *o, const char *none);	/* a row that prints all rows */

static const struct option_row rows[] = {
#include "common/options.def"
#include "session/options.def"
};
enum { ROWS = sizeof(rows) / sizeof(*rows) };

static int print_help(struct options *o, const char *none)
{
	(void)o;
	(void)none;
	fputs("usage: taprun [OPTION...] MODULE.ko [NAME=VALUE...]   load, print, unload\n"
	      "       taprun [OPTION...] -A NAME                     attach to a detached session\n"
	      "       taprun --stop NAME                             end a session, even if another process started it\n"
	      "       taprun --snapshot NAME                         save what a session's recorder has kept\n"
	      "       taprun --sessions                              list sessions\n"
	      "       taprun --monitor=NAME                          look at a session's probes, and switch them\n"
	      "       taprun --merge FILE...                         print what -b has written, in the order of time\n"
	      "       taprun -d NAME... | -d '*'                     remove modules of ended sessions\n", stdout);
	option_help(rows, ROWS);
	fputs("\n"
	      "SIGINT, SIGTERM and SIGHUP end the session, SIGQUIT detaches, SIGUSR2 starts the next file,\n"
	      "or saves a snapshot of the recorder.\n"
	      "Exit status: 0, or that of CMD; 1 the script failed; 2 usage; 5 the module was refused;\n"
	      "6 CMD or PID; 7 --lock's file is held; 8 trouble of the machine.\n", stdout);
	return fflush(stdout) ? TAP_STATUS_HOST : 0;
}

static int parse_option(struct options *o, int option, const char *word)
{
	const struct option_row *row = option_of(rows, ROWS, option);

	if (row)
		return option_store(o, row, optarg);
	if (option == ':')
		return wrong("option '%s' needs a value; taprun -h shows all", word);
	return wrong("there is no option '%s'; taprun -h shows all", word);
}

static int check_words(const struct options *o)
{
	for (int i = 0; i < o->word_count; i++) {
		const char *equals = strchr(o->words[i], '=');

		if (!equals || equals == o->words[i])
			return wrong(o->words[i][0] == '-'
					     ? "'%s': options come before the module"
					     : "'%s' is not NAME=VALUE, to set a global of the script",
				     o->words[i]);
	}
	return -1;
}

/* Options that cannot be combined. */
static int check_combination(const struct options *o)
{
	static const char both[] = "%s";

	if (o->sessions)
		return o->module ? wrong(both, "--sessions takes no names") : -1;
	if (o->remove)
		return o->module ? -1 : wrong(both, "-d needs the names of modules, or '*'");
	if (o->merge)
		return o->module ? -1 : wrong(both, "--merge needs the files that -b has written, FILE_cpu*");
	if (o->monitored)
		return o->module ? wrong(both, "--monitor=NAME looks at a session that runs: no module") : -1;
	if (!o->module)
		return wrong(both, "which module? usage: taprun [OPTION...] MODULE.ko [NAME=VALUE...]");
	if (o->monitor && (o->load_only || o->daemon || o->flame))
		return wrong(both, "--monitor has a screen as long as the session: no -D -F -L --flame");
	if (o->command && o->target)
		return wrong(both, "-c and -x both set target(): give one of them");
	if (o->cgroup && o->container)
		return wrong(both, "--cgroup and --container both say which tasks are meant: give one of them");
	if (o->attach && (o->cgroup || o->container))
		return wrong(both, "-A finds the session as it was started: no --cgroup --container");
	if (o->attach &&
	    (o->load_only || o->overwrite || o->command || o->target || o->rename || o->buffer || o->timing))
		return wrong(both, "-A finds the session as it was started: no -L -F -c -x -R -s -t");
	if (o->load_only && (o->command || o->daemon || o->bulk || o->names.format || o->seconds > 0))
		return wrong(both, "-L only starts the session: no -c -D -b -o -T "
				   "(give -b -o -T with -A)");
	if (o->daemon && !o->names.format)
		return wrong(both, "-D needs -o FILE: a background process has no terminal");
	if (o->bulk && !o->names.format)
		return wrong(both, "-b needs -o FILE for the names of its files");
	if (o->flame && (o->names.format || o->json || o->load_only || o->daemon))
		return wrong(both, "--flame takes what is printed: no -o -D -F -L --output=json");
	if (o->timeline && (o->bulk || o->names.size || o->flame))
		return wrong(both, "a timeline or profile is one file: no -b -S --flame");
	if (o->timeline && timeline_is_folder(o->timeline) && !o->names.format)
		return wrong(both, "this --output is a folder: -o FOLDER names it");
	if (o->timeline && timeline_is_database(o->timeline) && !o->names.format)
		return wrong(both, "this --output is a database: -o FILE names it");
	if (o->timeline && !timeline_is_text(o->timeline) && !o->names.format &&
	    (o->monitor || (!o->daemon && isatty(STDOUT_FILENO))))
		return wrong(both, "a timeline is for a viewer, not for a terminal: -o FILE writes it to a file");
	if (o->names.size && !o->names.format)
		return wrong(both, "-S needs -o FILE");
	if (o->attach && o->word_count)
		return wrong(both, "-A takes no NAME=VALUE: the session has begun already");
	return check_words(o);
}

/* -F in memory runs unattended; on disk a daemon writes files. */
static void take_flight_recorder(struct options *o)
{
	if (!o->overwrite)
		return;
	if (o->names.format)
		o->daemon = true;
	else
		o->load_only = true;
	o->overwrite = o->load_only;
}

/* staprun's -b and -F are followed by a number, which is never the name of a module: a size like that of -s, and a
 * descriptor that its parent has opened. */
static int take_number(struct options *o, int letter, const char *number)
{
	if (letter == 'F')
		return wrong("taprun has no -F %s: it opens its files, and -F is the flight recorder", number);
	o->bulk = false;
	optind++;
	return parse_buffer(o, number);
}

static bool is_digits(const char *word)
{
	return word && *word && strspn(word, "0123456789") == strlen(word);
}

int options_parse(struct options *o, int argc, char **argv)
{
	struct option names[ROWS + 1];
	char letters[2 * ROWS + 4];
	int letter, at, status;

	*o = (struct options){ .remote = -1 };
	opterr = 0;
	option_letters(rows, ROWS, "+:", letters);
	option_names(rows, ROWS, names);
	for (;;) {
		char word[3] = "-?";

		at = optind;
		letter = getopt_long(argc, argv, letters, names, NULL);
		if (letter < 0)
			break;
		word[1] = (char)optopt;
		status = parse_option(o, letter,
				      optopt && optopt < OPTION_FIRST ? word : argv[at < argc ? at : argc - 1]);
		if (status < 0 && (letter == 'b' || letter == 'F') && is_digits(argv[optind]))
			status = take_number(o, letter, argv[optind]);
		if (status >= 0)
			return status;
	}
	if (o->remove || o->merge) {
		o->module = argv[optind];
		o->words = argv + optind;
		o->word_count = argc - optind;
	} else if (optind < argc) {
		o->module = argv[optind];
		o->words = argv + optind + 1;
		o->word_count = argc - optind - 1;
	}
	take_flight_recorder(o);
	return check_combination(o);
}
