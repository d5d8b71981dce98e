// SPDX-License-Identifier: GPL-2.0-or-later
/* User-space stacks. From the program's registers, frame by frame, by the tables of the files that contain its code
 * (images.c, core/unwind.c). Memory is only read by the no-fault copies, frames are counted, and a stack that does
 * not reach the start of its thread has a reason for that.
 *
 * Where no table applies (code generated at run time, or assembly without call frame information) the instructions
 * are read: just before a function returns, or where it begins, they say where its caller is. Otherwise the chain of
 * frame pointers is followed. A record of it must be in the mapping that the thread's stack is in, and higher than the
 * one before. The address in it must be after a call, or in code generated at run time: Java's interpreter jumps to
 * methods, and gives them any address to return to. */
#include "unwind.h"

#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>

#include "context.h"
#include "images.h"
#include "mappings.h"
#include "message.h"
#include "services.h"
#include "symbol.h"
#include "core/unwind.h"

enum { MOST_RETURNS = 64 };		/* uprobes.c: MAX_URETPROBE_DEPTH */

static char *stacks;			/* a struct tap_user_stack for each CPU and level */
static atomic64_t ends[TAP_STACK_ENDS];

/* ---- registers and memory ---- */

static struct pt_regs *unwind_user_registers(const struct tap_context *c)
{
	struct pt_regs *regs = (struct pt_regs *)c->regs;

	if (!current->mm || current->flags & TAP_NO_USER)
		return NULL;
	if (!regs || !tap_in_user_mode(regs))
		regs = task_pt_regs(current);
	return tap_in_user_mode(regs) ? regs : NULL;
}

/* An NMI may interrupt a change of address space, but not if it interrupts the program itself. */
static bool unwind_is_readable(const struct tap_context *c)
{
	const struct pt_regs *regs = c->regs;

	return tap_frame(c)->level < TAP_LEVELS - 1 || (regs && tap_in_user_mode(regs));
}

bool tap_user_is_readable(const struct tap_context *c)
{
	return unwind_user_registers(c) && unwind_is_readable(c);
}

struct walk {
	struct tap_user_stack *stack;
	struct tap_mappings maps;
	struct tap_unwind_state state;
};

static bool unwind_read_word(void *reader, u64 address, u64 *word)
{
	const struct walk *w = reader;

	*word = 0;			/* little endian, as all supported machines */
	return !copy_from_user_nofault(word, (const void __user *)(unsigned long)address, w->state.narrow ? 4 : 8);
}

/* ---- one frame ---- */

/* Whether it is the kernel's page for return probes, whose start they return to. */
static bool unwind_is_trampoline(struct walk *w, u64 address)
{
	return tap_mappings_find(&w->maps, address) && address == w->maps.start && w->maps.is_code &&
	       !w->maps.has_file && w->maps.end - w->maps.start == PAGE_SIZE;
}

/* If a return is probed, the address on the stack is the kernel's trampoline. The task's list has the original; an
 * interrupt may occur while it is being changed, so it is read like other unsafe memory. */
static void unwind_undo_trampoline(struct walk *w)
{
#ifdef CONFIG_UPROBES
	const struct uprobe_task *task = current->utask;
	const struct return_instance *at = task ? READ_ONCE(task->return_instances) : NULL;
	u64 known_by = TAP_RETURN_ON_STACK ? w->state.returned_from : w->state.registers[TAP_UNWIND_STACK];
	struct return_instance r;

	if (!at || !unwind_is_trampoline(w, w->state.registers[TAP_UNWIND_RETURN]))
		return;
	for (u32 i = 0; at && i < MOST_RETURNS; i++, at = r.next) {
		if (copy_from_kernel_nofault(&r, at, sizeof(r)))
			return;
		if (r.stack == known_by) {
			w->state.registers[TAP_UNWIND_RETURN] = r.orig_ret_vaddr;
			return;
		}
	}
#endif
}

