// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks of Python programs, from the structures of CPython: its runtime, the interpreter's threads, of which one has
 * the current thread's number, that thread's frames, and the code object of each. Where the runtime is, and its
 * version, is in the tables of the file that contains it (images.c). Structures differ from version to version; those
 * of a version are the same in each of its releases.
 *
 * The program may write anything there: all memory is read by the no-fault copies, and all loops are bounded. */
#include "python.h"

#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "context.h"
#include "mappings.h"
#include "memory.h"
#include "message.h"
#include "services.h"
#include "unwind.h"
#include "utf.h"

/* Include/internal/pycore_runtime.h, pycore_interp.h, pycore_frame.h and Include/cpython/pystate.h, code.h and
 * unicodeobject.h of each version, without Py_GIL_DISABLED. Bytes, on 64-bit machines. */
static const struct layout {
	u16 version;			/* upper half of PY_VERSION_HEX */
	u16 interpreters;		/* _PyRuntimeState.interpreters.head */
	u16 holder;			/* .gilstate.tstate_current; 0: none */
	u16 next_interpreter, threads;	/* PyInterpreterState.next, threads.head */
	u16 frame;			/* PyThreadState.current_frame, or cframe */
	u16 in_cframe;			/* _PyCFrame.current_frame; 0: there is no cframe */
	u8 code, previous, instruction, owner;	/* _PyInterpreterFrame */
	u8 first_line, bytecode;	/* PyCodeObject.co_firstlineno, co_code_adaptive */
	u8 ascii, wide;			/* sizes of PyASCIIObject and PyCompactUnicodeObject: their texts follow */
} layouts[] = {
	{ .version = 0x030b, .interpreters = 40, .holder = 576, .next_interpreter = 0, .threads = 16, .frame = 56,
	  .in_cframe = 8, .code = 32, .previous = 48, .instruction = 56, .owner = 69, .first_line = 72,
	  .bytecode = 184, .ascii = 48, .wide = 72 },
	{ .version = 0x030d, .interpreters = 632, .next_interpreter = 7264, .threads = 7344, .frame = 72,
	  .code = 0, .previous = 8, .instruction = 56, .owner = 70, .first_line = 68,
	  .bytecode = 200, .ascii = 40, .wide = 56 },
};

/* The same in all of them: */
enum {
	NEXT_THREAD = 8, THREAD_NUMBER = 160, THREAD_SIZE_READ = 168,	/* PyThreadState.next, native_thread_id */
	FRAME_SIZE_READ = 72,
	CODE_FILE = 112, CODE_NAME = 128, CODE_LINES = 136, CODE_SIZE_READ = 144,	/* co_filename, co_qualname,
											 * co_linetable */
	TEXT_LENGTH = 16, TEXT_STATE = 32, TEXT_SIZE_READ = 40,		/* PyASCIIObject.length, state */
	BYTES_LENGTH = 16, BYTES_DATA = 32,				/* PyBytesObject.ob_size, ob_sval */
	IS_COMPACT = 0x20, IS_ASCII = 0x40,				/* state: compact, ascii; kind: 0x1c */
	OWNED_BY_C_STACK = 3,		/* of 3.12 and later: a frame without code */
};

enum {
	MOST_INTERPRETERS = 16, MOST_THREADS = 2048,
	MOST_CHARACTERS = 256,		/* of a name */
	MOST_TEXT = 3 * MOST_CHARACTERS + 4,
	MOST_TABLE = 64 << 10,		/* bytes of tables of lines, for a whole stack */
	WINDOW = 64,
	PLACES = 8,
};

/* Where the runtime of a process is: the process's mappings are searched for it once. */
struct place {
	const struct mm_struct *mm;	/* NULL: unused */
	unsigned long stack;		/* distinguishes the process from an earlier one with the same mm */
	u64 runtime;			/* 0: none among so many mappings: */
	int mappings;
	u32 version;
};

struct places {
	struct place items[PLACES];
	u32 next;
};

static DEFINE_PER_CPU(struct places, places);
static atomic64_t of_unknown_version;
static u32 unknown_version;

/* A frame, and what is needed to get to it. */
struct walk {
	struct tap_context *c;
	const struct layout *l;
	u64 frame;			/* the next one; 0: there is no more */
	u32 left, table_left;
	bool is_cut;			/* the next frame, or its code, cannot be read */
	char frame_data[FRAME_SIZE_READ], code[CODE_SIZE_READ], thread[THREAD_SIZE_READ];
	char bytecode[8];
	u64 instruction;
	char table[WINDOW];
	u64 table_at;			/* 0: none is read */
	char characters[4 * MOST_CHARACTERS];
};

