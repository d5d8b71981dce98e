/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognises bpftrace and DTrace scripts by the first words of a clause, "kprobe:vfs_read" or
 * "syscall::read:entry", and suggests the equivalent probe. Only these words are parsed, not the other language; the
 * body is only searched for words that have another name here. */
#include "foreign.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"

enum { MOST_PARTS = 4 };

/* ---- clauses ---- */

struct clause {
	const char *pattern;		/* '*' is a part; an empty part means all */
	const char *point;		/* "$1" is the first part, "%1" the same with '_' for '-'; "": no equivalent */
};

static const struct clause bpftrace[] = {
	{ "BEGIN", "begin" },
	{ "END", "end" },
	{ "kprobe:*:*", "module(\"$1\").function(\"$2\")" },
	{ "kprobe:*", "kernel.function(\"$1\")" },
	{ "k:*", "kernel.function(\"$1\")" },
	{ "kretprobe:*:*", "module(\"$1\").function(\"$2\").return" },
	{ "kretprobe:*", "kernel.function(\"$1\").return" },
	{ "kr:*", "kernel.function(\"$1\").return" },
	{ "fentry:vmlinux:*", "kernel.function(\"$1\")" },
	{ "fentry:*:*", "module(\"$1\").function(\"$2\")" },
	{ "fentry:*", "kernel.function(\"$1\")" },
	{ "kfunc:vmlinux:*", "kernel.function(\"$1\")" },
	{ "kfunc:*:*", "module(\"$1\").function(\"$2\")" },
	{ "kfunc:*", "kernel.function(\"$1\")" },
	{ "fexit:vmlinux:*", "kernel.function(\"$1\").return" },
	{ "fexit:*:*", "module(\"$1\").function(\"$2\").return" },
	{ "fexit:*", "kernel.function(\"$1\").return" },
	{ "kretfunc:vmlinux:*", "kernel.function(\"$1\").return" },
	{ "kretfunc:*:*", "module(\"$1\").function(\"$2\").return" },
	{ "kretfunc:*", "kernel.function(\"$1\").return" },
	{ "tracepoint:syscalls:sys_enter_*", "syscall.$1" },
	{ "tracepoint:syscalls:sys_exit_*", "syscall.$1.return" },
	{ "tracepoint:raw_syscalls:sys_enter", "syscall_any" },
	{ "tracepoint:raw_syscalls:sys_exit", "syscall_any.return" },
	{ "tracepoint:*:*", "kernel.trace(\"$1:$2\")" },
	{ "t:*:*", "kernel.trace(\"$1:$2\")" },
	{ "rawtracepoint:*:*", "kernel.trace(\"$1:$2\")" },
	{ "rawtracepoint:*", "kernel.trace(\"$1\")" },
	{ "rt:*", "kernel.trace(\"$1\")" },
	{ "uprobe:*:*", "process(\"$1\").function(\"$2\")" },
	{ "u:*:*", "process(\"$1\").function(\"$2\")" },
	{ "uretprobe:*:*", "process(\"$1\").function(\"$2\").return" },
	{ "ur:*:*", "process(\"$1\").function(\"$2\").return" },
	{ "usdt:*:*:*", "process(\"$1\").provider(\"$2\").mark(\"$3\")" },
	{ "usdt:*:*", "process(\"$1\").mark(\"$2\")" },
	{ "profile:hz:*", "timer.profile.freq.hz($1)" },
	{ "profile:s:*", "timer.s($1)" },
	{ "profile:ms:*", "timer.ms($1)" },
	{ "profile:us:*", "timer.us($1)" },
	{ "interval:hz:*", "timer.hz($1)" },
	{ "interval:s:*", "timer.s($1)" },
	{ "interval:ms:*", "timer.ms($1)" },
	{ "interval:us:*", "timer.us($1)" },
	{ "software:faults:*", "perf.sw.page_faults.sample($1)" },
	{ "software:minor-faults:*", "perf.sw.page_faults_min.sample($1)" },
	{ "software:major-faults:*", "perf.sw.page_faults_maj.sample($1)" },
	{ "software:cs:*", "perf.sw.context_switches.sample($1)" },
	{ "software:*:*", "perf.sw.%1.sample($2)" },
	{ "hardware:cycles:*", "perf.hw.cpu_cycles.sample($1)" },
	{ "hardware:*:*", "perf.hw.%1.sample($2)" },
	{ "watchpoint:*:*:w", "kernel.data($1).length($2).write" },
	{ "watchpoint:*:*:*", "kernel.data($1).length($2).rw" },
	{ "iter:*", "" },
};

