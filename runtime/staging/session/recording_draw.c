// SPDX-License-Identifier: GPL-2.0-or-later
/* The state of each CPU and thread follows from the events. What began before the first event is drawn if its end is
 * seen: a system call from the time on since which the history of all CPUs is complete. */
#include "recording_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/host.h"

enum { THREADS = 1 << 24, PART = 1 << 10, MOST_IRQS = 1 << 16, WORDS = 96 };

enum state { STATE_UNKNOWN, STATE_RUNS, STATE_READY, STATE_SLEEPS };

struct thread {
	enum state state;
	bool waits;			/* a slice says so */
	bool ends;
	bool has_called;		/* what it called before is known */
	uint32_t call;			/* in which it is, plus 1; 0: none */
	uint64_t arrow;			/* that ends where it runs; 0: no */
};

struct cpu {
	uint32_t thread;
	uint32_t interrupts;		/* that run */
};

struct drawing {
	struct recording *recording;
	struct timeline *timeline;
	struct thread **parts;		/* of PART threads each, in the order of their numbers */
	struct cpu *cpus;
	char **irqs;			/* their names */
	uint64_t arrows;
};

/* ---- names ---- */

#define NUMBER(name, number) [number] = #name,
static const char *const calls[] = {
#if defined(__x86_64__)
#include "abi/syscalls_x86_64.def"
#elif defined(__aarch64__)
#include "abi/syscalls_aarch64.def"
#elif defined(__riscv)
#include "abi/syscalls_riscv64.def"
#endif
};
static const char *const narrow_calls[] = {
#if defined(__x86_64__)
#include "abi/syscalls_i386.def"
#else
	NULL
#endif
};
#undef NUMBER

static const char *call_name(uint32_t call, char text[WORDS])
{
	bool narrow = call & TAP_RECORDED_NARROW;
	uint32_t number = call & ~TAP_RECORDED_NARROW;
	const char *name = narrow ? number < ARRAY_SIZE(narrow_calls) ? narrow_calls[number] : NULL
				  : number < ARRAY_SIZE(calls) ? calls[number] : NULL;

	if (!name)
		snprintf(text, WORDS, "%scall %u", narrow ? "32-bit " : "", number);
	return name ? name : text;
}

static const char *softirq_name(uint32_t vector, char text[WORDS])
{
	static const char *const names[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET",
					     "SCHED", "HRTIMER", "RCU" };

	snprintf(text, WORDS, "softirq %u", vector);
	return vector < ARRAY_SIZE(names) ? names[vector] : text;
}

/* The kernel's names of the handlers of an interrupt, as they are now. */
static const char *irq_name(struct drawing *d, uint32_t irq)
{
	char path[64];
	_cleanup_free_ char *actions = NULL;

	if (irq >= MOST_IRQS)
		return "irq";
	if (!d->irqs[irq]) {
		snprintf(path, sizeof(path), "/sys/kernel/irq/%u/actions", irq);
		actions = host_read_line(path);
		d->irqs[irq] = host_printf("irq %u %s", irq, actions ? actions : "");
	}
	return d->irqs[irq];
}

static const char *thread_name(const struct drawing *d, uint32_t thread, uint64_t time)
{
	const struct recording_thread *t = recording_thread_at(d->recording, thread, time);

	return t ? t->name : "?";
}

/* ---- rows ---- */

static struct timeline_text text_of(const char *text)
{
	return (struct timeline_text){ text, strlen(text) };
}

static struct timeline_event event_of(enum timeline_kind kind, const char *name, uint64_t value)
{
	return (struct timeline_event){
		.kind = kind, .name = text_of(name), .has_name = true, .value = (int64_t)value, .has_value = true,
	};
}

static void draw_on_cpu(struct drawing *d, const struct recording_event *at, enum timeline_kind kind,
			const char *name, uint64_t value)
{
	struct timeline_event e = event_of(kind, name, value);

	e.track = text_of("cpu");
	e.has_track = true;
	timeline_draw(d->timeline, &e, at->time, at->cpu);
}

/* The idle thread's row is that of the CPU. */
static void draw_on_thread(struct drawing *d, const struct recording_event *at, uint32_t thread,
			   enum timeline_kind kind, const char *name, uint64_t value)
{
	const struct recording_thread *t = recording_thread_at(d->recording, thread, at->time);
	struct timeline_event e = event_of(kind, name, value);

	e.tid = thread;
	e.pid = t ? t->process : thread;
	e.execname = text_of(t ? t->name : "?");
	e.has_thread = true;
	timeline_draw(d->timeline, &e, at->time, at->cpu);
}

