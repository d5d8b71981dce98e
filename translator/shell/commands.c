/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "commands.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/safe_path.h"
#include "base/util.h"
#include "child.h"
#include "cut.h"
#include "line.h"
#include "script.h"
#include "session.h"
#include "staging/common/status.h"
#include "tools/gallery.h"
#include "tools/manual.h"
#include "values.h"

static bool fail(struct shell *sh, int status)
{
	if (status && !sh->status)
		sh->status = status;
	return !status;
}

static bool usage(struct shell *sh, const char *what)
{
	error_print("%s; 'help' lists the commands", what);
	return fail(sh, TAP_STATUS_USAGE);
}

/* ---- numbers of pieces ---- */

/* "3 5-7 9", or "*". An array with a bool for each number; NULL, with a message. */
static bool *read_numbers(struct shell *sh, const char *text)
{
	bool *wanted = arena_array(sh->arena, bool, sh->last_number + 1);
	const char *at = text;

	if (str_equal(text, "*")) {
		memset(wanted, true, sh->last_number + 1);
		return wanted;
	}
	while (*at) {
		char *end;
		unsigned long first = strtoul(at, &end, 10), last = first;

		if (isdigit((unsigned char)*at) && *end == '-')
			last = strtoul(end + 1, &end, 10);
		if (!isdigit((unsigned char)*at) || (*end && !isspace((unsigned char)*end) && *end != ',')) {
			error_print("expected numbers of 'list', found '%s'", at);
			fail(sh, TAP_STATUS_USAGE);
			return NULL;
		}
		for (unsigned long n = first; n <= last || n == first; n++) {
			if (n > sh->last_number || !script_find(&sh->pieces, (unsigned)n)) {
				error_print("the script has no part %lu; 'list' shows their numbers", n);
				fail(sh, TAP_STATUS_USAGE);
				return NULL;
			}
			wanted[n] = true;
		}
		at = end + strspn(end, ", \t");
	}
	return wanted;
}

static bool *need_numbers(struct shell *sh, const char *text)
{
	if (*text)
		return read_numbers(sh, text);
	usage(sh, "expected the number of a part of the script");
	return NULL;
}

/* ---- the script ---- */

/* TEXT is whole, or it is an error that it is not. */
static bool take_text(struct shell *sh, const char *text, unsigned changing)
{
	struct cut c;

	cut_text(&c, sh->arena, text, strlen(text));
	if (!c.pieces.n)
		return true;
	return (changing ? script_change(sh, changing, &c) : script_add(sh, &c)) && session_follow(sh);
}

bool command_add(struct shell *sh, const char *text)
{
	return take_text(sh, text, 0);
}

static bool add(struct shell *sh, const char *rest)
{
	struct cut c;

	cut_text(&c, sh->arena, rest, strlen(rest));
	if (!c.is_open)
		return take_text(sh, rest, sh->changing);
	text_add(&sh->open, rest);
	text_char(&sh->open, '\n');
	return true;
}

static bool change(struct shell *sh, const char *rest)
{
	size_t n = strcspn(rest, " \t");
	bool *wanted = need_numbers(sh, arena_strndup(sh->arena, rest, n)), done;

	if (!wanted)
		return false;
	if (!rest[n])
		return usage(sh, "'change' takes a number and the new text");
	sh->changing = (unsigned)strtoul(rest, NULL, 10);
	done = add(sh, rest + n + strspn(rest + n, " \t"));
	if (!sh->open.n)
		sh->changing = 0;
	return done;
}

static bool list(struct shell *sh, const char *rest)
{
	bool *wanted = *rest ? read_numbers(sh, rest) : NULL;

	if (*rest && !wanted)
		return false;
	script_list(sh, wanted);
	return true;
}

static bool delete(struct shell *sh, const char *rest)
{
	bool *wanted = need_numbers(sh, rest);

	return wanted && script_delete(sh, wanted) && session_follow(sh);
}

