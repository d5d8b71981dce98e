// SPDX-License-Identifier: GPL-2.0-or-later
/* Two tables with open addressing, without deletion. A link is one word, which is its key: added by a cmpxchg.
 * Names are added under a lock and found without it. */
#include "chains.h"

#include <linux/hash.h>
#include <linux/irqflags.h>
#include <linux/string.h>

#include "arch/arch.h"
#include "context.h"
#include "core/string.h"
#include "symbol.h"
#include "syscalls/show.h"

enum { PROBES = 32 };
enum { NAME_FREE, NAME_TEXT, NAME_FUNCTION };

struct name {
	u64 text[2];
	u32 kind;
	atomic64_t wall;
};

struct link {
	u64 key;			/* 0: free */
	atomic64_t count, ns;
	u64 longest;
};

/* The members of a key. */
enum { REST_BITS = 14, NAME_BITS = 12, PLACE_BITS = 16, KIND_BITS = 5, DEPTH_BITS = 4 };
enum {
	NAME_AT = REST_BITS, PLACE_AT = NAME_AT + NAME_BITS, KIND_AT = PLACE_AT + PLACE_BITS,
	DEPTH_AT = KIND_AT + KIND_BITS,
};

static struct name *names;
static struct link *links;
static u32 full;			/* the chain that stands for those without room */
static atomic_t names_lock;

static const char *const kind_names[] = {
	[TAP_CHAIN_WAITS] = "", [TAP_CHAIN_RUNS] = "runs", [TAP_CHAIN_IS_RUNNABLE] = "waits for a CPU",
	[TAP_CHAIN_TIMER] = "timer", [TAP_CHAIN_DISK] = "disk", [TAP_CHAIN_NETWORK] = "network",
	[TAP_CHAIN_INTERRUPT] = "interrupt", [TAP_CHAIN_SOFTIRQ] = "softirq",
	[TAP_CHAIN_UNSEEN] = "not seen yet", [TAP_CHAIN_UNBORN] = "not started yet",
	[TAP_CHAIN_UNKNOWN] = "waker unknown", [TAP_CHAIN_UNFINISHED] = "not woken up",
	[TAP_CHAIN_LOCKED] = "",
	[TAP_CHAIN_SHORT] = "shorter waits", [TAP_CHAIN_MORE] = "no room for more", [TAP_CHAIN_OTHERS] = "others",
};

#define NUMBER(name, number) { #name, number },
static const struct {
	const char *name;
	u32 number;
} call_names[] = {
#include TAP_SYSCALL_NUMBERS
};
#undef NUMBER

/* ---- names ---- */

static bool chains_name_is(const struct name *n, u32 kind, const u64 text[2])
{
	return n->kind == kind && n->text[0] == text[0] && n->text[1] == text[1];
}

static u32 chains_find_name(u32 kind, const u64 text[2], bool *is_free)
{
	u32 first = hash_64(text[0] ^ (text[1] * 31 + kind), NAME_BITS);

	for (u32 i = 0; i < PROBES; i++) {
		u32 at = (first + i) & (TAP_CHAIN_NAMES - 1);
		u32 used = smp_load_acquire(&names[at].kind);

		*is_free = !used && at;		/* 0 is that without room */
		if (*is_free || chains_name_is(&names[at], kind, text))
			return at;
	}
	return 0;
}

static u32 chains_add_name(u32 kind, const u64 text[2])
{
	unsigned long flags;
	bool is_free;
	u32 at = chains_find_name(kind, text, &is_free);

	if (!is_free)
		return at;
	local_irq_save(flags);
	if (!tap_chains_lock(&names_lock)) {
		local_irq_restore(flags);
		return 0;
	}
	at = chains_find_name(kind, text, &is_free);
	if (is_free) {
		names[at].text[0] = text[0];
		names[at].text[1] = text[1];
		smp_store_release(&names[at].kind, kind);
	}
	tap_chains_unlock(&names_lock);
	local_irq_restore(flags);
	return at;
}

u32 tap_chain_name(const u64 text[2])
{
	return chains_add_name(NAME_TEXT, text);
}

u32 tap_chain_function(unsigned long address)
{
	return chains_add_name(NAME_FUNCTION, (u64[]){ address, 0 });
}

/* ---- links ---- */