static bool unwind_is_after_call(u64 address)
{
	u8 code[TAP_BEFORE_RETURN];

	return !copy_from_user_nofault(code, (const void __user *)(unsigned long)(address - sizeof(code)),
				       sizeof(code)) && tap_is_call_before(code);
}

/* The rule for known code sequences; NULL if the code is not one of them. FOUND is room for a rule. */
static const struct tap_unwind_rule *unwind_rule_of_code(const struct walk *w, struct tap_unwind_rule *found)
{
	u64 address = w->state.registers[TAP_UNWIND_RETURN];
	const struct tap_unwind_rule *rule;
	u32 code[4] = { 0 };

	if (copy_from_user_nofault(code, (const void __user *)(unsigned long)address, sizeof(code)) &&
	    copy_from_user_nofault(code, (const void __user *)(unsigned long)address, sizeof(code) / 2))
		return NULL;
	rule = tap_signal_rule(code, w->state.narrow);
	if (!rule && tap_rule_of_code((const u8 *)code, w->state.narrow, w->state.interrupted, found))
		rule = found;
	return rule;
}

static bool unwind_is_return(struct walk *w, u64 address)
{
	if (unwind_is_after_call(address))
		return true;
	return tap_mappings_find(&w->maps, address) && w->maps.is_code && !w->maps.has_file;
}

static enum tap_unwind_result unwind_climb_chain(struct walk *w)
{
	const struct tap_unwind_rule *rule;
	struct tap_unwind_rule found;
	enum tap_unwind_result result;
	u64 stack = w->state.registers[TAP_UNWIND_STACK];

	rule = unwind_rule_of_code(w, &found);
	if (rule) {
		result = tap_unwind_step(&w->state, rule, unwind_read_word, w);
		if (result == TAP_UNWIND_DONE)
			unwind_undo_trampoline(w);
		return result;
	}
	result = tap_unwind_chain(&w->state, unwind_read_word, w);
	if (result == TAP_UNWIND_END)
		return result;
	if (result == TAP_UNWIND_DONE)
		unwind_undo_trampoline(w);
	return result == TAP_UNWIND_DONE &&
	       tap_mappings_share(&w->maps, stack, w->state.registers[TAP_UNWIND_STACK] - 1) &&
	       unwind_is_return(w, w->state.registers[TAP_UNWIND_RETURN]) ? TAP_UNWIND_DONE : TAP_UNWIND_UNKNOWN;
}

static enum tap_stack_end unwind_end_of(const struct walk *w, enum tap_unwind_result result)
{
	if (result == TAP_UNWIND_END)
		return TAP_STACK_WHOLE;
	return result == TAP_UNWIND_FAILED ? TAP_STACK_UNREADABLE : TAP_STACK_NO_TABLES;
}

/* Returns false if the stack ends here; w->stack->end says why. */
static bool unwind_climb(struct walk *w, const struct tap_user_address *a)
{
	const struct tap_unwind_rule *rule;
	enum tap_unwind_result result;

	if (!w->maps.is_code) {
		w->stack->end = TAP_STACK_UNREADABLE;
		return false;
	}
	if (w->maps.has_file && !a->known) {
		w->stack->end = TAP_STACK_NOT_YET;
		return false;
	}
	rule = a->known ? tap_image_rule(&a->known->image, a->offset - a->behind_call) : NULL;
	result = tap_unwind_step(&w->state, rule, unwind_read_word, w);
	if (result == TAP_UNWIND_UNKNOWN)
		result = unwind_climb_chain(w);
	else if (result == TAP_UNWIND_DONE)
		unwind_undo_trampoline(w);
	w->stack->end = unwind_end_of(w, result);
	return result == TAP_UNWIND_DONE;
}

