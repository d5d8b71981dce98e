/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options in the first lines of a script: the kernel passes everything after the interpreter on the
 * #! line as one word, and a script knows which limits it needs. */
#include "script_line.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "plan/limits.h"
#include "base/util.h"

static const char blanks[] = " \t";

/* Is WORD the text after the interpreter in the first line of FILE? */
static bool is_of_first_line(const char *file, const char *word)
{
	_cleanup_close_ int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t size;
	char line[512], *rest;

	size = fd < 0 ? 0 : read(fd, line, sizeof(line) - 1);
	line[size > 0 ? size : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (!str_starts(line, "#!"))
		return false;
	rest = line + 2 + strspn(line + 2, blanks);
	rest += strcspn(rest, blanks);
	rest += strspn(rest, blanks);
	for (size_t n = strlen(rest); n && strchr(blanks, rest[n - 1]);)
		rest[--n] = '\0';
	return str_equal(rest, word);
}

void script_line_split(struct arena *a, int *argc, char ***argv)
{
	char **old = *argv, **all, *rest, *words;
	int n = 0;

	if (*argc < 3 || old[1][0] != '-' || !strpbrk(old[1], blanks) || !is_of_first_line(old[2], old[1]))
		return;
	words = arena_strdup(a, old[1]);
	all = arena_array(a, char *, (size_t)*argc + strlen(words) + 1);
	all[n++] = old[0];
	for (char *word = strtok_r(words, blanks, &rest); word; word = strtok_r(NULL, blanks, &rest))
		all[n++] = word;
	for (int i = 2; i < *argc; i++)
		all[n++] = old[i];
	all[n] = NULL;
	*argc = n;
	*argv = all;
}

static void take_limit(struct arena *a, const char *text, struct options *o)
{
	char *name = arena_strdup(a, text), *equals = strchr(name, '=');

	if (!equals)
		return;
	*equals = '\0';
	if (plan_limit_is_known(name) && !options_defines(o, name))
		*vec_add(a, &o->defines) = (struct name_value){ name, equals + 1 };
}

static void take_limits(struct arena *a, char *line, struct options *o)
{
	char *rest;

	for (char *word = strtok_r(line, blanks, &rest); word; word = strtok_r(NULL, blanks, &rest)) {
		if (!str_starts(word, "-D"))
			continue;
		word = word[2] ? word + 2 : strtok_r(NULL, blanks, &rest);
		if (word)
			take_limit(a, word, o);
	}
}

void script_line_limits(struct arena *a, const char *text, struct options *o)
{
	static const char mark[] = "# tapc:";

	for (; *text == '#'; text += *text == '\n') {
		size_t n = strcspn(text, "\n");

		if (str_starts(text, mark))
			take_limits(a, arena_strndup(a, text + strlen(mark), n - strlen(mark)), o);
		text += n;
	}
}
