/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tapc-dtrace: from a .d file with markers of a program to the header with their macros (-h), and to the object with
 * their semaphores (-G). The options are those of the dtrace programs of SystemTap and Solaris as build systems use
 * them. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/util.h"
#include "output.h"
#include "provider.h"
#include "source/diag.h"
#include "source/options.h"

enum { OPTION_HELP = 256, OPTION_TYPES, OPTION_PARSER, OPTION_VERSION };

struct run {
	struct arena *arena;
	struct options shown;		/* of the messages */
	struct diag diag;
	const char *input, *output;
	bool header, object, preprocess, keep, verbose;
	name_list defines;		/* -I, -D and -U, for the compiler */
	name_list temporary;
};

static const char usage[] =
	"usage: tapc-dtrace -h|-G [OPTION...] -s FILE.d [OBJECT...]\n"
	"\n"
	"  -h            write a header with a macro for each probe of FILE.d\n"
	"  -G            compile the object with their semaphores\n"
	"  -s FILE.d     the probes\n"
	"  -o FILE       the output; default: FILE.h or FILE.o in this directory\n"
	"  -C            run the C preprocessor on FILE.d first\n"
	"  -I DIR, -D NAME[=VALUE], -U NAME\n"
	"                for the compiler and the preprocessor\n"
	"  -k            keep temporary files and print their names\n"
	"  -v            print the commands that are run\n"
	"  --version, --help\n"
	"\n"
	"CC and CFLAGS in the environment are the compiler (default: cc) and its options. OBJECTs, --types, --no-pyparsing,\n"
	"-32 and -64 are accepted for build systems and have no effect. Manual: tapc-dtrace(1)\n";

static _Noreturn void refuse(const char *why)
{
	error_print("%s; try --help", why);
	exit(EXIT_FAILURE);
}

/* ---- options ---- */

static void take_option(struct run *r, int option)
{
	switch (option) {
	case 'h': r->header = true; break;
	case 'G': r->object = true; break;
	case 'C': r->preprocess = true; break;
	case 'k': r->keep = true; break;
	case 'v': r->verbose = true; break;
	case 's': r->input = optarg; break;
	case 'o': r->output = optarg; break;
	case 'I': case 'D': case 'U':
		*vec_add(r->arena, &r->defines) = arena_printf(r->arena, "-%c%s", option, optarg);
		break;
	case '3': case '2': case '6': case '4': case OPTION_TYPES: case OPTION_PARSER: break;
	case OPTION_HELP:
		fputs(usage, stdout);
		exit(EXIT_SUCCESS);
	case OPTION_VERSION:
		puts("tapc-dtrace " PACKAGE_VERSION);
		exit(EXIT_SUCCESS);
	default: exit(EXIT_FAILURE);	/* getopt has printed why */
	}
}

static void read_options(struct run *r, int argc, char **argv)
{
	static const struct option longer[] = {
		{ "help", no_argument, NULL, OPTION_HELP },
		{ "types", no_argument, NULL, OPTION_TYPES },
		{ "no-pyparsing", no_argument, NULL, OPTION_PARSER },
		{ "version", no_argument, NULL, OPTION_VERSION },
		{ 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "hGCkvs:o:I:D:U:3264", longer, NULL)) != -1)
		take_option(r, option);
	if (!r->input)
		refuse("no file with probes: expected -s FILE.d");
	if (r->header == r->object)
		refuse(r->header ? "-h and -G exclude each other" : "expected -h for a header or -G for an object");
}

/* "dir/probes.d": "probes.h" */
static const char *default_output(const struct run *r)
{
	const char *base = path_base(r->input), *dot = strrchr(base, '.');
	size_t n = dot && dot > base ? (size_t)(dot - base) : strlen(base);

	return arena_printf(r->arena, "%.*s.%c", (int)n, base, r->header ? 'h' : 'o');
}

/* ---- the compiler ---- */

/* A new file next to the output, whose name ends in SUFFIX. */
static const char *temporary_file(struct run *r, const char *suffix)
{
	char *path = arena_printf(r->arena, "%s.XXXXXX%s",
				  str_equal(r->output, "-") ? "tapc-dtrace" : r->output, suffix);
	_cleanup_close_ int fd = mkstemps(path, (int)strlen(suffix));

	if (fd < 0)
		fatal("cannot create a temporary file '%s': %s", path, strerror(errno));
	*vec_add(r->arena, &r->temporary) = path;
	return path;
}