static bool unwind_is_mapped(struct walk *w, struct tap_user_address *a, u64 address)
{
	*a = (struct tap_user_address){ .address = address };
	if (!tap_mappings_find(&w->maps, address - !w->state.interrupted))
		return false;
	a->known = w->maps.known;
	a->offset = address - w->maps.start + w->maps.offset;
	a->behind_call = !w->state.interrupted;
	return true;
}

static void unwind_climb_all(struct walk *w, bool goes_on)
{
	struct tap_user_stack *s = w->stack;

	s->end = TAP_STACK_LONG;
	while (s->count < tap_script.limits.backtrace) {
		struct tap_user_address *a = &s->frames[s->count];

		if (!unwind_is_mapped(w, a, w->state.registers[TAP_UNWIND_RETURN])) {
			/* An unmapped first frame is a jump to that address, and worth showing. */
			s->count += !s->count;
			s->end = TAP_STACK_UNREADABLE;
			return;
		}
		s->count++;
		if (!goes_on) {
			s->end = TAP_STACK_NO_TABLES;
			return;
		}
		if (!unwind_climb(w, a))
			return;
		s->end = TAP_STACK_LONG;
	}
}

/* ---- a stack ---- */

static size_t unwind_stack_size(void)
{
	return sizeof(struct tap_user_stack) + tap_script.limits.backtrace * sizeof(struct tap_user_address);
}

static struct tap_user_stack *unwind_buffer_of(const struct tap_context *c)
{
	const struct tap_frame *f = tap_frame(c);

	return (struct tap_user_stack *)(stacks + (f->cpu * TAP_LEVELS + f->level) * unwind_stack_size());
}

/* W->state.registers are set. KNOWN: a kind of program that tables exist for. */
static void unwind_make_stack(struct tap_context *c, struct walk *w, bool known)
{
	struct tap_user_stack *s = w->stack;

	s->count = 0;
	s->begun = 0;
	w->state.known = (1u << TAP_UNWIND_REGISTERS) - 1;
	w->state.interrupted = true;
	w->state.signature = TAP_RETURN_SIGNATURE;
	w->state.records_float = TAP_RECORDS_FLOAT;
	w->state.records_below = TAP_RECORDS_BELOW;
	if (unwind_is_readable(c) && tap_mappings_hold(&w->maps, c->regs)) {
		unwind_climb_all(w, known);
		tap_mappings_release(&w->maps);
	} else {
		s->frames[s->count++] = (struct tap_user_address){
			.address = w->state.registers[TAP_UNWIND_RETURN],
		};
		s->end = TAP_STACK_BUSY;
	}
	atomic64_inc(&ends[s->end]);
}

static bool unwind_is_made(const struct tap_context *c, const struct tap_user_stack *s, struct pt_regs *regs)
{
	return s->begun == tap_frame(c)->begun && s->row == tap_frame(c)->row && s->task == current &&
	       s->stack == user_stack_pointer(regs) && s->count;
}

const struct tap_user_stack *tap_user_stack(struct tap_context *c)
{
	struct pt_regs *regs = unwind_user_registers(c);
	struct walk w = { .stack = unwind_buffer_of(c) };
	bool known;

	if (!regs)
		return NULL;
	if (unwind_is_made(c, w.stack, regs))
		return w.stack;
	known = tap_user_frame(regs, w.state.registers, &w.state.narrow);
	unwind_make_stack(c, &w, known);
	w.stack->begun = tap_frame(c)->begun;
	w.stack->row = tap_frame(c)->row;
	w.stack->task = current;
	w.stack->stack = user_stack_pointer(regs);
	return w.stack;
}

const struct tap_user_stack *tap_user_stack_from(struct tap_context *c, u64 place, u64 stack, u64 frame)
{
	struct pt_regs *regs = unwind_user_registers(c);
	struct walk w = { .stack = unwind_buffer_of(c) };
	bool known;

	if (!regs)
		return NULL;
	known = tap_user_frame(regs, w.state.registers, &w.state.narrow);
	w.state.registers[TAP_UNWIND_RETURN] = place;
	w.state.registers[TAP_UNWIND_STACK] = stack;
	w.state.registers[TAP_UNWIND_FRAME] = frame;
	unwind_make_stack(c, &w, known);
	return w.stack;
}

