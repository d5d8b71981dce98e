/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SystemTap's options that shell scripts and wrappers use. Options without effect here are accepted, with
 * SystemTap's values; options that cannot have the same meaning are refused, with an alternative. The manual's table
 * of them is in doc/tapc.1.in, and tests/options/peer-options has a line for each option of stap and staprun. */
#include "options_peer.h"

#include <getopt.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"

#define BY_SERVER "tapc builds on this machine, or where you run it: build with -p4 -m NAME, copy NAME.ko and run it " \
		  "with taprun, or use --remote"

const struct peer_option peer_options[] = {
	/* the calling convention gives the location of parameters at a function's entry, not the prologue */
	{ "P", no_argument, NULL, NULL },
	{ "prologue-searching", optional_argument, " never auto always ", NULL },
	{ "q", no_argument, NULL, NULL },		/* no statistics on the use of tapsets are kept */
	{ "check-version", no_argument, NULL, NULL },	/* nothing in the language depends on --compatible */
	{ "semantic-keep-going", no_argument, NULL, NULL },	/* all errors are always reported */
	{ "save-uprobes", no_argument, NULL, NULL },	/* the kernel has uprobes */
	{ "remote-prefix", no_argument, NULL, NULL },	/* each line is always prefixed with its host */
	{ "download-debuginfo", optional_argument, NULL, NULL },	/* DEBUGINFOD_URLS decides */
	{ "use-server-on-error", optional_argument, " no n ", BY_SERVER },
	{ "use-server", optional_argument, NULL, BY_SERVER },
	{ "list-servers", optional_argument, NULL, BY_SERVER },
	{ "trust-servers", optional_argument, NULL, BY_SERVER },
	{ "runtime", required_argument, " kernel ", "a script runs in a kernel module, or with --simulate in a process" },
	{ "bpf", no_argument, NULL, "a script runs in a kernel module, or with --simulate in a process" },
	{ "dyninst", no_argument, NULL, "programs are probed by the kernel; -c and -x name them" },
	{ "privilege", required_argument, " stapdev ",
	  "what users may run is decided where they run it: see tapd(8), which they need no option for" },
	{ "unprivileged", no_argument, NULL,
	  "what users may run is decided where they run it: see tapd(8), which they need no option for" },
	{ "target-namespaces", required_argument, NULL,
	  "ns_pid() gives the numbers of the process's own namespace: compare these" },
	{ "target-namespace", required_argument, NULL,
	  "ns_pid() gives the numbers of the process's own namespace: compare these" },
	{ "build-as", required_argument, NULL, "run 'tapc -p4 -m NAME' as that user, and taprun NAME.ko as root" },
	{ "example", no_argument, NULL, "tapc NAME runs an installed script, and --tools lists them; for another one, give its path" },
	{ NULL, 0, NULL, NULL },
};

static bool is_among(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = words; n && (at = strstr(at, word)); at += n)
		if (at[-1] == ' ' && at[n] == ' ')
			return true;
	return false;
}

/* A module is always built as the user who runs tapc. */
static bool is_self(const char *user)
{
	const struct passwd *entry = getpwuid(geteuid());

	return entry && str_equal(entry->pw_name, user);
}

bool peer_option_take(const struct peer_option *o, const char *value)
{
	const char *dashes = o->name[1] ? "--" : "-";

	if (value ? o->values && is_among(o->values, value) : !o->refusal)
		return true;
	if ((!o->values && !o->refusal) || (str_equal(o->name, "build-as") && is_self(value)))
		return true;
	if (!o->refusal)
		error_print("%s%s takes one of%.*s, not '%s'", dashes, o->name,
			    (int)strlen(o->values) - 1, o->values, value);
	else
		error_print("tapc has no %s%s%s%s: %s", dashes, o->name, value ? "=" : "",
			    value ? value : "", o->refusal);
	return false;
}

const struct peer_option *peer_option_letter(int letter)
{
	for (const struct peer_option *o = peer_options; o->name; o++)
		if (o->name[0] == letter && !o->name[1])
			return o;
	return NULL;
}