/* ---- memory of the process ---- */

static bool python_copy(const struct walk *w, void *to, u64 from, u32 size)
{
	return tap_memory_copy(w->c, to, from, size, true);
}

static u64 python_word(const struct walk *w, u64 from)
{
	u64 word;

	return python_copy(w, &word, from, sizeof(word)) ? word : 0;
}

static u64 python_word_in(const char *data, u32 at)
{
	u64 word;

	memcpy(&word, data + at, sizeof(word));
	return word;
}

static u32 python_number_in(const char *data, u32 at)
{
	u32 number;

	memcpy(&number, data + at, sizeof(number));
	return number;
}

/* ---- the thread ---- */

static struct place *python_kept_place(const struct mm_struct *mm)
{
	struct places *all = this_cpu_ptr(&places);

	for (u32 i = 0; i < PLACES; i++) {
		struct place *p = &all->items[i];

		if (READ_ONCE(p->mm) == mm && p->stack == mm->start_stack &&
		    (p->runtime || p->mappings == mm->map_count))
			return p;
	}
	return NULL;
}

/* An interrupt's handler may add another one at any time. */
static void python_keep_place(const struct mm_struct *mm, u64 runtime, u32 version)
{
	struct places *all = this_cpu_ptr(&places);
	struct place *p = &all->items[all->next++ % PLACES];

	WRITE_ONCE(p->mm, NULL);
	barrier();
	p->stack = mm->start_stack;
	p->mappings = mm->map_count;
	p->runtime = runtime;
	p->version = version;
	barrier();
	WRITE_ONCE(p->mm, mm);
}

/* False: the process has none, or it is not known yet. */
static bool python_runtime(struct tap_context *c, u64 *runtime, u32 *version)
{
	const struct mm_struct *mm = current->mm;
	const struct place *p = python_kept_place(mm);
	struct tap_mappings maps;
	bool complete;

	if (p) {
		*runtime = p->runtime;
		*version = p->version;
		return *runtime;
	}
	*runtime = 0;
	if (!tap_mappings_hold(&maps, c->regs))
		return false;
	complete = tap_mappings_find_python(&maps, runtime, version);
	tap_mappings_release(&maps);
	if (complete)
		python_keep_place(mm, *runtime, *version);
	return *runtime;
}

/* Whether it was built with Py_GIL_DISABLED, which has other structures: _Py_DebugOffsets.free_threaded. */
static bool python_is_free_threaded(struct walk *w, u64 runtime)
{
	return w->l->version > 0x030b && python_word(w, runtime + 16);
}

static void python_is_not_known(u32 version)
{
	atomic64_inc(&of_unknown_version);
	WRITE_ONCE(unknown_version, version);
}

static const struct layout *python_layout(u32 version)
{
	for (u32 i = 0; i < ARRAY_SIZE(layouts); i++)
		if (layouts[i].version == version >> 16)
			return &layouts[i];
	return NULL;
}

static bool python_is_current(struct walk *w, u64 thread, u64 number)
{
	return python_copy(w, w->thread, thread, sizeof(w->thread)) &&
	       python_word_in(w->thread, THREAD_NUMBER) == number;
}

/* Copies the current thread's state to W->thread; false: it has none. */
static bool python_find_thread(struct walk *w, u64 runtime)
{
	u64 number = task_pid_vnr(current);
	u64 holder = w->l->holder ? python_word(w, runtime + w->l->holder) : 0;
	u64 interpreter = python_word(w, runtime + w->l->interpreters);

	if (holder && python_is_current(w, holder, number))
		return true;
	for (u32 i = 0, n = 0; interpreter && i < MOST_INTERPRETERS; i++) {
		u64 thread = python_word(w, interpreter + w->l->threads);

		for (; thread && n < MOST_THREADS; n++, thread = python_word_in(w->thread, NEXT_THREAD))
			if (python_is_current(w, thread, number))
				return true;
		interpreter = python_word(w, interpreter + w->l->next_interpreter);
	}
	return false;
}

/* Begins at the innermost frame of the current thread. The result is on the scratch stack; NULL: no frame. */
static struct walk *python_begin(struct tap_context *c)
{
	struct walk *w;
	u32 version;
	u64 runtime;

	if (!tap_user_is_readable(c) || !python_runtime(c, &runtime, &version))
		return NULL;
	w = tap_scratch(c, sizeof(*w));
	if (!w)
		return NULL;
	*w = (struct walk){ .c = c, .l = python_layout(version), .left = tap_script.limits.backtrace,
			    .table_left = MOST_TABLE };
	if (!w->l || python_is_free_threaded(w, runtime)) {
		python_is_not_known(version);
		return NULL;
	}
	if (!python_find_thread(w, runtime))
		return NULL;
	w->frame = python_word_in(w->thread, w->l->frame);
	if (w->l->in_cframe && w->frame)
		w->frame = python_word(w, w->frame + w->l->in_cframe);
	return w;
}