static void remove_temporary(const struct run *r)
{
	vec_each(path, &r->temporary)
		if (r->keep)
			fprintf(stderr, "tapc-dtrace: kept: %s\n", *path);
		else
			unlink(*path);
}

/* Runs the compiler with FLAGS, words for the shell, on FROM. It has printed its own messages. */
static bool compile(struct run *r, const char *flags, const char *from, const char *to)
{
	/* -f: an option like -DX=* is no pattern for files */
	const char *script = arena_printf(r->arena, "set -f%s; exec ${CC:-cc} %s \"$@\"", r->verbose ? "x" : "", flags);
	struct command c = { 0 };
	name_list words = { 0 };
	int status;

	*vec_add(r->arena, &words) = "sh";
	*vec_add(r->arena, &words) = "-c";
	*vec_add(r->arena, &words) = script;
	*vec_add(r->arena, &words) = "sh";
	vec_each(define, &r->defines)
		*vec_add(r->arena, &words) = *define;
	*vec_add(r->arena, &words) = "-x";
	*vec_add(r->arena, &words) = "c";
	*vec_add(r->arena, &words) = from;
	*vec_add(r->arena, &words) = "-o";
	*vec_add(r->arena, &words) = to;
	*vec_add(r->arena, &words) = NULL;
	c.argv = words.items;
	status = command_run(r->arena, &c);
	if (status)
		error_print("the compiler failed (exit status %d): '%s'; CC and CFLAGS select another one and its options",
			    status, getenv("CC") && *getenv("CC") ? getenv("CC") : "cc");
	return !status;
}

/* ---- files ---- */

static const char *read_input(struct run *r, size_t *size)
{
	const char *from = r->input;
	char *text;

	if (r->preprocess) {
		if (!file_exists(from))
			fatal("cannot read '%s': %s", from, strerror(ENOENT));
		from = temporary_file(r, ".i");
		if (!compile(r, "-E", r->input, from))
			return NULL;
	}
	text = file_read(r->arena, from, size);
	if (!text)
		error_print("cannot read '%s': %s", from, strerror(errno));
	return text;
}

/* Regular files are replaced at once, so that an interrupted build leaves none that is incomplete. */
static bool write_output(const struct run *r, const char *path, const struct text *t)
{
	struct stat s;
	bool good;

	if (str_equal(path, "-")) {
		good = fd_write(STDOUT_FILENO, t->s, t->n);
	} else if (stat(path, &s) == 0 && !S_ISREG(s.st_mode)) {
		_cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC);

		good = fd >= 0 && fd_write(fd, t->s, t->n);
	} else {
		good = file_write(path, t->s, t->n);
	}
	if (!good)
		error_print("cannot write '%s': %s", path, strerror(errno));
	if (good && r->verbose)
		fprintf(stderr, "tapc-dtrace: wrote %s\n", path);
	return good;
}

/* Position-independent, as it may be for a library; not for LTO, which does not see that notes refer to it. */
static bool write_object(struct run *r, const struct text *t)
{
	const char *source = temporary_file(r, ".c");

	return write_output(r, source, t) &&
	       compile(r, "$CFLAGS -fPIC -fno-lto -c", source, r->output);
}

static bool convert(struct run *r)
{
	struct markers markers = { 0 };
	struct text out;
	size_t size;
	const char *text = read_input(r, &size);

	if (!text)
		return false;
	provider_parse(&r->diag, r->input, text, size, &markers);
	if (r->diag.errors)
		return false;
	if (r->verbose)
		fprintf(stderr, "tapc-dtrace: %s has %zu probes\n", r->input, markers.list.n);
	text_init(&out, r->arena);
	if (r->header) {
		output_header(&out, r->input, &markers);
		return write_output(r, r->output, &out);
	}
	output_semaphores(&out, r->input, &markers);
	return write_object(r, &out);
}

int main(int argc, char **argv)
{
	struct run r = { .arena = arena_open() };
	bool good;

	error_program = "tapc-dtrace";
	read_options(&r, argc, argv);
	r.output = r.output ? r.output : default_output(&r);
	diag_open(&r.diag, r.arena, &r.shown);
	good = convert(&r);
	remove_temporary(&r);
	arena_close(r.arena);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