bool tap_user_place(struct tap_context *c, u64 *address)
{
	struct pt_regs *regs = unwind_user_registers(c);
	u64 registers[TAP_UNWIND_REGISTERS];
	bool narrow;

	if (!regs)
		return false;
	tap_user_frame(regs, registers, &narrow);
	*address = registers[TAP_UNWIND_RETURN];
	return true;
}

/* ---- texts ---- */

static const char *unwind_short_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

struct description {
	const char *name, *path, *file;	/* NULL: unknown */
	u64 into, size, offset, file_size;
	u32 line;
};

static struct description unwind_describe(const struct tap_user_address *a)
{
	const struct tap_image *image = a->known ? &a->known->image : NULL;
	const struct tap_image_symbol *s;
	const struct tap_image_line *l;
	struct description d = { 0 };

	if (!image)
		return d;
	s = tap_image_symbol(image, a->offset - a->behind_call);
	if (!s && a->known->is_made) {
		tap_images_renew(a->known);
		return d;
	}
	l = tap_image_line(image, a->offset - a->behind_call);
	d.path = image->names;
	d.offset = a->offset;
	d.file_size = a->known->file_size;
	if (s) {
		d.name = image->names + s->name;
		d.name += *d.name == '.';
		d.into = a->offset - s->at;
		d.size = s->size;
	}
	if (l) {
		d.file = image->names + l->file;
		d.line = l->line;
	}
	return d;
}

/* "main+0x5/0x20 at x.c:7 [/bin/x]", or without a name "[/bin/x+0x1136/0x4000]". */
static int unwind_write_data(char *to, size_t room, const struct description *d, bool with_line)
{
	char place[128] = "";

	if (with_line && d->file)
		snprintf(place, sizeof(place), " at %s:%u", unwind_short_name(d->file), d->line);
	if (d->name)
		return scnprintf(to, room, "%s+0x%llx/0x%llx%s [%s]", d->name, d->into, d->size, place, d->path);
	return scnprintf(to, room, "[%s+0x%llx/0x%llx]%s", d->path, d->offset, d->file_size, place);
}

static int unwind_write_number(char *to, size_t room, const char *before, u64 address, const char *after)
{
	return scnprintf(to, room, "%s0x%llx%s", before, address, after);
}

static int unwind_write_line(char *to, size_t room, const struct tap_user_address *a, const struct description *d,
			     bool with_line)
{
	int n;

	if (!d->path)
		return unwind_write_number(to, room, " ", a->address, "\n");
	n = unwind_write_number(to, room, " ", a->address, d->name ? " : " : " ");
	n += unwind_write_data(to + n, room - n, d, with_line);
	return n + scnprintf(to + n, room - n, "\n");
}

static int unwind_write_short(char *to, size_t room, const struct tap_user_address *a, const struct description *d)
{
	if (d->name)
		return scnprintf(to, room, "%s+0x%llx [%s]\n", d->name, d->into, unwind_short_name(d->path));
	if (d->path)
		return scnprintf(to, room, "0x%llx [%s+0x%llx]\n", a->address, unwind_short_name(d->path), d->offset);
	return unwind_write_number(to, room, "", a->address, "\n");
}

static int unwind_write_data_or_number(char *to, size_t room, const struct tap_user_address *a,
				       const struct description *d)
{
	int n = 0;

	if (!d->name)
		n = unwind_write_number(to, room, "", a->address, d->path ? " " : "");
	return d->path ? n + unwind_write_data(to + n, room - n, d, false) : n;
}