/* ---- frames ---- */

/* Reads the next frame that has begun to run its code. */
static bool python_next(struct walk *w)
{
	const struct layout *l = w->l;

	while (w->frame && w->left--) {
		u64 code, frame = w->frame;

		w->frame = 0;
		w->is_cut = !python_copy(w, w->frame_data, frame, sizeof(w->frame_data));
		if (w->is_cut)
			return false;
		w->frame = python_word_in(w->frame_data, l->previous);
		if (l->version > 0x030b && w->frame_data[l->owner] == OWNED_BY_C_STACK)
			continue;
		code = python_word_in(w->frame_data, l->code);
		w->instruction = python_word_in(w->frame_data, l->instruction) - (code + l->bytecode);
		if ((s64)w->instruction < 0)
			continue;
		w->is_cut = !python_copy(w, w->code, code, sizeof(w->code));
		return !w->is_cut;
	}
	return false;
}

/* Without characters that terminals obey. */
static u32 python_write_wide(const struct walk *w, u32 count, u32 width, char *to)
{
	u32 n = 0;

	for (u32 i = 0; i < count && n + 4 < MOST_TEXT; i++) {
		u32 code = 0;

		memcpy(&code, w->characters + i * width, width);
		if (code < ' ' || (code >= 0x7f && code < 0xa0))
			code = '?';
		n += tap_utf8(code, to + n);
	}
	return n;
}

static u32 python_write_unknown(char *to)
{
	to[0] = '?';
	return 1;
}

/* Writes the str OBJECT; TO has MOST_TEXT bytes. */
static u32 python_write_text(struct walk *w, u64 object, char *to)
{
	u32 state, width, count;

	if (!python_copy(w, w->characters, object, TEXT_SIZE_READ))
		return python_write_unknown(to);
	state = python_number_in(w->characters, TEXT_STATE);
	width = state >> 2 & 7;
	count = min_t(u64, python_word_in(w->characters, TEXT_LENGTH), MOST_CHARACTERS);
	if (!(state & IS_COMPACT) || !count || (width != 1 && width != 2 && width != 4) ||
	    !python_copy(w, w->characters, object + (state & IS_ASCII ? w->l->ascii : w->l->wide), count * width))
		return python_write_unknown(to);
	if (!(state & IS_ASCII) || width > 1)
		return python_write_wide(w, count, width, to);
	for (u32 i = 0; i < count; i++)
		to[i] = w->characters[i] >= ' ' && w->characters[i] < 0x7f ? w->characters[i] : '?';
	return count;
}

/* A byte of the table of lines; false at its end. */
static bool python_table_byte(struct walk *w, u64 at, u64 end, u8 *byte)
{
	if (at >= end)
		return false;
	if (!w->table_at || at < w->table_at || at >= w->table_at + WINDOW) {
		u32 size = min_t(u64, WINDOW, end - at);

		if (w->table_left < size || !python_copy(w, w->table, at, size))
			return false;
		w->table_left -= size;
		w->table_at = at;
	}
	*byte = w->table[at - w->table_at];
	return true;
}

/* Objects/locations.md of CPython: an entry begins with a byte that has bit 7, its form in the bits 3 to 6, and the
 * number of code units less 1 below. 15 has no line, 13 and 14 have a signed variable-length number, 10 to 12 have
 * lines 0 to 2 further down, the others the same line. Returns 0 if the line is not known. */
static u32 python_line(struct walk *w)
{
	u64 object = python_word_in(w->code, CODE_LINES);
	u64 at = object + BYTES_DATA, end = at + min_t(u64, python_word(w, object + BYTES_LENGTH), MOST_TABLE);
	u32 line = python_number_in(w->code, w->l->first_line), shift;
	u64 covered = 0;
	u8 byte, more;

	w->table_at = 0;
	while (python_table_byte(w, at++, end, &byte)) {
		u32 form = byte >> 3 & 15, delta = 0;

		covered += ((byte & 7) + 1) * 2;
		for (shift = 0; python_table_byte(w, at, end, &more) && !(more & 0x80); at++) {
			if (shift < 30 && (form == 13 || form == 14))
				delta |= (more & 63) << shift;
			shift = more & 64 ? shift + 6 : 32;
		}
		if (form == 13 || form == 14)
			line += delta & 1 ? -(delta >> 1) : delta >> 1;
		else if (form >= 10 && form <= 12)
			line += form - 10;
		if (w->instruction < covered)
			return form == 15 ? 0 : line;
	}
	return 0;
}