static u32 chains_rest(u64 key) { return key & (TAP_CHAINS - 1); }
static u32 chains_name(u64 key) { return key >> NAME_AT & (TAP_CHAIN_NAMES - 1); }
static u32 chains_place(u64 key) { return key >> PLACE_AT & ((1 << PLACE_BITS) - 1); }
static u32 chains_kind(u64 key) { return key >> KIND_AT & ((1 << KIND_BITS) - 1); }
static u32 chains_depth(u64 key) { return key >> DEPTH_AT; }

static u64 chains_key(u32 chain)
{
	return chain && chain < TAP_CHAINS ? READ_ONCE(links[chain].key) : 0;
}

static u32 chains_add(u32 kind, u32 name, u32 place, u32 rest)
{
	u64 key = (u64)rest | (u64)name << NAME_AT | (u64)place << PLACE_AT | (u64)kind << KIND_AT |
		  (u64)((rest ? chains_depth(links[rest].key) : 0) + 1) << DEPTH_AT;
	u32 first = hash_64(key, REST_BITS);

	for (u32 i = 0; i < PROBES; i++) {
		u32 at = (first + i) & (TAP_CHAINS - 1);
		u64 found = READ_ONCE(links[at].key);

		if (!found && at)
			found = cmpxchg(&links[at].key, 0, key) ?: key;
		if (found == key)
			return at;
	}
	return full;
}

/* The first links of a chain that would be too deep. */
static u32 chains_cut(u32 chain)
{
	u64 keys[TAP_CHAIN_DEPTH - 1];
	u32 n = 0, rest;

	for (; n < TAP_CHAIN_DEPTH - 1 && chains_rest(chains_key(chain)); chain = chains_rest(keys[n++]))
		keys[n] = chains_key(chain);
	rest = chains_kind(chains_key(chain)) == TAP_CHAIN_MORE ? chain : full;
	while (n--)
		rest = chains_add(chains_kind(keys[n]), chains_name(keys[n]), chains_place(keys[n]), rest);
	return rest;
}

u32 tap_chain_of(enum tap_chain_kind kind, u32 name, u32 place, u32 rest)
{
	rest %= TAP_CHAINS;
	if (rest && chains_depth(links[rest].key) > TAP_CHAIN_DEPTH)
		rest = chains_cut(rest);
	return chains_add(kind, name, place, rest);
}

void tap_chain_account(u32 chain, u32 count, u64 ns, u64 longest)
{
	struct link *l = &links[chain % TAP_CHAINS];

	atomic64_add(count, &l->count);
	atomic64_add(ns, &l->ns);
	if (longest > READ_ONCE(l->longest))
		WRITE_ONCE(l->longest, longest);
}

void tap_chain_account_wall(u32 name, u64 ns)
{
	atomic64_add(ns, &names[name].wall);
}

/* ---- reports ---- */

static u64 chains_given(s64 chain)
{
	return links && chain > 0 && chain < TAP_CHAINS ? READ_ONCE(links[chain].key) : 0;
}

s64 tap_chain_kind(s64 chain)
{
	u32 kind = chains_kind(chains_given(chain));

	return kind == TAP_CHAIN_LOCKED ? TAP_CHAIN_WAITS : kind;
}

s64 tap_chain_count(s64 chain) { return chains_given(chain) ? atomic64_read(&links[chain].count) : 0; }
s64 tap_chain_ns(s64 chain) { return chains_given(chain) ? atomic64_read(&links[chain].ns) : 0; }
s64 tap_chain_longest(s64 chain) { return chains_given(chain) ? READ_ONCE(links[chain].longest) : 0; }

s64 tap_chain_next(s64 chain)
{
	while (links && chain >= 0 && ++chain < TAP_CHAINS)
		if (atomic64_read(&links[chain].count))
			return chain;
	return 0;
}

s64 tap_chain_wall(s64 chain)
{
	u64 key = chains_given(chain);

	return key ? atomic64_read(&names[chains_name(key)].wall) : 0;
}

s64 tap_chain_depth(s64 chain)
{
	return chains_depth(chains_given(chain));
}

s64 tap_chain_rest(s64 chain)
{
	return chains_rest(chains_given(chain));
}

struct text {
	char *data;
	u32 size, room;
};

static void chains_put(struct text *t, struct tap_string s)
{
	u32 size = min_t(u64, s.size, t->room - 1 - t->size);

	memcpy(t->data + t->size, s.data, size);
	t->size += size;
}

static void chains_put_text(struct text *t, const char *text)
{
	chains_put(t, (struct tap_string){ text, strlen(text) });
}