static bool switch_pieces(struct shell *sh, const char *rest, bool is_off)
{
	bool *wanted = need_numbers(sh, rest), needs_module = false;

	vec_each(p, &sh->pieces)
		if (wanted && wanted[p->number] && !p->is_probe && !str_equal(rest, "*")) {
			error_print("part %u is not a probe: only probes can be switched", p->number);
			return fail(sh, TAP_STATUS_USAGE);
		}
	vec_each(p, &sh->pieces)
		if (wanted && wanted[p->number] && p->is_probe && p->is_off != is_off) {
			p->is_off = is_off;
			needs_module |= !session_switch(sh, p, !is_off);
		}
	return wanted && (!needs_module || session_follow(sh));
}

static bool off(struct shell *sh, const char *rest)
{
	return switch_pieces(sh, rest, true);
}

static bool on(struct shell *sh, const char *rest)
{
	return switch_pieces(sh, rest, false);
}

/* ---- files ---- */

static bool load_file(struct shell *sh, const char *path)
{
	size_t size;
	char *text = file_read(sh->arena, path, &size);

	if (!text) {
		error_print("cannot read '%s': %s", path, strerror(errno));
		return fail(sh, TAP_STATUS_SCRIPT);
	}
	if (strlen(text) != size) {
		error_print("'%s' is not a script: it contains a zero byte", path);
		return fail(sh, TAP_STATUS_SCRIPT);
	}
	return take_text(sh, text, 0);
}

bool command_load(struct shell *sh, const char *path)
{
	if (*path)
		return load_file(sh, path);
	return usage(sh, "'load' takes the name of a file");
}

static bool save(struct shell *sh, const char *path)
{
	const char *text = script_text(sh);

	if (!*path)
		return usage(sh, "'save' takes the name of a file");
	if (file_exists(path) ? file_rewrite(path, text, strlen(text)) : file_write(path, text, strlen(text)))
		return true;
	error_print("cannot write '%s': %s", path, strerror(errno));
	return fail(sh, TAP_STATUS_HOST);
}

static int list_tools(struct shell *sh, struct run *r, void *data)
{
	(void)sh, (void)data;
	return gallery_list(r->arena) ? TAP_STATUS_OK : TAP_STATUS_HOST;
}

static bool sample(struct shell *sh, const char *rest)
{
	const char *path = *rest ? gallery_find(sh->arena, rest) : NULL, *near;

	if (!*rest)
		return fail(sh, session_await(sh, list_tools, NULL));
	if (path)
		return load_file(sh, path);
	near = gallery_near(sh->arena, rest);
	if (near)
		error_print("there is no tool '%s'; did you mean '%s'?", rest, near);
	else
		error_print("there is no tool '%s'; 'sample' lists them", rest);
	return fail(sh, TAP_STATUS_USAGE);
}

static int execute_editor(struct shell *sh, struct run *r, void *data)
{
	const char *editor = getenv("VISUAL");

	(void)sh, (void)r;
	editor = editor && *editor ? editor : getenv("EDITOR");
	editor = editor && *editor ? editor : "vi";
	execlp("sh", "sh", "-c", "exec $0 \"$1\"", editor, (const char *)data, NULL);
	error_print("cannot run the editor '%s': %s", editor, strerror(errno));
	return TAP_STATUS_HOST;
}

/* NULL, with a message. */
static const char *edited(struct shell *sh, const char *path, const char *text)
{
	char *result;
	int status;

	if (!file_write(path, text, strlen(text))) {
		error_print("cannot write '%s': %s", path, strerror(errno));
		fail(sh, TAP_STATUS_HOST);
		return NULL;
	}
	line_echo(true);
	status = session_await(sh, execute_editor, (void *)path);
	line_echo(false);
	if (status) {
		error_print("the editor ended with status %d, so nothing is changed", status);
		fail(sh, TAP_STATUS_USAGE);
		return NULL;
	}
	result = file_read(sh->arena, path, NULL);
	if (result)
		return result;
	error_print("cannot read '%s': %s", path, strerror(errno));
	fail(sh, TAP_STATUS_HOST);
	return NULL;
}

/* The whole script is edited as one text: its parts get new numbers. */
static bool replace_all(struct shell *sh, const char *text)
{
	piece_list before = sh->pieces;

	sh->pieces = (piece_list){ 0 };
	if (take_text(sh, text, 0))
		return true;
	sh->pieces = before;
	return false;
}

