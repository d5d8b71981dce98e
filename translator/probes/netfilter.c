/* SPDX-License-Identifier: GPL-2.0-or-later */
/* netfilter.hook("NF_INET_LOCAL_IN").pf("NFPROTO_IPV4"), in either order, with
 * .priority("NF_IP_PRI_FIRST"): each packet that passes a hook of the network stack, in all network
 * namespaces. In guru mode, $verdict decides what happens to the packet. */
#include "points/family.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/debuginfo.h"
#include "debuginfo/images.h"
#include "source/options.h"
#include "base/util.h"
#include "debuginfo/type_name.h"

#include "tap_script.h"

static const struct point_shape shapes[] = {
	{ "netfilter.hook(string).pf(string)", "each packet at a hook of the network stack", 0 },
	{ "netfilter.pf(string).hook(string)", "each packet at a hook of the network stack", 0 },
	{ "netfilter.hook(string).pf(string).priority(string)",
	  "each packet at a hook of the network stack, in order of priority, lowest first", 0 },
	{ "netfilter.pf(string).hook(string).priority(string)",
	  "each packet at a hook of the network stack, in order of priority, lowest first", 0 },
	{ NULL, NULL, 0 },
};

static const struct row_layout layout = ROW_LAYOUT(tap_netfilter,
	ROW_MEMBER(tap_netfilter, family),
	ROW_MEMBER(tap_netfilter, hook),
	ROW_MEMBER(tap_netfilter, priority));

const struct probe_family netfilter_family;

struct name {
	const char *name;
	int value;
};

/* include/uapi/linux/netfilter.h, netfilter_ipv4.h and others: constants of the kernel's user interface. */
static const struct name families_named[] = {
	{ "NFPROTO_INET", 1 }, { "NFPROTO_IPV4", 2 }, { "NFPROTO_ARP", 3 }, { "NFPROTO_BRIDGE", 7 },
	{ "NFPROTO_IPV6", 10 }, { NULL, 0 },
};
/* In guru mode a number will do, and these, which have the same ones. */
static const struct name families_also[] = {
	{ "PF_INET", 2 }, { "AF_INET", 2 }, { "PF_BRIDGE", 7 }, { "AF_BRIDGE", 7 }, { "PF_INET6", 10 },
	{ "AF_INET6", 10 }, { NULL, 0 },
};
static const struct name internet_hooks[] = {
	{ "PRE_ROUTING", 0 }, { "LOCAL_IN", 1 }, { "FORWARD", 2 }, { "LOCAL_OUT", 3 },
	{ "POST_ROUTING", 4 }, { NULL, 0 },
};
static const struct name arp_hooks[] = { { "IN", 0 }, { "OUT", 1 }, { "FORWARD", 2 }, { NULL, 0 } };
/* Not BROUTING: the kernel keeps no list for it, and warns if a hook is registered there. */
static const struct name bridge_hooks[] = {
	{ "PRE_ROUTING", 0 }, { "LOCAL_IN", 1 }, { "FORWARD", 2 }, { "LOCAL_OUT", 3 },
	{ "POST_ROUTING", 4 }, { NULL, 0 },
};
static const struct name internet_priorities[] = {
	{ "FIRST", INT_MIN }, { "RAW_BEFORE_DEFRAG", -450 }, { "CONNTRACK_DEFRAG", -400 }, { "RAW", -300 },
	{ "SELINUX_FIRST", -225 }, { "CONNTRACK", -200 }, { "MANGLE", -150 }, { "NAT_DST", -100 },
	{ "FILTER", 0 }, { "SECURITY", 50 }, { "NAT_SRC", 100 }, { "SELINUX_LAST", 225 },
	{ "CONNTRACK_HELPER", 300 }, { "CONNTRACK_CONFIRM", INT_MAX }, { "LAST", INT_MAX }, { NULL, 0 },
};
static const struct name bridge_priorities[] = {
	{ "FIRST", INT_MIN }, { "NAT_DST_BRIDGED", -300 }, { "FILTER_BRIDGED", -200 }, { "BRNF", 0 },
	{ "NAT_DST_OTHER", 100 }, { "FILTER_OTHER", 200 }, { "NAT_SRC", 300 }, { "LAST", INT_MAX }, { NULL, 0 },
};

static bool named(const struct name *names, const char *text, const char *prefix, int64_t *value)
{
	size_t n = strlen(prefix);

	for (; names->name; names++)
		if (!strncmp(text, prefix, n) && str_equal(text + n, names->name)) {
			*value = names->value;
			return true;
		}
	return false;
}

static bool numbered(const char *text, int64_t least, int64_t most, int64_t *value)
{
	char *end;

	*value = strtoll(text, &end, 0);
	return *text && !*end && *value >= least && *value <= most;
}

static bool has_value(const struct name *names, int64_t value)
{
	for (; names->name; names++)
		if (names->value == value)
			return true;
	return false;
}

/* A number that the kernel keeps no hooks for is no choice in guru mode, either: it would warn, and refuse the
 * module. */