static void chains_put_name(struct tap_context *c, struct text *t, u32 name)
{
	const struct name *n = &names[name];
	const char *data = (const char *)n->text;
	char *mark = c->scratch;

	if (n->kind == NAME_FUNCTION)
		chains_put(t, tap_symbol_name(c, n->text[0]));
	else if (n->kind == NAME_TEXT)
		chains_put(t, (struct tap_string){ data, strnlen(data, sizeof(n->text)) });
	else
		chains_put_text(t, "?");
	c->scratch = mark;
}

static void chains_put_place(struct text *t, u32 place)
{
	char number[12];

	if (place == TAP_PLACE_FAULT || place == TAP_PLACE_NARROW)
		return chains_put_text(t, place == TAP_PLACE_FAULT ? "page fault" : "32-bit call");
	for (u32 i = 0; i < ARRAY_SIZE(call_names); i++)
		if (call_names[i].number == place)
			return chains_put_text(t, call_names[i].name);
	scnprintf(number, sizeof(number), "call %u", place);
	chains_put_text(t, number);
}

static bool chains_is_origin(u32 kind)
{
	return kind >= TAP_CHAIN_TIMER && kind <= TAP_CHAIN_SOFTIRQ;
}

/* "B in futex", "B runs", "timer hrtimer_wakeup", "B: not seen yet". */
static void chains_put_link(struct tap_context *c, struct text *t, u64 key, bool named)
{
	u32 kind = chains_kind(key), name = chains_name(key), place = chains_place(key);

	if (chains_is_origin(kind)) {
		chains_put_text(t, kind_names[kind]);
		if (name)
			chains_put_text(t, " ");
		if (name)
			chains_put_name(c, t, name);
		return;
	}
	if (named && name)
		chains_put_name(c, t, name);
	if (kind == TAP_CHAIN_WAITS || kind == TAP_CHAIN_LOCKED) {
		if (place != TAP_PLACE_NONE)
			chains_put_text(t, named ? " in " : "");
		if (place != TAP_PLACE_NONE)
			chains_put_place(t, place);
		else if (!named)
			chains_put_text(t, "waits");
		return;
	}
	if (named && name)
		chains_put_text(t, kind <= TAP_CHAIN_IS_RUNNABLE ? " " : ": ");
	chains_put_text(t, kind_names[kind]);
}

struct tap_string tap_chain_text(struct tap_context *c, s64 chain, bool folded, s64 most)
{
	u32 room = tap_script.limits.string, at = chain;
	struct text t = { .data = tap_scratch(c, room), .room = room };
	bool is_first = true, is_lock = false;

	if (!t.data || !chains_given(chain))
		return TAP_EMPTY;
	for (u32 i = 0; at && i < most && i < 2 * TAP_CHAIN_DEPTH; i++, is_first = false) {
		if (!is_first)
			chains_put_text(&t, folded ? ";" : " <- ");
		if (is_lock)
			chains_put_text(&t, "lock held by ");
		chains_put_link(c, &t, chains_key(at), !folded || !is_first);
		is_lock = chains_kind(chains_key(at)) == TAP_CHAIN_LOCKED;
		at = chains_rest(chains_key(at));
	}
	t.data[t.size] = 0;
	return (struct tap_string){ t.data, t.size };
}

struct tap_string tap_chain_first(struct tap_context *c, s64 chain)
{
	u64 key = chains_given(chain);
	struct text t = { .data = tap_scratch(c, tap_script.limits.string), .room = tap_script.limits.string };

	if (!t.data || !key)
		return TAP_EMPTY;
	chains_put_name(c, &t, chains_name(key));
	t.data[t.size] = 0;
	return (struct tap_string){ t.data, t.size };
}

/* ---- the tables ---- */

int tap_chains_start(void)
{
	names = tap_zalloc(TAP_CHAIN_NAMES * sizeof(*names), NUMA_NO_NODE);
	links = tap_zalloc(TAP_CHAINS * sizeof(*links), NUMA_NO_NODE);
	if (!names || !links)
		return -ENOMEM;
	full = chains_add(TAP_CHAIN_MORE, 0, TAP_PLACE_NONE, 0);
	return 0;
}

void tap_chains_stop(void)
{
	if (names)
		tap_zfree(names, TAP_CHAIN_NAMES * sizeof(*names));
	if (links)
		tap_zfree(links, TAP_CHAINS * sizeof(*links));
	names = NULL;
	links = NULL;
}