static int unwind_write_address(char *to, size_t room, const struct tap_user_address *a, enum tap_user_style style)
{
	struct description d = unwind_describe(a);

	switch (style) {
	case TAP_STYLE_FULL:
	case TAP_STYLE_LINES:
		return unwind_write_line(to, room, a, &d, style == TAP_STYLE_LINES);
	case TAP_STYLE_SIMPLE:
		return unwind_write_short(to, room, a, &d);
	case TAP_STYLE_BRIEF:
		return d.name ? scnprintf(to, room, "%s+0x%llx\n", d.name, d.into) :
				unwind_write_number(to, room, "", a->address, "\n");
	case TAP_STYLE_DATA:
		return unwind_write_data_or_number(to, room, a, &d);
	case TAP_STYLE_NAME:
		if (d.name)
			return scnprintf(to, room, "%s", d.name);
		break;
	case TAP_STYLE_FILE:
		if (d.file)
			return scnprintf(to, room, "%s", d.file);
		break;
	case TAP_STYLE_LINE:
		if (d.file)
			return scnprintf(to, room, "%u", d.line);
		break;
	case TAP_STYLE_FILE_LINE:
		if (d.file)
			return scnprintf(to, room, "%s:%u", d.file, d.line);
		break;
	}
	return unwind_write_number(to, room, "", a->address, "");
}

/* ---- functions for the tapset ---- */

/* Room for a string of maximum size on the scratch stack; NULL with the error set. */
static char *unwind_text_room(struct tap_context *c)
{
	return tap_scratch(c, tap_script.limits.string);
}

static struct tap_user_address unwind_look_up(struct tap_context *c, u64 address, char *name, u32 room)
{
	struct tap_user_address a = { .address = address };
	struct tap_mappings m;

	if (!tap_mappings_hold(&m, c->regs))
		return a;
	if (tap_mappings_find(&m, address)) {
		a.known = m.known;
		a.offset = address - m.start + m.offset;
		if (name && !(m.known && m.known->is_made))
			strscpy(name, m.known ? m.known->image.names : m.name, room);
	}
	tap_mappings_release(&m);
	return a;
}

struct tap_string tap_user_text(struct tap_context *c, u64 address, enum tap_user_style style)
{
	char *text = unwind_text_room(c);
	struct tap_user_address a;

	if (!text)
		return TAP_EMPTY;
	a = unwind_look_up(c, address, NULL, 0);
	return (struct tap_string){ text, unwind_write_address(text, tap_script.limits.string, &a, style) };
}

static void unwind_no_file(struct tap_context *c, u64 address)
{
	tap_error(c, "0x%llx is in no file that the process has mapped", address);
}

struct tap_string tap_user_module(struct tap_context *c, u64 address)
{
	char *text = unwind_text_room(c);

	if (!text)
		return TAP_EMPTY;
	text[0] = 0;
	unwind_look_up(c, address, text, tap_script.limits.string);
	if (text[0])
		return (struct tap_string){ text, strlen(text) };
	unwind_no_file(c, address);
	return TAP_EMPTY;
}

u64 tap_user_module_start(struct tap_context *c, u64 address)
{
	struct tap_mappings m;
	u64 start = 0;

	if (tap_mappings_hold(&m, c->regs)) {
		start = tap_mappings_file_start(&m, address);
		tap_mappings_release(&m);
	}
	if (!start)
		unwind_no_file(c, address);
	return start;
}

struct tap_string tap_user_stack_text(struct tap_context *c, enum tap_user_style style)
{
	const struct tap_user_stack *s = tap_user_stack(c);
	u32 room = tap_script.limits.string, size = 0;
	char *text = unwind_text_room(c);

	for (u32 i = 0; s && text && i < s->count; i++) {
		u32 n = unwind_write_address(text + size, room - size, &s->frames[i], style);

		if (size + n + 1 >= room)
			break;			/* the text may be truncated */
		size += n;
	}
	if (!text)
		return TAP_EMPTY;
	text[size] = 0;
	return (struct tap_string){ text, size };
}