static struct thread *thread_of(struct drawing *d, uint32_t thread)
{
	struct thread **part = &d->parts[thread % THREADS / PART];

	if (!*part)
		*part = host_alloc(PART * sizeof(**part));
	return &(*part)[thread % PART];
}

/* ---- threads on CPUs ---- */

static const char *slice_name(const struct drawing *d, uint32_t thread, uint64_t time, char text[WORDS])
{
	char digits[10], *at = digits + sizeof(digits), *to = stpcpy(text, thread_name(d, thread, time));
	size_t size;

	do
		*--at = (char)('0' + thread % 10);
	while (thread /= 10);
	size = (size_t)(digits + sizeof(digits) - at);
	*to++ = ' ';
	memcpy(to, at, size);
	to[size] = 0;
	return text;
}

/* The thread may have a new name, so the slice is ended by its place: it is the outermost one. */
static void end_all(struct drawing *d, const struct recording_event *e, struct cpu *cpu)
{
	for (; cpu->interrupts; cpu->interrupts--)
		draw_on_cpu(d, e, TIMELINE_END, "", 0);
	if (cpu->thread)
		draw_on_cpu(d, e, TIMELINE_END, "", 0);
	cpu->thread = 0;
}

static void wait_ends(struct drawing *d, const struct recording_event *e, uint32_t thread, struct thread *t)
{
	if (t->waits)
		draw_on_thread(d, e, thread, TIMELINE_END, "", 0);
	t->waits = false;
}

static void wait_begins(struct drawing *d, const struct recording_event *e, uint32_t thread, struct thread *t,
			enum state state)
{
	wait_ends(d, e, thread, t);
	t->state = state;
	t->waits = !t->ends;
	if (t->waits)
		draw_on_thread(d, e, thread, TIMELINE_BEGIN,
			       state == STATE_SLEEPS ? "sleeps" : "waits for a CPU", 0);
}

static void thread_runs(struct drawing *d, const struct recording_event *e, struct cpu *cpu)
{
	struct thread *t = thread_of(d, e->argument);
	char name[WORDS];

	cpu->thread = e->argument;
	if (!cpu->thread)
		return;
	wait_ends(d, e, cpu->thread, t);
	t->state = STATE_RUNS;
	t->ends = false;
	draw_on_cpu(d, e, TIMELINE_BEGIN, slice_name(d, cpu->thread, e->time, name), 0);
	if (t->arrow)
		draw_on_thread(d, e, cpu->thread, TIMELINE_TO, "runs", t->arrow);
	t->arrow = 0;
}

/* What it does is not known for a while. */
static void draw_runs(struct drawing *d, const struct recording_event *e, struct cpu *cpu)
{
	end_all(d, e, cpu);
	thread_runs(d, e, cpu);
}

static void draw_switch(struct drawing *d, const struct recording_event *e, struct cpu *cpu)
{
	uint32_t before = cpu->thread;

	end_all(d, e, cpu);
	if (before)
		wait_begins(d, e, before, thread_of(d, before),
			    e->kind == TAP_RECORDED_SLEEP ? STATE_SLEEPS : STATE_READY);
	thread_runs(d, e, cpu);
}

static void draw_wake(struct drawing *d, const struct recording_event *e, struct cpu *cpu)
{
	struct thread *t = thread_of(d, e->argument);
	char name[WORDS];

	if (!e->argument || t->state == STATE_RUNS || t->state == STATE_READY)
		return;
	t->ends = false;
	t->has_called |= e->kind == TAP_RECORDED_NEW;
	wait_begins(d, e, e->argument, t, STATE_READY);
	t->arrow = ++d->arrows;
	stpcpy(stpcpy(name, "wakes "), thread_name(d, e->argument, e->time));
	if (cpu->interrupts)
		draw_on_cpu(d, e, TIMELINE_FROM, name, t->arrow);
	else
		draw_on_thread(d, e, cpu->thread, TIMELINE_FROM, name, t->arrow);
}

/* ---- what threads do ---- */

static void draw_call(struct drawing *d, const struct recording_event *e, struct cpu *cpu)
{
	struct thread *t = thread_of(d, cpu->thread);
	char text[WORDS];

	if (t->call)		/* its end is missing */
		draw_on_thread(d, e, cpu->thread, TIMELINE_END, call_name(t->call - 1, text), 0);
	t->call = e->argument + 1;
	t->has_called = true;
	draw_on_thread(d, e, cpu->thread, TIMELINE_BEGIN, call_name(e->argument, text), 0);
}

