/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The flow of a simulated session: begin probes; tests, each once; timers, until exit() or the end of virtual time
 * (-T, 10 seconds); end probes, or error probes after too many errors.
 *
 * A test passes if it causes no soft error. Tests run regardless of what begin probes did, even after exit(); each
 * prints "ok NAME" or "not ok NAME: why". A test's error only counts as a failed test. */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "simulate.h"
#include "core/host.h"
#include "core/map.h"
#include "staging/common/status.h"

const struct tap_probe_ops tap_begin = { "begin" }, tap_test = { "test" };

enum { SECOND = 1000000000, DEFAULT_SECONDS = 10 };

struct session session = { .end = (u64)DEFAULT_SECONDS * SECOND };

void broken(const char *format, ...)
{
	va_list args;

	fflush(NULL);
	fprintf(stderr, "tapc: internal error in a simulated script: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	abort();
}

/* ---- options: those of taprun that make sense here ---- */

static bool read_number(const char *text, s64 *n)
{
	char *end;

	errno = 0;
	*n = strtoll(text, &end, 0);
	return *text && !*end && !errno;
}

static int usage_error(const char *what, const char *word)
{
	fprintf(stderr, "ERROR: %s '%s'\n", what, word);
	return TAP_STATUS_USAGE;
}

static int set_parameter(const char *word)
{
	const char *value = strchr(word, '=');
	s64 n;

	for (u32 i = 0; value && i < tap_script.parameter_count; i++) {
		const struct tap_parameter *p = &tap_script.parameters[i];

		if (strlen(p->name) != (size_t)(value - word) || memcmp(p->name, word, (size_t)(value - word)))
			continue;
		if (p->type == TAP_STRING_TYPE)
			tap_cell_set(p->value, (struct tap_string){ value + 1, (u32)strlen(value + 1) });
		else if (read_number(value + 1, &n))
			*(s64 *)p->value = n;
		else
			return usage_error("expected a number:", word);
		return 0;
	}
	return usage_error("the script has no such global:", word);
}

static int read_options(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "pretty", no_argument, NULL, 'p' }, { "pass", no_argument, NULL, 'P' },
		{ "output", required_argument, NULL, 'O' }, { 0 }
	};
	int option, status = 0;
	const char *format = NULL, *path = NULL;
	s64 seconds;

	while ((option = getopt_long(argc, argv, "o:T:x:wv", longs, NULL)) != -1)
		switch (option) {
		case 'o':
			path = optarg;
			break;
		case 'T':
			if (!read_number(optarg, &seconds) || seconds < 1 || seconds > 1000000000)
				return usage_error("-T takes a number of seconds, not", optarg);
			session.end = (u64)seconds * SECOND;
			break;
		case 'x':
			if (!read_number(optarg, &session.target))
				return usage_error("-x takes the number of a process, not", optarg);
			break;
		case 'w':
			session.no_warnings = true;
			break;
		case 'v':
			session.verbose = true;
			break;
		case 'p':
			session.pretty = true;
			break;
		case 'P':
			session.names_pass = true;
			break;
		case 'O':
			format = strcmp(optarg, "text") == 0 ? NULL : optarg;
			break;
		default:
			return TAP_STATUS_USAGE;
		}
	for (int i = optind; i < argc && !status; i++)
		status = set_parameter(argv[i]);
	if (status || format)
		return status ? status : output_open_timeline(format, path);
	if (path && !(session.out = fopen(path, "w"))) {
		session.out = stdout;
		return usage_error("cannot write to", path);
	}
	return 0;
}

/* ---- the flow ---- */

static int maps_open(void)
{
	for (u32 i = 0; i < tap_script.map_count; i++) {
		const struct tap_map_row *m = &tap_script.maps[i];

		*m->map = tap_map_open(m->shape, &tap_script.limits, 0x9e3779b97f4a7c15ull * (i + 1));
	}
	return 0;
}

static void maps_close(void)
{
	for (u32 i = 0; i < tap_script.map_count; i++)
		tap_map_close(*tap_script.maps[i].map);
}

const struct tap_maps_ops tap_maps = { .start = maps_open, .stop = maps_close };

static const struct tap_begin *begin_of(const struct row *row)
{
	return row->probe->where;
}

/* The row of KIND that follows PREVIOUS in order of priority, or NULL. */
static struct row *next_of(int kind, const struct row *previous)
{
	struct row *best = NULL;

	for_each_row(row, tap_begin) {
		s64 priority = begin_of(row)->priority;

		if ((int)begin_of(row)->kind != kind)
			continue;
		if (previous && (priority < begin_of(previous)->priority ||
				 (priority == begin_of(previous)->priority && row <= previous)))
			continue;
		if (!best || priority < begin_of(best)->priority)
			best = row;
	}
	return best;
}

static void run_in_order(int kind)
{
	struct row *row = NULL;

	while ((row = next_of(kind, row)) && !(kind == TAP_BEGIN && session.exiting))
		frame_hit(row, true);
}

/* Returns the number of failed tests. */
static u32 run_tests(void)
{
	u32 failed = 0;

	for_each_row(row, tap_test) {
		const char *name = ((const struct tap_test *)row->probe->where)->name;

		if (frame_run(row, true)) {
			fprintf(session.out, "ok %s\n", name);
		} else {
			fprintf(session.out, "not ok %s: %s\n", name, frame_error_text());
			failed++;
		}
	}
	return failed;
}

static void report(void)
{
	char text[128];

	if (session.errors) {
		snprintf(text, sizeof(text), "Number of errors: %llu, skipped probes: 0", session.errors);
		if (!session.no_warnings)
			output_message("WARNING: ", text, strlen(text));
	}
	if (session.lost) {
		snprintf(text, sizeof(text), "Lost records: %llu, for they were too large", session.lost);
		if (!session.no_warnings)
			output_message("WARNING: ", text, strlen(text));
	}
}

static enum tap_status run(void)
{
	u32 failed_tests = 0;

	run_in_order(TAP_BEGIN);
	if (!session.failed)
		failed_tests = run_tests();
	rows_update();
	timers_run();
	run_in_order(session.failed ? TAP_ERROR_PROBE : TAP_END);
	report();
	return session.failed || failed_tests ? TAP_STATUS_RUNTIME : TAP_STATUS_OK;
}

int main(int argc, char **argv)
{
	int status;

	if (tap_script.abi_version != TAP_ABI_VERSION)
		broken("it is of version %u, not %u", tap_script.abi_version, TAP_ABI_VERSION);
	session.out = stdout;
	rows_open();
	frame_open();
	maps_open();
	if (tap_script.init)
		tap_script.init();
	status = read_options(argc, argv);
	if (!status)
		status = run();
	output_close_timeline();
	maps_close();
	frame_close();
	rows_close();
	if (fflush(session.out) || ferror(session.out)) {
		fprintf(stderr, "ERROR: cannot write: %s\n", strerror(errno));
		status = TAP_STATUS_HOST;
	}
	if (status && session.names_pass)
		fputs("Pass 5: run failed.  [man error::pass5]\n", stderr);
	return status;
}