/* A text with errors stays in its file. */
static bool edit(struct shell *sh, const char *rest)
{
	bool *wanted = *rest ? read_numbers(sh, rest) : NULL, done;
	unsigned number = (unsigned)strtoul(rest, NULL, 10);
	struct piece *p = wanted ? script_find(&sh->pieces, number) : NULL;
	const char *dir, *path, *text, *before;

	if (*rest && !p)
		return wanted ? usage(sh, "'edit' takes one number, or none for the whole script") : false;
	dir = safe_work_dir(sh->arena);
	if (!dir)
		return fail(sh, TAP_STATUS_HOST);
	path = arena_printf(sh->arena, "%s/script.stp", dir);
	before = p ? p->text : script_text(sh);
	text = edited(sh, path, before);
	done = text && (str_equal(text, before) || (p ? take_text(sh, text, number) : replace_all(sh, text)));
	if (done || !text)
		dir_remove(dir);
	else
		error_print("the edited text is in '%s'", path);
	return done;
}

/* ---- running ---- */

static int run_to_end(struct shell *sh, struct run *r, void *data)
{
	(void)data;
	child_take_pieces(r, &sh->pieces, false);
	return sh->execute(r);
}

/* A simulation, a guest and an earlier pass have no session that others could reach. */
static bool run(struct shell *sh, const char *rest)
{
	const struct options *o = &sh->run->options;

	(void)rest;
	if (sh->session.pid)
		session_stop(sh);
	if (o->simulate || o->vm || o->last_pass < 5)
		return fail(sh, session_await(sh, run_to_end, NULL));
	return session_start(sh);
}

static int run_in_guest(struct shell *sh, struct run *r, void *data)
{
	const char *kernel = data;

	child_take_pieces(r, &sh->pieces, false);
	r->options.vm = true;
	r->options.vm_kernel = *kernel ? kernel : r->options.vm_kernel;
	return target_host_find(&r->target, &r->options) ? sh->execute(r) : TAP_STATUS_USAGE;
}

static bool vm(struct shell *sh, const char *rest)
{
	return fail(sh, session_await(sh, run_in_guest, (void *)rest));
}