static const struct clause dtrace[] = {
	{ "dtrace:::BEGIN", "begin" },
	{ "dtrace:::END", "end" },
	{ "dtrace:::ERROR", "error" },
	{ "syscall:*:*:entry", "syscall.$2" },
	{ "syscall:*:*:return", "syscall.$2.return" },
	{ "fbt::*:entry", "kernel.function(\"$1\")" },
	{ "fbt::*:return", "kernel.function(\"$1\").return" },
	{ "fbt:vmlinux:*:entry", "kernel.function(\"$1\")" },
	{ "fbt:vmlinux:*:return", "kernel.function(\"$1\").return" },
	{ "fbt:*:*:entry", "module(\"$1\").function(\"$2\")" },
	{ "fbt:*:*:return", "module(\"$1\").function(\"$2\").return" },
	{ "pid*::*:entry", "process.function(\"$2\")" },
	{ "pid*::*:return", "process.function(\"$2\").return" },
	{ "pid*:*:*:entry", "process.library(\"$2\").function(\"$3\")" },
	{ "pid*:*:*:return", "process.library(\"$2\").function(\"$3\").return" },
	{ "profile-*hz", "timer.profile.freq.hz($1)" },
	{ "profile-*", "timer.profile.freq.hz($1)" },
	{ "profile:::tick-*ms", "timer.ms($1)" },
	{ "profile:::tick-*s", "timer.s($1)" },
	{ "profile:::profile-*", "timer.profile.freq.hz($1)" },
	{ "tick-*usec", "timer.us($1)" },
	{ "tick-*us", "timer.us($1)" },
	{ "tick-*msec", "timer.ms($1)" },
	{ "tick-*ms", "timer.ms($1)" },
	{ "tick-*sec", "timer.s($1)" },
	{ "tick-*s", "timer.s($1)" },
	{ "tick-*hz", "timer.hz($1)" },
	{ "tick-*", "timer.hz($1)" },
	{ "sched:::on-cpu", "scheduler.cpu_on" },
	{ "sched:::off-cpu", "scheduler.cpu_off" },
	{ "sched:::wakeup", "scheduler.wakeup" },
	{ "proc:::create", "kprocess.create" },
	{ "proc:::start", "kprocess.start" },
	{ "proc:::exec", "kprocess.exec" },
	{ "proc:::exec-success", "kprocess.exec_complete" },
	{ "proc:::exit", "kprocess.exit" },
	{ "proc:::signal-send", "signal.send" },
	{ "io:::start", "ioblock.request" },
	{ "io:::done", "ioblock.end" },
	{ "tcp:::send", "tcp.sendmsg" },
	{ "tcp:::receive", "tcp.receive" },
	{ "udp:::send", "udp.sendmsg" },
	{ "udp:::receive", "udp.recvmsg" },
	{ "sdt:::*", "kernel.trace(\"$1\")" },
};

/* The first word of TEXT. The '/' of a path does not begin a filter. */
static char *first_word(struct arena *a, const char *text)
{
	const char *end = text;
	bool in_path = false;

	for (; *end && !isspace((unsigned char)*end) && !strchr("{,", *end) && (*end != '/' || in_path); end++)
		in_path |= *end == ':' && end[1] == '/';
	return arena_strndup(a, text, (size_t)(end - text));
}

struct parts {
	const char *start[MOST_PARTS];
	size_t size[MOST_PARTS];
};

/* A part is as short as possible and contains no ':'. */
static bool pattern_fits(const char *pattern, const char *s, struct parts *parts, size_t n)
{
	while (*pattern && *pattern != '*' && *pattern == *s) {
		pattern++;
		s++;
	}
	if (*pattern != '*')
		return !*pattern && !*s;
	parts->start[n] = s;
	for (parts->size[n] = 0;; parts->size[n]++) {
		if (pattern_fits(pattern + 1, s + parts->size[n], parts, n + 1))
			return true;
		if (!s[parts->size[n]] || s[parts->size[n]] == ':')
			return false;
	}
}

static void add_part(struct text *t, const struct parts *parts, size_t part, bool as_name)
{
	for (size_t i = 0; i < parts->size[part]; i++)
		text_char(t, as_name && parts->start[part][i] == '-' ? '_' : parts->start[part][i]);
	if (!parts->size[part])
		text_char(t, '*');
}

static const char *fill(struct arena *a, const char *point, const struct parts *parts)
{
	struct text t;

	text_init(&t, a);
	for (const char *c = point; *c; c++) {
		if (*c == '$' || *c == '%') {
			add_part(&t, parts, (size_t)(c[1] - '1'), *c == '%');
			c++;
		} else {
			text_char(&t, *c);
		}
	}
	return t.s;
}

static const char *point_of(struct arena *a, const char *word, const struct clause *clauses, size_t n)
{
	struct parts parts = { 0 };

	for (size_t i = 0; i < n; i++)
		if (pattern_fits(clauses[i].pattern, word, &parts, 0))
			return fill(a, clauses[i].point, &parts);
	return NULL;
}

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t\r\n");
}

/* Skips the probe WORD at the start of TEXT. IS_MORE: another probe follows. */
static const char *skip_probe(const char *text, const char *word, bool *is_more)
{
	text = skip_blanks(text + strlen(word));
	*is_more = *text == ',';
	return *is_more ? skip_blanks(text + 1) : text;
}

