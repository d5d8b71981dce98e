/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a tree as the text of a script. */
#include "tree.h"

static void print(const struct node *e);

static void print_variable(const struct node *e)
{
	printf("%s%c%d", e->kind == LONG ? "" : "t", e->scope, e->index);
}

static void print_literal(const char *s)
{
	printf("\"%s\"", s);
}

static void print_element(const char *array, const struct node *e, const char *open, const char *close)
{
	printf("%s%s", array, open);
	for (unsigned i = 0; i < e->n; i++) {
		if (i)
			printf(", ");
		if (e->child[i])
			print(e->child[i]);
		else
			putchar('*');
	}
	printf("%s", close);
}

static void print_in(const char *array, const struct node *e)
{
	putchar('(');
	print_element("", e, "[", "]");
	printf(" in %s)", array);
}

static void print_list(const char *open, const struct node *e, const char *between)
{
	fputs(open, stdout);
	for (unsigned i = 0; i < e->n; i++) {
		if (i)
			fputs(between, stdout);
		print(e->child[i]);
	}
	putchar(')');
}

static void print_foreach(const struct node *e)
{
	static const char *const arrays[] = { "n", "s", "t" };
	const char *by_key = e->order == 1 ? "+" : e->order == -1 ? "-" : "";
	const char *by_value = e->order == 2 ? "+" : e->order == -2 ? "-" : "";

	printf("foreach (");
	if (e->flag)
		printf(e->index == 1 ? "ve%d = " : "vn%d = ", e->scope);
	if (e->index == 0)
		printf("kn%d%s", e->scope, by_key);
	else if (e->index == 1)
		printf("ks%d%s", e->scope, by_key);
	else
		printf("[kn%d, ks%d%s]", e->scope, e->scope, by_key);
	printf(" in %s%s", arrays[e->index], by_value);
	if (e->number >= 0)
		printf(" limit %d", (int)e->number);
	printf(") { ");
	if (e->index != 1)
		printf("print(kn%d, \" \"); ", e->scope);
	if (e->index != 0)
		printf("print(ks%d, \" \"); ", e->scope);
	if (e->flag)
		printf(e->index == 1 ? "print(ve%d); " : "print(vn%d); ", e->scope);
	print(e->child[0]);
	printf(" }\n");
}

static void print(const struct node *e)
{
	char between[8];

	switch (e->kind) {
	case NUMBER:
		if (e->number == INT64_MIN)
			printf("(-9223372036854775807 - 1)");
		else
			printf(e->number < 0 ? "(%lld)" : "%lld", (long long)e->number);
		break;
	case TEXT: print_literal(e->text); break;
	case LONG: case STRING: print_variable(e); break;
	case ELEMENT_N: print_element("n", e, "[", "]"); break;
	case ELEMENT_S: print_element("s", e, "[", "]"); break;
	case ELEMENT_T: print_element("t", e, "[", "]"); break;
	case UNARY: printf("(%s", e->op); print_list("(", e, ""); putchar(')'); break;
	case BINARY: case LOGICAL: case COMPARE: case COMPARE_TEXT:
		snprintf(between, sizeof(between), " %s ", e->op);	/* %( belongs to the preprocessor */
		print_list("(", e, between);
		break;
	case CHOICE:
		putchar('('); print(e->child[0]); printf(" ? "); print(e->child[1]); printf(" : ");
		print(e->child[2]); putchar(')');
		break;
	case ASSIGN: case ASSIGN_TEXT:
		putchar('('); print(e->child[0]); printf(" %s= ", e->op); print(e->child[1]); putchar(')');
		break;
	case STEP:
		printf("(%s", e->flag ? e->op : ""); print(e->child[0]); printf("%s)", e->flag ? "" : e->op);
		break;
	case IN_N: print_in("n", e); break;
	case IN_S: print_in("s", e); break;
	case IN_T: print_in("t", e); break;
	case LENGTH: print_list("strlen(", e, ""); break;
	case CONCAT: print_list("(", e, " . "); break;
	case SPRINT: print_list("sprint(", e, ""); break;
	case SUBSTR: print_list("substr(", e, ", "); break;
	case SPRINTF: print_list("sprintf(\"<%s:%d>\", ", e, ", "); break;
	case CALL: printf("f%d", e->index); print_list("(", e, ", "); break;
	case BLOCK:
		printf("{ ");
		for (unsigned i = 0; i < e->n; i++)
			print(e->child[i]);
		printf("}\n");
		break;
	case EXPRESSION: print(e->child[0]); printf(";\n"); break;
	case PRINT: print_list("println(", e, ", \" \", "); printf(";\n"); break;
	case IF:
		printf("if ("); print(e->child[0]); printf(") "); print(e->child[1]);
		if (e->n == 3) {
			printf("else "); print(e->child[2]);
		}
		break;
	case FOR:
		printf("for (i%d = 0; i%d < %d; i%d++) ", e->index, e->index, (int)e->number, e->index);
		print(e->child[0]);
		break;
	case WHILE:
		printf("i%d = 0; while (i%d++ < %d) ", e->index, e->index, (int)e->number);
		print(e->child[0]);
		break;
	case FOREACH: print_foreach(e); break;
	case DELETE: printf("delete "); print(e->child[0]); printf(";\n"); break;
	case TRY:
		printf("try "); print(e->child[0]);
		printf("catch (message) { println(message); "); print(e->child[1]); printf("}\n");
		break;
	case BREAK: printf("break;\n"); break;
	case CONTINUE: printf("continue;\n"); break;
	case RETURN: printf("return "); print(e->child[0]); printf(";\n"); break;
	case FAIL: print_list("error(", e, ""); printf(";\n"); break;
	}
}

static void print_all(const char *letter)
{
	printf("\tprintln(%s0, \" \", %s1, \" \", %s2, \" \", %s3, \" [\", t%s0, \"][\", t%s1, \"][\", t%s2, \"]\")\n",
	       letter, letter, letter, letter, letter, letter, letter);
}

void program_print(const struct node *body, bool is_timer)
{
	printf("global g0 = 0, g1 = 0, g2 = 0, g3 = 0, tg0 = \"\", tg1 = \"\", tg2 = \"\", n, s, t\n");
	for (int i = 0; i < FUNCTIONS; i++) {
		printf("function f%d:%s (l0:long, tl0:string) {\n\tl1 = l2 = l3 = 0; tl1 = tl2 = \"\"\n", i,
		       functions[i].is_text ? "string" : "long");
		print(functions[i].body);
		print_all("l");
		printf("}\n");
	}
	printf("function show() {\n\tforeach (k in n) print(k, \"=\", n[k], \" \")\n"
	       "\tforeach (k2 in s) print(k2, \"=\", s[k2], \" \")\n"
	       "\tforeach ([k3, k4] in t) print(k3, k4, \"=\", t[k3, k4], \" \")\n\tprintln()\n");
	print_all("g");
	/* With a second probe that writes, the first one must take locks. */
	printf("}\n%s {\n\tl0 = l1 = l2 = l3 = 0; tl0 = tl1 = tl2 = \"\"\n",
	       !is_timer ? "probe begin" :
	       "probe timer.s(100) { g0 = g1 = g2 = g3 = 1; tg0 = tg1 = tg2 = \"\"; n[1] = 1; s[\"\"] = \"\"; "
	       "t[1, \"\"] = 1 }\nprobe timer.ms(10)");
	print(body);
	print_all("l");
	printf("\tn[0] = 0; s[\"\"] = \"\"; t[0, \"\"] = 0\n\tshow()\n\texit()\n}\n");
}
