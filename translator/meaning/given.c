/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values given to a script on the command line: -G NAME=VALUE, its own options (@option), and arguments. */
#include "given.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "syntax/ast.h"
#include "source/diag.h"
#include "source/options.h"
#include "base/util.h"

/* -G NAME=VALUE and --NAME=VALUE: sets the initial value of a global. */
static bool set_initial(struct diag *d, struct variable *v, const char *value)
{
	struct expr *e = expr_make(d->arena, EXPR_STRING, v->span);
	char *end;
	long long n;

	errno = 0;
	n = strtoll(value, &end, 0);
	if (*value && !*end && !errno && !(v->initial && v->initial->kind == EXPR_STRING)) {
		e->kind = EXPR_NUMBER;
		e->number.value = n;
	} else if (v->initial && v->initial->kind == EXPR_NUMBER) {
		error_print("expected a number for '%s', found '%s'", v->name, value);
		d->errors++;
		return false;
	} else {
		e->string.text = value;
		e->string.size = strlen(value);
	}
	v->initial = e;
	return true;
}

static struct variable *find_global(const struct script *script, const char *name)
{
	vec_each(v, &script->globals)
		if (str_equal((*v)->name, name))
			return *v;
	return NULL;
}

static bool set_globals(const struct options *o, struct diag *d, const struct script *script)
{
	bool ok = true;

	vec_each(g, &o->globals) {
		struct variable *v = find_global(script, g->name);

		if (!v) {
			error_print("-G %s: the script has no such global", g->name);
			d->errors++;
			ok = false;
			continue;
		}
		ok = set_initial(d, v, g->value) && ok;
	}
	return ok;
}

static const struct script_option *find_option(const struct script *script, const char *variable)
{
	vec_each(option, &script->options)
		if (str_equal(option->declared.variable, variable))
			return option;
	return NULL;
}

/* The command line was read by what the script's text declares (script_head.h). */
static bool set_script_options(const struct options *o, struct diag *d, const struct script *script)
{
	bool ok = true;

	vec_each(option, &script->options)
		if (!declared_find(o->declared, option->declared.name)) {
			diag_error(option->span, "an option is declared in the script itself by literals, "
						 "not by a macro");
			ok = false;
		}
	vec_each(given, &o->script_options) {
		const struct script_option *option = find_option(script, given->name);

		if (!option) {
			error_print("the option for '%s' is not available: a condition leaves out its declaration",
				    given->name);
			d->errors++;
			ok = false;
		} else if (!options_set_at_start(o)) {
			ok = set_initial(d, option->variable, given->value) && ok;
		}
	}
	return ok;
}

bool given_set(const struct options *o, struct diag *d, struct script *script)
{
	bool ok = set_globals(o, d, script);

	return set_script_options(o, d, script) && ok;
}

/* The use of a global determines whether it is a single value. Aggregates are reported by infer. */
bool given_is_single(const struct options *o, struct diag *d, const struct script *script)
{
	vec_each(g, &o->globals) {
		const struct variable *v = find_global(script, g->name);

		if (v->key_count <= 0)
			continue;
		error_print("-G sets numbers and strings, but '%s' is an array", g->name);
		d->errors++;
	}
	return !d->errors;
}

/* Reports words after the script's name that the script does not use; those that begin with "--" were probably meant
 * as options of tapc. */
void given_warn_unused(const struct options *o, struct diag *d, const bool *used)
{
	for (size_t i = 0; i < o->args.n; i++) {
		if (used[i])
			continue;
		if (i + o->plain_args < o->args.n && str_starts(o->args.items[i], "--")) {
			error_print("unknown option '%s', which the script does not use as its argument "
				    "%zu either; tapc -h lists the options", o->args.items[i], i + 1);
			d->errors++;
			continue;
		}
		if (o->no_warnings)
			continue;
		fprintf(stderr, "tapc: %s: the script does not use its argument %zu, '%s'\n",
			o->warnings_are_errors ? "error" : "warning", i + 1, o->args.items[i]);
		d->warnings++;
		d->errors += o->warnings_are_errors;
	}
}
