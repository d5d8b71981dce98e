/* SPDX-License-Identifier: GPL-2.0-or-later */
/* taprun's command line: staprun's letters with staprun's meaning. */
#ifndef STAGING_OPTIONS_H
#define STAGING_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/message.h"
#include "common/option_table.h"
#include "common/output.h"
#include "timeline/timeline.h"

/* The members that hold the value of one option are declared by the table: FLAG(bulk) is `bool bulk`. */
#define FLAG(member) bool member;
#define COUNT(member) int member;
#define TEXT(member) const char *member;
#define CALL(function)
#define OPTION(group, letter, name, argument, kind, set, help) set
#define SHARED(group, letter, name, argument, kind, loader, translator, module, passed, help) loader

struct options {
#include "common/options.def"
#include "session/options.def"
	const char *module;		/* a file, or a name with -A */
	char **words;			/* NAME=VALUE; with -d the modules, with --merge the files */
	int word_count;
	enum message_colour colour;
	struct output_names names;	/* -o, -S; format NULL: stdout */
	bool json;
	const struct timeline_format *timeline;	/* --output=perfetto and so on; NULL: lines */
	pid_t target;
	int remote;			/* -r: which of several hosts; -1 */
	const char *remote_name;
	uint64_t buffer;		/* bytes a CPU; 0: the default */
	double seconds;			/* -T; 0: no limit */
	const char *images[64];		/* --image */
	int image_count;
	bool stop;			/* with attach: end it at once */
	bool snapshot;			/* with attach: only ask for one */
	bool monitor;			/* run module below a screen */
	const char *monitored;		/* or look at the session of this name */
	double monitor_seconds;		/* between two looks */
};

#undef FLAG
#undef COUNT
#undef TEXT
#undef CALL
#undef OPTION
#undef SHARED

/* The exit status, with a message (-h and -V: 0), or -1 to go on. */
int options_parse(struct options *o, int argc, char **argv);
/* As --image does; false, with a message, when there are too many. */
bool options_add_image(struct options *o, const char *path);
/* As -s; NULL: nothing. Prints a message if it is not a number of megabytes. */
void options_set_buffer(struct options *o, const char *megabytes);

#endif
