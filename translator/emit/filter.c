/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiles packet filters by libpcap to programs of the classic BPF, which runtime/core runs. All are for packets with
 * a link layer header of Ethernet: the runtime supplies one where a packet has none. Equal filters share a program. */
#include "filter.h"

#include <string.h>
#ifdef HAVE_PCAP
#include <pcap/pcap.h>
#endif

#include "core/filter.h"
#include "source/diag.h"
#include "base/util.h"

#ifdef HAVE_PCAP
/* Does the text use VLAN tags? As a word: a name of a host may contain it. */
static bool uses_tags(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

	for (text += strcspn(text, letters); *text; text += strcspn(text, letters)) {
		size_t size = strspn(text, letters);

		if (size == 4 && str_starts(text, "vlan"))
			return true;
		text += size;
	}
	return false;
}

static struct tap_filter *compiled(struct arena *a, const struct bpf_program *program, const char *text)
{
	struct tap_filter_step *steps = arena_array(a, struct tap_filter_step, program->bf_len);
	struct tap_filter *f = arena_new(a, struct tap_filter);

	for (u32 i = 0; i < program->bf_len; i++) {
		const struct bpf_insn *one = &program->bf_insns[i];

		steps[i] = (struct tap_filter_step){ one->code, one->jt, one->jf, one->k };
	}
	*f = (struct tap_filter){ steps, program->bf_len, uses_tags(text) };
	return f;
}

static struct tap_filter *compile(struct plan *p, const struct expr *text)
{
	pcap_t *pcap = pcap_open_dead(DLT_EN10MB, TAP_FILTER_BYTES);
	struct bpf_program program;
	struct tap_filter *f = NULL;

	if (!pcap) {
		diag_error(text->span, "not enough memory for libpcap");
		return NULL;
	}
	if (pcap_compile(pcap, &program, text->string.text, 1, PCAP_NETMASK_UNKNOWN) != 0) {
		diag_error(text->span, "in the packet filter '%s': %s", text->string.text, pcap_geterr(pcap));
	} else {
		f = compiled(p->arena, &program, text->string.text);
		pcap_freecode(&program);
	}
	pcap_close(pcap);
	if (f && !tap_filter_is_valid(f)) {
		diag_error(text->span, "in the packet filter: libpcap's program has instructions that are not supported");
		return NULL;
	}
	return f;
}
#else
static struct tap_filter *compile(struct plan *p, const struct expr *text)
{
	(void)p;
	diag_error(text->span, "this tapc was built without packet filters");
	diag_note(text->span, "they need libpcap (Debian: libpcap-dev, Fedora: libpcap-devel) when tapc is built");
	return NULL;
}
#endif

static void add_filter(struct expr *e, void *data)
{
	struct plan *p = data;
	const struct expr *text;
	const struct tap_filter *f;

	if (e->kind != EXPR_FILTER)
		return;
	text = e->filter.text;
	for (size_t i = 0; i < p->filters.n; i++)
		if (str_equal(p->filters.items[i].text, text->string.text)) {
			e->filter.number = (unsigned)i;
			return;
		}
	f = compile(p, text);
	if (!f)
		return;
	e->filter.number = (unsigned)p->filters.n;
	*vec_add(p->arena, &p->filters) = (struct filter_plan){ text->string.text, f };
}

bool plan_filters(struct plan *p)
{
	unsigned errors = p->diag->errors;

	plan_each_expr(p, add_filter, p);
	return p->diag->errors == errors;
}

void emit_filters(const struct plan *p, struct text *out)
{
	for (size_t i = 0; i < p->filters.n; i++) {
		const struct tap_filter *f = p->filters.items[i].compiled;

		text_printf(out, "static const struct tap_filter_step filter_steps_%zu[] = {\n", i);
		for (u32 k = 0; k < f->count; k++)
			text_printf(out, "\t{ %#x, %u, %u, %#x },\n", f->steps[k].code, f->steps[k].if_true,
				    f->steps[k].if_false, f->steps[k].k);
		text_printf(out, "};\nstatic const struct tap_filter filter_%zu = { filter_steps_%zu, %u, %u };\n\n",
			    i, i, f->count, f->sees_tags);
	}
}