struct tap_string tap_user_stack_numbers(struct tap_context *c, u32 most)
{
	const struct tap_user_stack *s = tap_user_stack(c);
	u32 room = tap_script.limits.string, size = 0;
	char *text = unwind_text_room(c);

	for (u32 i = 0; s && text && i < min(most, s->count) && size + 1 + TAP_MOST_HEX < room; i++) {
		if (i)
			text[size++] = ' ';
		size += tap_symbol_hex(text + size, s->frames[i].address);
	}
	if (!text)
		return TAP_EMPTY;
	text[size] = 0;
	return (struct tap_string){ text, size };
}

/* On a real-time kernel the lock of a process's mappings cannot be released where interrupts are off. */
#ifdef CONFIG_PREEMPT_RT
#define OR_INTERRUPTS ", or interrupts were off"
#else
#define OR_INTERRUPTS ""
#endif

static const char *unwind_reason_of(enum tap_stack_end end)
{
	switch (end) {
	case TAP_STACK_NOT_YET:
		return "the next file is not known yet";
	case TAP_STACK_NO_TABLES:
		return "the caller is unknown";
	case TAP_STACK_UNREADABLE:
		return "the stack cannot be read";
	case TAP_STACK_BUSY:
		return "the process is changing its mappings" OR_INTERRUPTS;
	default:
		return NULL;
	}
}

void tap_user_stack_print(struct tap_context *c, const struct tap_user_stack *s, enum tap_user_style style)
{
	char *mark = c->scratch, *line = unwind_text_room(c);
	u32 room = tap_script.limits.string;

	if (line && !s)
		tap_print_text(c, TAP_ITEM_TEXT, (struct tap_string){
			line, scnprintf(line, room, "<no user backtrace at %s>\n", tap_pp(c).data) });
	for (u32 i = 0; line && s && i < s->count; i++) {
		u32 n = unwind_write_address(line, room, &s->frames[i], style);

		tap_print_text(c, TAP_ITEM_TEXT, (struct tap_string){ line, n });
	}
	if (line && s && unwind_reason_of(s->end))
		tap_print_text(c, TAP_ITEM_TEXT, (struct tap_string){
			line, scnprintf(line, room, " (incomplete: %s)\n", unwind_reason_of(s->end)) });
	c->scratch = mark;
}

/* ---- the flow ---- */

static int unwind_open(void)
{
	tap_mappings_open();
	stacks = tap_zalloc(nr_cpu_ids * TAP_LEVELS * unwind_stack_size(), NUMA_NO_NODE);
	return stacks ? 0 : -ENOMEM;
}

static void unwind_report(void)
{
	s64 total = 0, incomplete;

	for (u32 i = 0; i < TAP_STACK_ENDS; i++)
		total += atomic64_read(&ends[i]);
	incomplete = total - atomic64_read(&ends[TAP_STACK_WHOLE]) - atomic64_read(&ends[TAP_STACK_LONG]);
	if (incomplete)
		tap_message(TAP_ITEM_WARNING,
			    "%lld of %lld user stacks are incomplete: %lld came before the tables of a file, %lld met code without tables, %lld were not readable, %lld met a process that was changing its mappings" OR_INTERRUPTS,
			    incomplete, total, (s64)atomic64_read(&ends[TAP_STACK_NOT_YET]),
			    (s64)atomic64_read(&ends[TAP_STACK_NO_TABLES]),
			    (s64)atomic64_read(&ends[TAP_STACK_UNREADABLE]),
			    (s64)atomic64_read(&ends[TAP_STACK_BUSY]));
}

static void unwind_close(void)
{
	tap_mappings_quiesce();
	tap_images_close();
	tap_zfree(stacks, nr_cpu_ids * TAP_LEVELS * unwind_stack_size());
}

const struct tap_service tap_unwind_service = {
	.open = unwind_open, .publish = tap_images_publish, .await = tap_images_await, .stop = tap_images_stop,
	.report = unwind_report, .close = unwind_close,
};