/* ---- texts ---- */

#define INCOMPLETE "(incomplete: memory of the process cannot be read)\n"
#define CUT "[incomplete];"

enum { MOST_LINE = 2 * MOST_TEXT + 24 };

static u32 python_write_frame(struct walk *w, char *to)
{
	u32 n = python_write_text(w, python_word_in(w->code, CODE_NAME), to);

	memcpy(to + n, " at ", 4);
	n += 4;
	n += python_write_text(w, python_word_in(w->code, CODE_FILE), to + n);
	return n + scnprintf(to + n, MOST_LINE - n, ":%u", python_line(w));
}

struct tap_string tap_python_frame(struct tap_context *c, s64 n)
{
	char *mark = c->scratch, *text = tap_scratch(c, MOST_LINE);
	struct walk *w = text ? python_begin(c) : NULL;
	bool found = w && n >= 0;
	u32 size;

	for (s64 i = 0; found && i <= n; i++)	/* ends: frames are counted */
		found = python_next(w);
	if (!found) {
		c->scratch = mark;
		return TAP_EMPTY;
	}
	size = min_t(u32, python_write_frame(w, text), tap_script.limits.string - 1);
	c->scratch = text + MOST_LINE;
	return (struct tap_string){ text, size };
}

struct tap_string tap_python_text(struct tap_context *c)
{
	const u32 room = tap_script.limits.string;
	char *text = tap_scratch(c, room), *mark = c->scratch, *line = tap_scratch(c, MOST_LINE);
	struct walk *w = line ? python_begin(c) : NULL;
	u32 size = 0;

	while (w && python_next(w)) {
		u32 n = python_write_frame(w, line);

		if (size + n + 1 >= room)
			break;
		memcpy(text + size, line, n);
		size += n;
		text[size++] = '\n';
	}
	if (w && w->is_cut && size + sizeof(INCOMPLETE) < room)
		size += scnprintf(text + size, room - size, INCOMPLETE);
	c->scratch = line ? mark : c->scratch;
	return size ? (struct tap_string){ text, size } : TAP_EMPTY;
}

/* From the end of the room towards its start: the outermost frame comes last. */
struct tap_string tap_python_folded(struct tap_context *c)
{
	const u32 room = tap_script.limits.string - 1;
	char *text = tap_scratch(c, room + 1), *mark = c->scratch, *name = tap_scratch(c, MOST_TEXT);
	struct walk *w = text && name ? python_begin(c) : NULL;
	u32 start = room;

	while (w && python_next(w)) {
		u32 n = python_write_text(w, python_word_in(w->code, CODE_NAME), name);

		if (n + 1 > start)
			break;
		for (char *p = name; (p = memchr(p, ';', name + n - p));)
			*p = ':';
		if (start < room)
			text[--start] = ';';
		start -= n;
		memcpy(text + start, name, n);
	}
	if (w && w->is_cut && start < room && start >= sizeof(CUT) - 1) {
		start -= sizeof(CUT) - 1;
		memcpy(text + start, CUT, sizeof(CUT) - 1);
	}
	if (!text)
		return TAP_EMPTY;
	c->scratch = mark;
	return (struct tap_string){ text + start, room - start };
}

void tap_python_print(struct tap_context *c)
{
	char *mark = c->scratch, *line = tap_scratch(c, MOST_LINE + 2);
	struct walk *w = line ? python_begin(c) : NULL;

	while (w && python_next(w)) {
		u32 n = python_write_frame(w, line + 1);

		line[0] = ' ';
		line[n + 1] = '\n';
		tap_print_text(c, TAP_ITEM_TEXT, (struct tap_string){ line, n + 2 });
	}
	if (w && w->is_cut)
		tap_print_text(c, TAP_ITEM_TEXT, TAP_STRING(" " INCOMPLETE));
	c->scratch = mark;
}

/* ---- the flow ---- */

static void python_report(void)
{
	u32 version = READ_ONCE(unknown_version);
	s64 n = atomic64_read(&of_unknown_version);

	if (n && version)
		tap_message(TAP_ITEM_WARNING,
			    "%lld Python stacks were not read: the structures of version %u.%u are not known", n,
			    version >> 24, version >> 16 & 255);
	else if (n)
		tap_message(TAP_ITEM_WARNING, "%lld Python stacks were not read: Python is older than 3.11", n);
}

const struct tap_service tap_python_service = { .report = python_report };
