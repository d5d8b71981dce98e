/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the header and the semaphores' source. */
#include "output.h"

#include "base/util.h"

/* sdt/sys/sdt.h, so that programs can be built where tapc is not installed. */
__asm__(".pushsection .rodata\n"
	"tapc_sdt_text: .incbin \"sdt/sys/sdt.h\"\n"
	".byte 0\n"
	".popsection\n");
extern const char tapc_sdt_text[] __attribute__((visibility("hidden")));

static void add_head(struct text *out, const char *name)
{
	text_printf(out, "/* Made by tapc-dtrace from %s */\n", path_base(name));
}

/* "arg1, arg2" */
static const char *parameters(struct arena *a, const struct marker *m)
{
	struct text t;

	text_init(&t, a);
	for (size_t i = 1; i <= m->arguments.n; i++)
		text_printf(&t, "%sarg%zu", i > 1 ? ", " : "", i);
	return t.s;
}

static void add_declared(struct text *out, const struct marker *m)
{
	text_printf(out, "\n/* %s(", m->macro);
	vec_each(argument, &m->arguments)
		text_printf(out, "%s%s", argument > m->arguments.items ? ", " : "", *argument);
	text_add(out, ") */\n");
}

static void add_macros(struct text *out, const struct marker *m)
{
	const char *names = parameters(out->arena, m), *comma = m->arguments.n ? ", " : "";

	add_declared(out, m);
	text_printf(out, "#ifdef _SDT_HAS_SEMAPHORES\n"
		    "extern volatile unsigned short %s_%s_semaphore;\n"
		    "#define %s_ENABLED() __builtin_expect(%s_%s_semaphore != 0, 0)\n"
		    "#else\n"
		    "#define %s_ENABLED() 1\n"
		    "#endif\n",
		    m->provider, m->name, m->macro, m->provider, m->name, m->macro);
	text_printf(out, "#define %s(%s) ", m->macro, names);
	if (m->arguments.n)
		text_printf(out, "DTRACE_PROBE%zu(", m->arguments.n);
	else
		text_add(out, "DTRACE_PROBE(");
	text_printf(out, "%s, %s%s%s)\n", m->provider, m->name, comma, names);
}

/* A program that includes sys/sdt.h without semaphores first does not need their object. */
void output_header(struct text *out, const char *name, const struct markers *markers)
{
	add_head(out, name);
	text_add(out, "#ifndef _SYS_SDT_H\n"
		 "#ifndef _SDT_HAS_SEMAPHORES\n"
		 "#define _SDT_HAS_SEMAPHORES 1\n"
		 "#endif\n"
		 "#endif\n\n");
	text_add(out, tapc_sdt_text);
	text_add(out, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
	vec_each(m, &markers->list)
		add_macros(out, m);
	text_add(out, "\n#ifdef __cplusplus\n}\n#endif\n");
}

void output_semaphores(struct text *out, const char *name, const struct markers *markers)
{
	add_head(out, name);
	text_add(out, "#if defined STAP_SDT_V1 || defined STAP_SDT_V2\n"
		 "#define IN_PROBES __attribute__((section(\".probes\"), used))\n"
		 "#else\n"
		 "#define IN_PROBES __attribute__((section(\".probes\"), used, visibility(\"hidden\")))\n"
		 "#endif\n");
	vec_each(m, &markers->list)
		text_printf(out, "extern volatile unsigned short %s_%s_semaphore;\n"
			    "volatile unsigned short %s_%s_semaphore IN_PROBES;\n",
			    m->provider, m->name, m->provider, m->name);
}