static void draw_return(struct drawing *d, const struct recording_event *e, struct cpu *cpu)
{
	struct thread *t = thread_of(d, cpu->thread);
	uint64_t begun = d->recording->begun;
	char text[WORDS];

	if (t->call)
		draw_on_thread(d, e, cpu->thread, TIMELINE_END, call_name(t->call - 1, text), 0);
	else if (!t->has_called && e->time > begun)
		draw_on_thread(d, e, cpu->thread, TIMELINE_SPAN, call_name(e->argument, text), e->time - begun);
	t->call = 0;
	t->has_called = true;
}

static void draw_value(struct drawing *d, const struct recording_event *e, struct cpu *cpu)
{
	const struct recording *r = d->recording;
	const char *name = e->argument < r->name_count ? r->names[e->argument] : NULL;
	_cleanup_free_ char *text = host_printf("%s %lld", name ? name : "?", (long long)e->value);

	draw_on_thread(d, e, cpu->thread, TIMELINE_INSTANT, text, 0);
}

/* Its last system call does not return. Later events with its number are those of another thread. */
static void draw_exit(struct drawing *d, const struct recording_event *e)
{
	struct thread *t = thread_of(d, e->argument);

	if (t->call)
		draw_on_thread(d, e, e->argument, TIMELINE_END, "", 0);
	*t = (struct thread){ .state = t->state, .ends = true, .has_called = true };
}

/* ---- interrupts ---- */

static void draw_interrupt(struct drawing *d, const struct recording_event *e, struct cpu *cpu, const char *name)
{
	cpu->interrupts++;
	draw_on_cpu(d, e, TIMELINE_BEGIN, name, 0);
}

static void draw_interrupt_end(struct drawing *d, const struct recording_event *e, struct cpu *cpu)
{
	if (!cpu->interrupts)
		return;
	cpu->interrupts--;
	draw_on_cpu(d, e, TIMELINE_END, "", 0);
}

static void draw_event(struct drawing *d, const struct recording_event *e)
{
	struct cpu *cpu = &d->cpus[e->cpu];
	char text[WORDS];

	switch (e->kind) {
	case RECORDING_RUNS:
		draw_runs(d, e, cpu);
		break;
	case TAP_RECORDED_SLEEP:
	case TAP_RECORDED_PREEMPT:
		draw_switch(d, e, cpu);
		break;
	case TAP_RECORDED_WAKE:
	case TAP_RECORDED_NEW:
		draw_wake(d, e, cpu);
		break;
	case TAP_RECORDED_CALL:
		draw_call(d, e, cpu);
		break;
	case TAP_RECORDED_RETURN:
		draw_return(d, e, cpu);
		break;
	case TAP_RECORDED_FAULT_USER:
		draw_on_thread(d, e, cpu->thread, TIMELINE_INSTANT, "page fault", 0);
		break;
	case TAP_RECORDED_FAULT_KERNEL:
		draw_on_thread(d, e, cpu->thread, TIMELINE_INSTANT, "page fault in the kernel", 0);
		break;
	case TAP_RECORDED_IRQ:
		draw_interrupt(d, e, cpu, irq_name(d, e->argument));
		break;
	case TAP_RECORDED_SOFTIRQ:
		draw_interrupt(d, e, cpu, softirq_name(e->argument, text));
		break;
	case TAP_RECORDED_IRQ_END:
	case TAP_RECORDED_SOFTIRQ_END:
		draw_interrupt_end(d, e, cpu);
		break;
	case TAP_RECORDED_VALUE:
		draw_value(d, e, cpu);
		break;
	case TAP_RECORDED_EXIT:
		draw_exit(d, e);
		break;
	}
}

static uint32_t most_cpu(const struct recording *r)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < r->cpu_count; i++)
		if (r->cpus[i].number > most)
			most = r->cpus[i].number;
	return most;
}

uint64_t recording_draw(struct recording *r, struct timeline *t, uint64_t *first, uint64_t *last)
{
	struct drawing d = {
		.recording = r, .timeline = t, .parts = host_alloc(THREADS / PART * sizeof(*d.parts)),
		.cpus = host_alloc((most_cpu(r) + 1) * sizeof(*d.cpus)),
		.irqs = host_alloc(MOST_IRQS * sizeof(*d.irqs)),
	};
	struct recording_event e;
	uint64_t events = 0;

	*first = *last = 0;
	while (recording_next(r, &e)) {
		*first = *first ? *first : e.time;
		*last = e.time;
		events += e.kind != RECORDING_RUNS;
		draw_event(&d, &e);
	}
	for (uint32_t i = 0; i < THREADS / PART; i++)
		free(d.parts[i]);
	for (uint32_t i = 0; i < MOST_IRQS; i++)
		free(d.irqs[i]);
	free(d.parts);
	free(d.cpus);
	free(d.irqs);
	return events;
}