static bool find_family(const char *text, bool guru, int64_t *value)
{
	return named(families_named, text, "", value) ||
	       (guru && (named(families_also, text, "", value) ||
			 (numbered(text, 0, UINT8_MAX, value) && has_value(families_named, *value))));
}

static const struct name *hooks_of(int64_t family)
{
	return family == 3 ? arp_hooks : family == 7 ? bridge_hooks : internet_hooks;
}

static bool find_hook(int64_t family, const char *text, bool guru, int64_t *value)
{
	const struct name *hooks = hooks_of(family);

	if (guru && numbered(text, 0, INT_MAX, value) && has_value(hooks, *value))
		return true;
	switch (family) {
	case 3: return named(hooks, text, "NF_ARP_", value);
	case 7: return named(hooks, text, "NF_BR_", value);
	case 10: return named(hooks, text, "NF_INET_", value) || named(hooks, text, "NF_IP6_", value);
	default: return named(hooks, text, "NF_INET_", value) || named(hooks, text, "NF_IP_", value);
	}
}

static bool find_priority(const char *text, int64_t *value)
{
	return numbered(text, INT_MIN, INT_MAX, value) || named(internet_priorities, text, "NF_IP_PRI_", value) ||
	       named(internet_priorities, text, "NF_IP6_PRI_", value) ||
	       named(bridge_priorities, text, "NF_BR_PRI_", value);
}

static bool resolve(const struct point *point, const struct point_shape *shape, struct sites *sites)
{
	const char *pf = point_component(point, "pf")->text, *hook = point_component(point, "hook")->text;
	const struct point_component *priority = point_component(point, "priority");
	bool guru = sites->options->guru;
	int64_t family, number, order = 0;
	struct tap_netfilter *row;

	if (!find_family(pf, guru, &family)) {
		sites_reason(sites, "no protocol family '%s': use NFPROTO_IPV4, NFPROTO_IPV6, NFPROTO_ARP, "
			     "NFPROTO_BRIDGE or NFPROTO_INET", pf);
		if (!guru && (named(families_also, pf, "", &family) || numbered(pf, 0, UINT8_MAX, &family)))
			sites_reason(sites, "other names and numbers need guru mode (-g)");
		return false;
	}
	if (!find_hook(family, hook, guru, &number)) {
		sites_reason(sites, "%s has no hook '%s'", pf, hook);
		return false;
	}
	if (priority && !find_priority(priority->text, &order)) {
		sites_reason(sites, "no priority '%s': expected a number or a name such as NF_IP_PRI_FIRST",
			     priority->text);
		return false;
	}
	row = arena_new(sites->arena, struct tap_netfilter);
	*row = (struct tap_netfilter){ .family = (u8)family, .hook = (u8)number, .priority = (s32)order };
	site_add(sites, &netfilter_family, point, shape)->data = row;
	return true;
}

/* ---- variables ---- */

/* The words of struct tap_packet. */
static const struct {
	const char *name, *type;
} given[] = {
	{ "skb", "struct sk_buff *" }, { "in", "struct net_device *" }, { "out", "struct net_device *" },
	{ "state", "struct nf_hook_state *" }, { "hooknum", "long" }, { "pf", "long" },
};

static bool give(struct sites *sites, size_t i, struct debug_variable *out)
{
	struct location_step *step;

	*out = (struct debug_variable){ .name = given[i].name, .is_parameter = true };
	if (debuginfo_type(images_kernel(sites->images), given[i].type, &out->type) != DEBUGINFO_FOUND)
		return false;
	out->location.kind = LOCATION_IS_VALUE;
	step = vec_add(sites->arena, &out->location.steps);
	*step = (struct location_step){ .op = LOCATION_GIVEN, .value = (int64_t)(8 * i) };
	return true;
}

static bool variable(const struct site *site, const char *name, struct site_variable *out,
		     struct sites *sites)
{
	(void)site;
	*out = (struct site_variable){ .type = TYPE_LONG };
	if (str_equal(name, "verdict")) {
		out->get = "tap_netfilter_verdict(c)";
		out->set = "tap_netfilter_set_verdict";
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(given); i++)
		if (str_equal(name, given[i].name)) {
			if (give(sites, i, &out->debug))
				return true;
			sites_reason(sites, "%s", debuginfo_reason(images_kernel(sites->images)));
			return false;
		}
	sites_reason(sites, "a packet has $skb, $in, $out, $state, $hooknum, $pf and $verdict");
	return false;
}

static void variables(const struct site *site, unsigned what, site_variables *out, struct sites *sites)
{
	struct debug_variable v;

	(void)site;
	for (size_t i = 0; what & VARIABLES_PARAMETERS && i < ARRAY_SIZE(given); i++)
		if (give(sites, i, &v))
			*vec_add(sites->arena, out) = (struct site_variable){ .debug = v };
}

const struct probe_family netfilter_family = {
	.name = "netfilter",
	.shapes = shapes,
	.resolve = resolve,
	.runtime_ops = "tap_netfilter",
	.where = &layout,
	.variable = variable,
	.variables = variables,
	.by = { "netfilter", 0, false },
	.row_bytes = 1024,
};
