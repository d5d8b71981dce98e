// SPDX-License-Identifier: GPL-2.0-or-later
/* Hooks of the network stack, in each network namespace, including those created later. Without a verdict from the
 * handler a packet is accepted. */
#include <linux/netfilter.h>
#include <net/net_namespace.h>

#include "families.h"
#include "probe.h"

/* The data passed to handlers; translator/probes/netfilter.c knows the order. */
struct packet {
	u64 skb, in, out, state, hook, family;
	u32 verdict;
	u32 repeats;			/* so far */
};

enum { MOST_REPEATS = 16 };

static struct tap_row *our_rows;
static u32 our_count;
static bool registered;

static const struct tap_netfilter *netfilter_of(const struct tap_row *row)
{
	return row->probe->where;
}

s64 tap_netfilter_verdict(struct tap_context *c)
{
	return ((struct packet *)c->entry)->verdict;
}

/* For a stolen packet something must free it, and for a queued one something must wait for it; the kernel treats
 * "stop" and "repeat" from a hook like "stolen" (nf_hook_slow()): such packets stay in memory forever. */
void tap_netfilter_set_verdict(struct tap_context *c, s64 verdict)
{
	struct packet *p = c->entry;

	if (verdict != NF_DROP && verdict != NF_ACCEPT && verdict != NF_REPEAT)
		tap_error(c, "a verdict is 0 (drop), 1 (accept) or 4 (repeat), not %lld", verdict);
	else if (verdict == NF_REPEAT && p->repeats >= MOST_REPEATS)
		tap_error(c, "a packet can be repeated at most %d times: this one is accepted", MOST_REPEATS);
	else
		p->verdict = verdict;
}

#ifdef CONFIG_NETFILTER
static unsigned int netfilter_passes(void *row, struct sk_buff *skb, const struct nf_hook_state *state)
{
	struct packet p = {
		.skb = (unsigned long)skb, .in = (unsigned long)state->in, .out = (unsigned long)state->out,
		.state = (unsigned long)state, .hook = state->hook, .family = state->pf, .verdict = NF_ACCEPT,
	};

	/* run the handler again for "repeat": the last round cannot request it */
	for (; p.repeats <= MOST_REPEATS; p.repeats++) {
		p.verdict = NF_ACCEPT;
		tap_hit_given(row, NULL, &p);
		if (p.verdict != NF_REPEAT)
			break;
	}
	return p.verdict;
}

static int __net_init netfilter_net_comes(struct net *net)
{
	for (struct tap_row *row = our_rows; row < our_rows + our_count; row++) {
		int err = row->family ? nf_register_net_hook(net, row->family) : 0;

		if (!err)
			continue;
		while (row-- > our_rows)
			if (row->family)
				nf_unregister_net_hook(net, row->family);
		return err;
	}
	return 0;
}

static void __net_exit netfilter_net_goes(struct net *net)
{
	for (struct tap_row *row = our_rows; row < our_rows + our_count; row++)
		if (row->family)
			nf_unregister_net_hook(net, row->family);
}

static struct pernet_operations everywhere = { .init = netfilter_net_comes, .exit = netfilter_net_goes };

static int netfilter_row_start(struct tap_row *row)
{
	const struct tap_netfilter *n = netfilter_of(row);
	struct nf_hook_ops *ops;

	if (tap_fail_here()) {
		tap_start_failed(row, "no hook (requested by fail_at)");
		return 0;
	}
	ops = tap_zalloc(sizeof(*ops), NUMA_NO_NODE);
	if (!ops)
		return -ENOMEM;
	*ops = (struct nf_hook_ops){
		.hook = netfilter_passes, .priv = row, .pf = n->family, .hooknum = n->hook, .priority = n->priority,
	};
	row->family = ops;
	return 0;
}

static int netfilter_start(struct tap_row *rows, u32 count)
{
	int err = 0;

	our_rows = rows;
	our_count = count;
	for (struct tap_row *row = rows; row < rows + count && !err; row++)
		err = netfilter_row_start(row);
	if (err)
		return err;
	err = tap_fail_here() ? -EIO : register_pernet_subsys(&everywhere);
	registered = !err;
	for (struct tap_row *row = rows; row < rows + count && err; row++)	/* none of them has its hook */
		if (row->family)
			tap_start_failed(row, "the kernel refuses a hook of the network stack (error %d)", err);
	return 0;
}

static void netfilter_stop(struct tap_row *rows, u32 count)
{
	if (registered)
		unregister_pernet_subsys(&everywhere);
	registered = false;
	synchronize_net();
	for (struct tap_row *row = rows; row < rows + count; row++) {
		if (row->family)
			tap_zfree(row->family, sizeof(struct nf_hook_ops));
		row->family = NULL;
	}
}
#else
static int netfilter_start(struct tap_row *rows, u32 count)
{
	for (struct tap_row *row = rows; row < rows + count; row++)
		tap_start_failed(row, "this kernel has no hooks in its network stack (CONFIG_NETFILTER)");
	return 0;
}
static void netfilter_stop(struct tap_row *rows, u32 count) { }
#endif

const struct tap_probe_ops tap_netfilter = {
	.name = "netfilter", .start = netfilter_start, .stop = netfilter_stop,
};
