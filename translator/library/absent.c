/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes of methods of Java and functions of Python need a helper inside the other program, which loads it: an agent,
 * or a module that is imported first. */
#include "absent.h"

#include "base/util.h"

struct absent {
	const char *name, *advice;
};

static const char java[] = "methods of Java cannot be probed, because that needs an agent in the virtual machine: its own "
	"markers can, see -L 'process(\"/path/libjvm.so\").mark(\"*\")'";
static const char java_stack[] = "stacks of Java need an agent in the virtual machine: ubacktrace() and print_ubacktrace() "
	"show its native functions";
static const char python[] = "functions of Python cannot be probed, because that needs a helper module in the program: "
	"interpreters that are built with markers have them, see -L 'process(\"python3\").mark(\"*\")'";

static const struct absent functions[] = {
	{ "print_java_backtrace", java_stack },
	{ "sprint_java_backtrace", java_stack },
};

static const struct absent families[] = {
	{ "java", java },
	{ "python2", python },
	{ "python3", python },
};

static const char *advice(const struct absent *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (str_equal(list[i].name, name))
			return list[i].advice;
	return NULL;
}

const char *absent_function(const char *name)
{
	return advice(functions, ARRAY_SIZE(functions), name);
}

const char *absent_family(const char *word)
{
	return advice(families, ARRAY_SIZE(families), word);
}