static bool stop(struct shell *sh, const char *rest)
{
	(void)rest;
	if (!sh->session.pid)
		return usage(sh, "no session is running");
	session_stop(sh);
	return true;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool await(struct shell *sh, const char *rest)
{
	double seconds = strtod(rest, NULL), end = now() + seconds;

	if (*rest && !(isdigit((unsigned char)*rest) && seconds < 1e6))
		return usage(sh, "'wait' takes a number of seconds, or none to wait for the end of the session");
	sh->is_interrupted = false;
	while (!sh->is_interrupted && (*rest ? now() < end : sh->session.pid > 0))
		session_wait(sh, *rest ? (int)((end - now()) * 1000) + 1 : -1, false);
	return true;
}

static int check_cost(struct shell *sh, struct run *r, void *data)
{
	(void)data;
	child_take_pieces(r, &sh->pieces, false);
	r->options.check = r->options.bound = true;
	r->options.last_pass = 3;
	return sh->execute(r);
}

static bool check(struct shell *sh, const char *rest)
{
	(void)rest;
	return fail(sh, session_await(sh, check_cost, NULL));
}

static int list_points(struct shell *sh, struct run *r, void *data)
{
	const char *text = arena_printf(r->arena, "probe %s {}", (const char *)data);

	*vec_add(r->arena, &r->more) = (struct run_text){ "probes", text };
	r->options.list = true;
	return sh->execute(r);
}

static bool probes(struct shell *sh, const char *rest)
{
	if (!*rest)
		return usage(sh, "'probes' takes a probe point, which may have wildcards");
	return fail(sh, session_await(sh, list_points, (void *)rest));
}

/* The expression is evaluated on its own: what else the session has been told to do, it does not do. */
static int evaluate(struct shell *sh, struct run *r, void *data)
{
	struct options *o = &r->options;
	bool is_global;
	const char *text = values_probe(sh, data, &is_global);

	if (!text)
		return TAP_STATUS_HOST;

	vec_each(p, &sh->pieces)
		if (!p->is_probe)
			*vec_add(r->arena, &r->more) = (struct run_text){ p->source, p->text };
	*vec_add(r->arena, &r->more) = (struct run_text){ "=", text };
	o->simulate = !sh->session.pid;
	o->values_of = sh->session.pid ? sh->session.module : NULL;
	o->hand_over = sh->session.pid;
	o->no_warnings = true;
	o->no_global_var_display = !is_global;
	o->warnings_are_errors = o->timing = false;
	o->command = o->output = NULL;
	return sh->execute(r);
}

static bool look(struct shell *sh, const char *rest)
{
	if (!*rest)
		return usage(sh, "'=' takes an expression, or the name of a global");
	return fail(sh, session_await(sh, evaluate, (void *)rest));
}

static int execute_command(struct shell *sh, struct run *r, void *data)
{
	(void)sh, (void)r;
	execl("/bin/sh", "sh", "-c", (const char *)data, NULL);
	error_print("cannot run the shell: %s", strerror(errno));
	return TAP_STATUS_HOST;
}

/* What a session watches, for instance. */
static bool shell_out(struct shell *sh, const char *rest)
{
	int status;

	if (!*rest)
		return usage(sh, "'!' takes a command of the shell");
	line_echo(true);
	status = session_await(sh, execute_command, (void *)rest);
	line_echo(false);
	return fail(sh, status);
}

/* ---- settings ---- */

static bool show(struct shell *sh, const char *rest)
{
	(void)rest;
	vec_each(word, &sh->settings)
		printf("%s%s", word == sh->settings.items ? "" : " ", *word);
	if (sh->settings.n)
		putchar('\n');
	return true;
}

/* "-G 'x=a b' -v" as the shell would split it; false: a quote is open. */
static bool split(struct shell *sh, const char *text, name_list *words)
{
	while (*(text += strspn(text, " \t"))) {
		struct text word;
		char quote = 0;

		text_init(&word, sh->arena);
		for (; *text && (quote || !strchr(" \t", *text)); text++) {
			if (*text == quote)
				quote = 0;
			else if (!quote && strchr("'\"", *text))
				quote = *text;
			else if (*text == '\\' && quote != '\'' && text[1])
				text_char(&word, *++text);
			else
				text_char(&word, *text);
		}
		if (quote)
			return false;
		*vec_add(sh->arena, words) = word.s;
	}
	return true;
}

static void look_at_nothing(void *data, struct options *o)
{
	(void)data;
	static const declared_options none = { 0 };

	o->declared = &none;
}

/* The options of the command line, and then WORDS. */
static int parse(struct shell *sh, const name_list *words, struct options *o)
{
	name_list all = { 0 };

	for (char **word = sh->argv; *word; word++)
		*vec_add(sh->arena, &all) = *word;
	vec_each(word, words)
		*vec_add(sh->arena, &all) = *word;
	*vec_add(sh->arena, &all) = NULL;
	return options_parse(o, sh->arena, (int)all.n - 1, (char **)all.items, look_at_nothing, NULL);
}

bool command_allows(const struct options *o)
{
	return !o->list && !o->list_variables && !o->dump && !o->tool && !o->format && !o->bound &&
	       !o->remotes.n && !o->language_server && !o->check_host && !o->prepare && !o->monitor && !o->help &&
	       !o->version && !o->list_tools && !o->detach && !o->tapset_c && !o->clean_cache;
}

struct setting {
	name_list words;
	struct options options;
};

/* Some options end the process when they are parsed. */
static int try_settings(struct shell *sh, struct run *r, void *data)
{
	const struct setting *s = data;
	struct options o;
	int status = parse(sh, &s->words, &o);

	(void)r;
	if (status >= 0)
		return status ? status : TAP_STATUS_USAGE;
	if (command_allows(&o) && str_same(o.script_file, r->options.script_file))
		return TAP_STATUS_OK;
	error_print("'set' takes options of a run, such as -v, -G NAME=VALUE or -T SECONDS");
	return TAP_STATUS_USAGE;
}

static bool set(struct shell *sh, const char *rest)
{
	struct setting s = { 0 };
	int status;

	if (!*rest)
		return show(sh, rest);
	vec_each(word, &sh->settings)
		*vec_add(sh->arena, &s.words) = *word;
	if (!split(sh, rest, &s.words))
		return usage(sh, "a quote has no end");
	status = session_await(sh, try_settings, &s);
	if (status)
		return fail(sh, status);
	sh->settings = s.words;
	parse(sh, &s.words, &sh->run->options);
	return true;
}

static bool unset(struct shell *sh, const char *rest)
{
	(void)rest;
	sh->settings = (name_list){ 0 };
	parse(sh, &sh->settings, &sh->run->options);
	return true;
}

/* ---- help ---- */

static void help_command(const struct command_row *c)
{
	printf("%s%s%s\n    %s\n", c->name, *c->argument ? " " : "", c->argument, c->help);
}

static void list_commands(void)
{
	puts("Script text (probe, global, function, @define) is translated at once and added; it goes on in further lines\n"
	     "until its braces and quotes are closed. An empty line ends a text that lacks them. Commands:\n");
	for (size_t i = 0; i < command_row_count; i++) {
		const struct command_row *c = &command_rows[i];
		char words[64];

		snprintf(words, sizeof(words), "%s %s", c->name, c->argument);
		printf("  %-22s %.*s\n", words, (int)strcspn(c->help, ".:;"), c->help);
	}
	puts("\nhelp WORD explains a command, a function or a probe point. Ctrl-C clears the line; on an empty one it ends the\n"
	     "session. Ctrl-D leaves.");
}

/* Quiet about what is not found, except in the last place to look. */
static int help_library(struct shell *sh, struct run *r, void *data)
{
	struct manual manual;
	struct text found;

	(void)sh;
	if (!run_open_library(r, &r->library) || !manual_open(&manual, r->arena, &r->library))
		return TAP_STATUS_HOST;
	text_init(&found, r->arena);
	if (manual_function_text(&manual, data, &found))
		return manual_help_function(&manual, data) ? TAP_STATUS_OK : TAP_STATUS_USAGE;
	return manual_help_probe(&manual, data) ? TAP_STATUS_OK : TAP_STATUS_USAGE;
}

static bool help(struct shell *sh, const char *rest)
{
	const char *after;
	const struct command_row *c = *rest ? command_find(rest, &after) : NULL;

	if (!*rest)
		list_commands();
	else if (c && !*after)
		help_command(c);
	else
		return fail(sh, session_await(sh, help_library, (void *)rest));
	return true;
}

static bool history(struct shell *sh, const char *rest)
{
	(void)rest;
	if (line_print_history())
		return true;
	error_print("this tapc was built without readline, so it keeps no history");
	return fail(sh, TAP_STATUS_USAGE);
}

static bool quit(struct shell *sh, const char *rest)
{
	(void)rest;
	sh->is_over = true;
	return true;
}

/* ---- the table ---- */

const struct command_row command_rows[] = {
	{ "help", "[WORD]", "lists the commands, or explains a command, a function or a probe point", ARGUMENT_WORD, help },
	{ "list", "[N...]", "shows the script with the numbers of its parts, or some of them", ARGUMENT_PIECE, list },
	{ "add", "TEXT", "adds TEXT to the script. The same as TEXT alone", ARGUMENT_TEXT, add },
	{ "change", "N TEXT", "replaces part N by TEXT", ARGUMENT_PIECE, change },
	{ "edit", "[N]", "opens part N, or the whole script, in $VISUAL or $EDITOR. A text with errors is kept in its file", ARGUMENT_PIECE, edit },
	{ "delete", "N...", "deletes parts: numbers, ranges such as 2-4, or '*' for all", ARGUMENT_PIECE, delete },
	{ "off", "N...", "switches probes off, also in the session that runs. 'save' writes them as comments", ARGUMENT_PIECE, off },
	{ "on", "N...", "switches probes on again", ARGUMENT_PIECE, on },
	{ "load", "FILE", "adds the declarations of FILE to the script", ARGUMENT_FILE, command_load },
	{ "save", "FILE", "writes the script to FILE", ARGUMENT_FILE, save },
	{ "sample", "[NAME]", "adds a tool of the gallery to the script, or lists the tools", ARGUMENT_OTHER, sample },
	{ "check", "", "reports what the script would probe, and at what cost. Runs nothing", ARGUMENT_NONE, check },
	{ "probes", "POINT", "lists the probe points that POINT matches, such as syscall.open*", ARGUMENT_WORD, probes },
	{ "run", "", "runs the script. What is changed from now on takes effect at once, and globals keep their values. A session that is running ends first", ARGUMENT_NONE, run },
	{ "stop", "", "ends the session: end probes run, and the module is unloaded", ARGUMENT_NONE, stop },
	{ "wait", "[SECONDS]", "waits for the end of the session, or for a time", ARGUMENT_OTHER, await },
	{ "=", "EXPRESSION", "prints the value of an expression, or a whole array, with a copy of the session's globals", ARGUMENT_EXPRESSION, look },
	{ "!", "COMMAND", "runs a command of the shell, such as one that the session watches", ARGUMENT_OTHER, shell_out },
	{ ":vm", "[RELEASE]", "runs the script in a temporary virtual machine, as --vm does. Ctrl-C ends it", ARGUMENT_OTHER, vm },
	{ "set", "[OPTION...]", "adds options of tapc for what follows, such as -T 5; shows them", ARGUMENT_OPTION, set },
	{ "show", "", "shows the options of 'set'", ARGUMENT_NONE, show },
	{ "unset", "", "forgets the options of 'set'", ARGUMENT_NONE, unset },
	{ "history", "", "shows the lines that were typed", ARGUMENT_NONE, history },
	{ "quit", "", "ends the session and leaves", ARGUMENT_NONE, quit },
};
const size_t command_row_count = ARRAY_SIZE(command_rows);

const struct command_row *command_find(const char *line, const char **rest)
{
	size_t n;

	line += strspn(line, " \t");
	n = *line == '=' || *line == '!' ? 1 : strcspn(line, " \t");
	*rest = line + n + strspn(line + n, " \t");
	for (size_t i = 0; i < command_row_count; i++)
		if (strlen(command_rows[i].name) == n && memcmp(command_rows[i].name, line, n) == 0)
			return &command_rows[i];
	return NULL;
}

/* ---- lines ---- */

static const char *nearest_command(const char *word)
{
	const char *names[ARRAY_SIZE(command_rows)];

	for (size_t i = 0; i < command_row_count; i++)
		names[i] = command_rows[i].name;
	return nearest_name(word, names, command_row_count);
}

static void unknown(struct shell *sh, const char *line)
{
	const char *word = arena_strndup(sh->arena, line, strcspn(line, " \t")), *near = nearest_command(word);

	if (near)
		error_print("there is no command '%s'; did you mean '%s'?", word, near);
	else
		error_print("there is no command '%s'; script text begins with probe, global, function or @define", word);
	fail(sh, TAP_STATUS_USAGE);
}

/* A line of a text that is not whole yet; an empty one ends it. */
static void go_on(struct shell *sh, const char *line)
{
	bool is_last = !line[strspn(line, " \t")];
	struct cut c;

	text_add(&sh->open, line);
	text_char(&sh->open, '\n');
	cut_text(&c, sh->arena, sh->open.s, sh->open.n);
	if (c.is_open && !is_last)
		return;
	take_text(sh, arena_strndup(sh->arena, sh->open.s, sh->open.n), sh->changing);
	sh->open.n = 0;
	sh->changing = 0;
}

void command_execute(struct shell *sh, const char *line)
{
	const char *text = line + strspn(line, " \t"), *rest;
	const struct command_row *c;
	struct cut cut;
	size_t n;

	if (sh->open.n) {
		go_on(sh, line);
		return;
	}
	n = strlen(text);
	while (n && strchr(" \t\r", text[n - 1]))
		n--;
	text = arena_strndup(sh->arena, text, n);
	c = command_find(text, &rest);
	cut_text(&cut, sh->arena, text, n);
	if (c)
		c->execute(sh, rest);
	else if (cut.is_script || cut.is_open)
		add(sh, text);
	else if (*text && *text != '#' && !str_starts(text, "//"))
		unknown(sh, text);
}
