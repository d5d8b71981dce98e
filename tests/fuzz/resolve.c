/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libFuzzer: from probe points to sites. The input selects a form of a family or the name of an alias, replaces
 * names by patterns, adds arguments of each kind where they belong and where not, and suffixes; the result must be
 * sites without a pattern in the names of their components, or messages.
 *
 * It is guided and detects more if TAPC_BUILD is a build whose libraries are made by clang: ./configure CC=clang
 * CFLAGS='-g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow'.
 *
 * sources: "$BUILD"/lib{tapc,tapcore,tapc,staging,tapcore}.a
 * flags: -fno-sanitize=pointer-overflow
 * libraries: $(make -s -C "$BUILD" --eval 'print-libraries:; @echo $(translator_libs)' print-libraries | tail -n 1)
 * options: -close_fd_mask=3 -max_len=64 -len_control=0 -timeout=60
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/images.h"
#include "points/family.h"
#include "library/library.h"
#include "syntax/parse.h"
#include "meaning/resolve.h"
#include "source/cache_dir.h"
#include "source/options.h"
#include "source/target_host.h"
#include "source/translation.h"
#include "base/intern.h"
#include "base/text.h"
#include "base/util.h"
#include "syntax/preproc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct bytes_left {
	const uint8_t *p;
	size_t n;
};

static unsigned take(struct bytes_left *b)
{
	if (!b->n)
		return 0;
	b->n--;
	return *b->p++;
}

static const char *const arguments[] = {
	"\"vfs_read\"", "\"vfs_*\"", "\"*\"", "\"\"", "\"sched_switch\"", "\"sched:sched_*\"", "\"NF_INET_LOCAL_IN\"",
	"\"NFPROTO_IPV4\"", "\"NFPROTO_IPV6\"", "\"/bin/sh\"", "\"/bin/s?\"", "\"main\"", "\"dummy\"", "\"dum*\"",
	"\"vfs_read@*:*\"", "\"vfs_read@fs/read_write.c:1-9\"", "\"[\"", "\"a\\0b\"", "0", "1", "-1", "1000000",
	"0x7fffffffffffffff", "-0x8000000000000000", "\"jiffies\"", "\"no such\"", "\"openat\"", "\"o*\"",
};

static const char *const alias_names[] = {
	"vfs.read", "vfs.read.return", "syscall.openat", "scheduler.cpu_on", "process.create", "tcp.sendmsg",
	"netfilter.ipv4.local_in", "socket.send", "ioblock.request", "signal.send", "kprocess.exec", "oneshot",
};

/* Adds NAME, or a pattern that matches it. */
static void add_name(struct text *t, const char *name, size_t n, unsigned how)
{
	size_t part = n ? how / 8 % n : 0;

	switch ((how + 5) % 8) {
	case 0: text_char(t, '*'); break;
	case 1: text_add(t, "**"); break;
	case 2: text_add_n(t, name, part); text_char(t, '*'); break;
	case 3: text_char(t, '*'); text_add_n(t, name + part, n - part); break;
	case 4: text_add_n(t, name, part); text_add(t, "**"); break;
	default: text_add_n(t, name, n);
	}
}

static void add_argument(struct text *t, struct bytes_left *b, bool wanted)
{
	unsigned how = take(b);

	if (wanted != (how % 8 == 7))
		text_printf(t, "(%s)", arguments[take(b) % ARRAY_SIZE(arguments)]);
}

static void add_dotted(struct text *t, struct bytes_left *b, const char *dotted)
{
	while (*dotted) {
		size_t n = strcspn(dotted, ".("), skip = n;

		if (dotted[n] == '(')
			skip += strcspn(dotted + n, ")") + 1;
		add_name(t, str_starts(dotted, "*") ? "openat" : dotted, str_starts(dotted, "*") ? 6 : n, take(b));
		add_argument(t, b, dotted[n] == '(');
		dotted += skip;
		if (*dotted == '.')
			dotted++;
		if (*dotted && take(b) % 16 != 15)
			text_char(t, '.');
	}
}

static const char *choose_name(unsigned which)
{
	size_t n = 0;

	if (which % 4 == 0)
		return alias_names[which / 4 % ARRAY_SIZE(alias_names)];
	for (;;)
		for (size_t i = 0; families[i]; i++)
			for (const struct point_shape *s = families[i]->shapes; s->text; s++)
				if (n++ == which)
					return s->text;
}

static const char *script_text(struct arena *a, struct bytes_left *b)
{
	static const char *const suffixes[] = {
		"", "", "?", "!", ".return", ".*", ".**", ".maxactive(3)", ".callees(2)"
	};
	struct text t;

	text_init(&t, a);
	do {
		text_add(&t, "probe ");
		add_dotted(&t, b, choose_name(take(b) + 256 * (take(b) % 2)));
		text_add(&t, suffixes[take(b) % ARRAY_SIZE(suffixes)]);
		text_add(&t, " { println(pp()) }\n");
	} while (b->n > 8);
	return t.s;
}

static const char *config(void *data, const char *name)
{
	(void)data, (void)name;
	return NULL;
}

static void check_sites(const struct program *p)
{
	vec_each(h, &p->handlers)
		vec_each(s, &(*h)->sites) {
			bool in_text = false;

			for (const char *c = s->name; *c; c++) {
				in_text ^= *c == '"' && (c == s->name || c[-1] != '\\');
				if (*c == '*' && !in_text)
					abort();	/* a name still contains a pattern */
			}
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *release, *sysroot;
	struct options options = { .guru = true };
	struct target_host host;
	struct images images;
	struct translation t = { .arena = arena_open(), .options = &options, .images = &images };
	struct cache_dir cache = { .arena = t.arena };
	struct interned names;
	struct preproc_setup setup = { .strings = &names, .options = &options };
	struct bytes_left b = { data, size };
	const struct preproc_target target = {
		.kernel_vr = "6.1.0", .kernel_v = "6.1.0", .arch = "x86_64", .runtime = "kernel",
		.systemtap_v = "5.6", .privilege = "stapdev", .guru_mode = true, .config = config,
	};
	struct library library;
	struct program program = { 0 };
	struct script *script;
	const char *text;

	release = getenv("TAPC_RELEASE");
	sysroot = getenv("TAPC_SYSROOT");
	options.release = release ? release : "0.0.0-none";
	options.sysroot = sysroot ? sysroot : "/none";
	options.arch = "x86_64";
	options.arena = t.arena;
	diag_open(&t.diag, t.arena, &options);
	interned_open(&names, t.arena);
	images_open(&images, t.arena, &host, &cache);
	setup.target = target;
	if (!target_host_find(&host, &options))
		abort();
	text = script_text(t.arena, &b);
	if (getenv("TAPC_SHOW"))
		fprintf(stdout, "%s", text);
	if (!library_open(&library, &t.diag, &host, macros_open(&setup)))
		abort();	/* the program is not in a directory with share */
	script = parse_script(source_add(&t.diag, "fuzz", text, strlen(text)), library.macros);
	library_add(&library, script);
	if (!t.diag.errors && resolve_program(&t, &library, script, &program))
		check_sites(&program);
	images_close(&images);
	arena_close(t.arena);
	return 0;
}