const char *foreign_probe(struct arena *a, const char *text, const char **language)
{
	const char *separator = "probe ", *filter;
	bool is_more = true;
	struct text t;

	text_init(&t, a);
	for (; is_more; separator = ", ") {
		const char *word = first_word(a, text), *point;

		*language = "bpftrace";
		point = point_of(a, word, bpftrace, ARRAY_SIZE(bpftrace));
		if (!point) {
			*language = "DTrace";
			point = point_of(a, word, dtrace, ARRAY_SIZE(dtrace));
		}
		if (!point || !*point)
			return point;
		text_printf(&t, "%s%s", separator, point);
		text = skip_probe(text, word, &is_more);
	}
	filter = foreign_filter(a, text);
	text_printf(&t, " { %s%s... }", filter ? filter : "", filter ? " " : "");
	return t.s;
}

const char *foreign_filter(struct arena *a, const char *text)
{
	const char *end = *text == '/' ? strpbrk(text + 1, "/{\n") : NULL;

	if (!end || *end != '/')
		return NULL;
	text = skip_blanks(text + 1);
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	return arena_printf(a, "if (!(%.*s)) next;", (int)(end - text), text);
}

/* ---- words ---- */

static const struct { const char *name, *here; } words[] = {
	{ "comm", "execname()" },
	{ "execname", "execname()" },
	{ "pid", "pid()" },
	{ "tid", "tid()" },
	{ "ppid", "ppid()" },
	{ "uid", "uid()" },
	{ "gid", "gid()" },
	{ "cpu", "cpu()" },
	{ "nsecs", "gettimeofday_ns()" },
	{ "timestamp", "gettimeofday_ns()" },
	{ "walltimestamp", "gettimeofday_ns()" },
	{ "curtask", "@task(task_current())" },
	{ "curthread", "@task(task_current())" },
	{ "func", "ppfunc()" },
	{ "probefunc", "ppfunc()" },
	{ "probemod", "probemod()" },
	{ "arg0", "the parameter's $name" },
	{ "arg1", "the parameter's $name" },
	{ "arg2", "the parameter's $name" },
	{ "arg3", "the parameter's $name" },
	{ "args", "'$', as in $name" },
	{ "retval", "$return" },
	{ "kstack", "sprint_backtrace()" },
	{ "stack", "sprint_backtrace()" },
	{ "ustack", "sprint_ubacktrace()" },
	{ "str", "user_string() or kernel_string()" },
	{ "copyinstr", "user_string()" },
	{ "count", "x <<< 1 with @count(x)" },
	{ "sum", "x <<< value with @sum(x)" },
	{ "avg", "x <<< value with @avg(x)" },
	{ "min", "x <<< value with @min(x)" },
	{ "max", "x <<< value with @max(x)" },
	{ "hist", "x <<< value with print(@hist_log(x))" },
	{ "quantize", "x <<< value with print(@hist_log(x))" },
	{ "lhist", "x <<< value with print(@hist_linear(x, low, high, width))" },
	{ "lquantize", "x <<< value with print(@hist_linear(x, low, high, width))" },
	{ "trace", "println()" },
	{ "self", "an array by thread, as in x[tid()]" },
	{ "elif", "'else if'" },
	{ "elsif", "'else if'" },
	{ "elseif", "'else if'" },
	{ "sizeof", "@sizeof(\"struct x\")" },
};

static const char *here(const char *name, size_t size)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i].name) == size && memcmp(words[i].name, name, size) == 0)
			return words[i].here;
	return NULL;
}

const char *foreign_word(const char *name)
{
	return here(name, strlen(name));
}

static void add_word(struct text *t, const char *name, size_t size, const char *is)
{
	const char *word = arena_printf(t->arena, "%s%.*s is ", t->n ? "; " : "", (int)size, name);

	if (!strstr(t->s, skip_blanks(word + (t->n > 0))))
		text_printf(t, "%s%s", word, is);
}

/* Searches from the end of the probes to the brace that closes the first one; strings are skipped. */
const char *foreign_words(struct arena *a, const char *text)
{
	bool in_string = false, is_more = true;
	struct text t;
	int depth = 0;

	text_init(&t, a);
	while (is_more)
		text = skip_probe(text, first_word(a, text), &is_more);
	for (size_t n; *text && (depth || *text != '}'); text += n) {
		n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
		in_string ^= *text == '"';
		depth += in_string ? 0 : (*text == '{') - (*text == '}');
		if (!depth && *text == '}')
			break;
		if (n && !in_string && here(text, n) && !strchr("$@.>", text[-1]))
			add_word(&t, text, n, here(text, n));
		else if (*text == '@' && !in_string)
			add_word(&t, "@x", 2, "x, declared with 'global x'");
		n += !n;
	}
	return t.n ? t.s : NULL;
}
