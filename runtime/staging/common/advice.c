// SPDX-License-Identifier: GPL-2.0-or-later
/* Turns a kind of advice into a command of this machine's distribution. ID and ID_LIKE in /etc/os-release, see
 * os-release(5), name the distribution: derived ones use the package manager of the one that they are like. */
#include "advice.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

struct advice_row {
	const char *words, *debian, *ubuntu, *fedora, *suse, *arch, *any;
};

#define ADVICE(name, ...) [ADVICE_##name] = { __VA_ARGS__ },
static const struct advice_row rows[] = {
#include "advice.def"
};
#undef ADVICE

/* ---- the distribution ---- */

/* The value of KEY in os-release, without its quotes; "" if it has none. */
static char *value_of(const char *text, const char *key)
{
	size_t n = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, n) != 0 || line[n] != '=')
			continue;
		line += n + 1;
		line += *line == '"' || *line == '\'';
		return host_printf("%.*s", (int)strcspn(line, "\"'\n"), line);
	}
	return host_printf("%s", "");
}

/* Is NAME one of the WORDS? */
static bool is_among(const char *words, const char *name)
{
	size_t n = strlen(name);

	for (const char *w = words; (w = strstr(w, name)); w += n)
		if ((w == words || w[-1] == ' ') && (!w[n] || w[n] == ' ' || w[n] == '-'))
			return true;
	return false;
}

static const char *command_for(const struct advice_row *row, const char *ids)
{
	if (is_among(ids, "ubuntu"))
		return row->ubuntu ? row->ubuntu : row->debian;
	if (is_among(ids, "debian"))
		return row->debian;
	if (is_among(ids, "fedora") || is_among(ids, "rhel") || is_among(ids, "centos"))
		return row->fedora;
	if (is_among(ids, "suse") || is_among(ids, "opensuse") || is_among(ids, "sles"))
		return row->suse;
	return is_among(ids, "arch") ? row->arch : NULL;
}

static char *read_os_release(const char *root)
{
	static const char *const places[] = { "etc/os-release", "usr/lib/os-release" };
	char *text = NULL;
	size_t size;

	for (size_t i = 0; !text && i < ARRAY_SIZE(places); i++) {
		_cleanup_free_ char *path = host_printf("%s/%s", root, places[i]);
		_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

		text = fd < 0 ? NULL : host_read_file(fd, 1 << 16, &size);
	}
	return text;
}

static const char *command_of(const struct advice_row *row, const char *root)
{
	_cleanup_free_ char *text = row->any ? NULL : read_os_release(root);
	_cleanup_free_ char *id = text ? value_of(text, "ID") : NULL, *like = text ? value_of(text, "ID_LIKE") : NULL;
	_cleanup_free_ char *ids = text ? host_printf("%s %s", id, like) : NULL;

	return row->any ? row->any : ids ? command_for(row, ids) : NULL;
}

/* ---- text ---- */

static char *insert(const char *text, const char *subject)
{
	char *out = host_printf("%s", "");

	for (const char *at; (at = strchr(text, '@')); text = at + 1) {
		_cleanup_free_ char *before = out;

		out = host_printf("%s%.*s%s", before, (int)(at - text), text, subject ? subject : "");
	}
	_cleanup_free_ char *before = out;

	return host_printf("%s%s", before, text);
}

char *advice_command(enum advice advice, const char *subject, const char *root)
{
	const char *command = command_of(&rows[advice], root);
	_cleanup_free_ char *whole = command ? insert(command, subject) : NULL;

	if (!whole)
		return NULL;
	if (strncmp(whole, "# ", 2) != 0)
		return host_printf("%s", whole);
	return host_printf("%s%s", geteuid() == 0 ? "" : "sudo ", whole + 2);
}

char *advice_clause(enum advice advice, const char *subject, const char *root)
{
	_cleanup_free_ char *command = rows[advice].any ? NULL : advice_command(advice, subject, root);

	return command ? host_printf("run '%s'", command) : insert(rows[advice].words, subject);
}

/* ---- gaps ---- */

bool gap_found(struct gap *g, enum advice advice, const char *subject, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (vasprintf(&g->what, format, args) < 0)
		g->what = host_printf("%s", format);
	va_end(args);
	g->advice = advice;
	g->subject = subject ? host_printf("%s", subject) : NULL;
	return false;
}

void gap_close(struct gap *g)
{
	free(g->what);
	free(g->subject);
	*g = (struct gap){ 0 };
}

char *gap_text(const struct gap *g)
{
	_cleanup_free_ char *clause = advice_clause(g->advice, g->subject, g->root ? g->root : "");

	return host_printf("%s%s%s%s%s", g->what, *clause ? "; " : "", clause, g->otherwise ? ", or " : "",
			   g->otherwise ? g->otherwise : "");
}
