/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sizes and targets of instructions: a table of special cases, and all code of the files in the arguments as
 * objdump reads it. Without arguments: this program, the C library, and for arm64 what its cross compiler brings. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/aarch64_instruction.h"
#include "arch/x86_64_instruction.h"
#include "base/util.h"

static unsigned count, failures;

static void check(bool good, const char *what)
{
	printf("%sok %u %s\n", good ? "" : "not ", ++count, what);
	failures += !good;
}

/* ---- the table ---- */

struct row {
	const char *hex;		/* the instruction, and bytes that follow it */
	int size;			/* 0: refused */
	enum instruction_flow flow;
	int64_t distance;
};

static const struct row x86[] = {
	{ "c3 90", 1, FLOW_RETURN, 0 },
	{ "f3 c3", 2, FLOW_RETURN, 0 },
	{ "f2 c3", 2, FLOW_RETURN, 0 },
	{ "c2 08 00", 3, FLOW_RETURN, 0 },
	{ "cb", 1, FLOW_AWAY, 0 },
	{ "48 cf", 2, FLOW_AWAY, 0 },
	{ "eb fe", 2, FLOW_JUMP, 0 },
	{ "e9 fb ff ff 7f", 5, FLOW_JUMP, 0x80000000ll },
	{ "e9 00 00 00 80", 5, FLOW_JUMP, -0x7ffffffbll },
	{ "66 e9 00 00 00 00", 0, FLOW_ON, 0 },
	{ "e8 00 00 00 00", 5, FLOW_CALL, 5 },
	{ "66 66 48 e8 00 00 00 00", 8, FLOW_CALL, 8 },
	{ "74 80", 2, FLOW_BRANCH, -126 },
	{ "2e 74 10", 3, FLOW_BRANCH, 19 },
	{ "e3 10", 2, FLOW_BRANCH, 18 },
	{ "0f 86 10 00 00 00", 6, FLOW_BRANCH, 22 },
	{ "ff 24 c8", 3, FLOW_TABLE, 0 },
	{ "ff 24 c5 00 10 00 00", 7, FLOW_TABLE, 0 },
	{ "41 ff 24 c4", 4, FLOW_TABLE, 0 },
	{ "3e 42 ff 24 e0", 5, FLOW_TABLE, 0 },
	{ "ff 24 88", 3, FLOW_AWAY, 0 },	/* addresses have 8 bytes */
	{ "ff 64 24 08", 4, FLOW_AWAY, 0 },
	{ "ff e0", 2, FLOW_AWAY, 0 },
	{ "3e ff e0", 3, FLOW_AWAY, 0 },
	{ "ff 25 00 00 00 00", 6, FLOW_AWAY, 0 },
	{ "ff d0", 2, FLOW_ON, 0 },
	{ "ff 14 c8", 3, FLOW_ON, 0 },
	{ "ff f8", 0, FLOW_ON, 0 },
	{ "f3 0f 1e fa", 4, FLOW_ON, 0 },
	{ "48 b8 01 02 03 04 05 06 07 c3", 10, FLOW_ON, 0 },
	{ "b8 01 02 03 c3", 5, FLOW_ON, 0 },
	{ "66 b8 01 c3", 4, FLOW_ON, 0 },
	{ "48 a1 01 02 03 04 05 06 07 c3", 10, FLOW_ON, 0 },
	{ "67 a1 01 02 03 c3", 6, FLOW_ON, 0 },
	{ "66 48 c7 00 00 00 00 c3", 8, FLOW_ON, 0 },
	{ "66 c7 00 00 c3", 5, FLOW_ON, 0 },
	{ "f6 00 c3", 3, FLOW_ON, 0 },
	{ "f6 10 c3", 2, FLOW_ON, 0 },
	{ "f7 08 00 00 00 c3", 6, FLOW_ON, 0 },
	{ "66 f7 00 00 c3", 5, FLOW_ON, 0 },
	{ "48 f7 d8 c3", 3, FLOW_ON, 0 },
	{ "c8 10 00 c3", 4, FLOW_ON, 0 },
	{ "48 8b 04 25 00 00 00 c3", 8, FLOW_ON, 0 },	/* no base: a displacement of 4 bytes */
	{ "48 8b 44 25 c3", 5, FLOW_ON, 0 },
	{ "48 8b 05 00 00 00 c3", 7, FLOW_ON, 0 },
	{ "c5 f8 77 c3", 3, FLOW_ON, 0 },
	{ "c5 f9 70 c0 c3", 5, FLOW_ON, 0 },
	{ "c4 e3 7d 0f c1 c3", 6, FLOW_ON, 0 },
	{ "c4 e2 7d 18 05 00 00 00 c3", 9, FLOW_ON, 0 },
	{ "66 c5 f8 77", 0, FLOW_ON, 0 },
	{ "62 f1 7c 48 10 40 c3", 7, FLOW_ON, 0 },
	{ "62 f3 75 48 3f c2 c3", 7, FLOW_ON, 0 },
	{ "62 f1 78 48 10 40 c3", 0, FLOW_ON, 0 },
	{ "62 f5 7c 48 58 c3", 6, FLOW_ON, 0 },
	{ "8f e8 78 c0 c0 c3", 6, FLOW_ON, 0 },		/* XOP: vprotb */
	{ "8f c0", 2, FLOW_ON, 0 },
	{ "0f 0f c1 c3", 4, FLOW_ON, 0 },
	{ "66 0f 78 c0 c3 c3", 6, FLOW_ON, 0 },
	{ "0f 78 c3", 3, FLOW_ON, 0 },
	{ "66 0f 3a 0f c1 c3", 6, FLOW_ON, 0 },
	{ "f3 0f b8 c3", 4, FLOW_ON, 0 },
	{ "0f b8 c3", 0, FLOW_ON, 0 },
	{ "f0 48 0f c7 0f", 5, FLOW_ON, 0 },
	{ "06", 0, FLOW_ON, 0 },
	{ "48", 0, FLOW_ON, 0 },
	{ "48 8b", 0, FLOW_ON, 0 },
	{ "e9 00 00 00", 0, FLOW_ON, 0 },
	{ "66 66 66 66 66 66 66 66 66 66 66 66 66 66 90", 15, FLOW_ON, 0 },
	{ "66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 90", 0, FLOW_ON, 0 },
};

static const struct row arm64[] = {
	{ "c0 03 5f d6", 4, FLOW_RETURN, 0 },
	{ "20 00 5f d6", 4, FLOW_RETURN, 0 },
	{ "ff 0b 5f d6", 4, FLOW_RETURN, 0 },		/* retaa */
	{ "ff ff ff 17", 4, FLOW_JUMP, -4 },
	{ "00 00 00 16", 4, FLOW_JUMP, -0x8000000 },
	{ "01 00 00 94", 4, FLOW_CALL, 4 },
	{ "e0 ff ff 54", 4, FLOW_BRANCH, -4 },
	{ "00 00 80 b4", 4, FLOW_BRANCH, -0x100000 },
	{ "00 00 04 37", 4, FLOW_BRANCH, -0x8000 },
	{ "60 03 1f d6", 4, FLOW_TABLE, 0 },
	{ "00 02 1f d6", 4, FLOW_AWAY, 0 },
	{ "11 08 1f d7", 4, FLOW_AWAY, 0 },		/* braa */
	{ "00 02 3f d6", 4, FLOW_ON, 0 },
	{ "e0 03 9f d6", 4, FLOW_AWAY, 0 },
	{ "1f 20 03 d5", 4, FLOW_ON, 0 },
	{ "c0 03 5f", 0, FLOW_ON, 0 },
};

typedef bool decode(const uint8_t *code, uint64_t size, struct instruction *out);

static size_t bytes_of(const char *hex, uint8_t *out, size_t most)
{
	size_t n = 0;
	char *end;

	for (; n < most; n++, hex = end) {
		unsigned long byte = strtoul(hex, &end, 16);

		if (end == hex)
			break;
		out[n] = (uint8_t)byte;
	}
	return n;
}

static void check_rows(decode *decode, const struct row *rows, size_t n)
{
	for (const struct row *r = rows; r < rows + n; r++) {
		struct instruction i;
		uint8_t *code = malloc(32);	/* of its exact size, for the sanitizer */
		size_t size = bytes_of(r->hex, code, 32);
		bool known;

		code = realloc(code, size);
		known = decode(code, size, &i);
		if (!known)
			i = (struct instruction){ .flow = FLOW_ON };
		if (known && i.size != r->size)
			printf("# %u bytes\n", i.size);
		check(i.size * known == r->size && i.flow == r->flow && i.distance == r->distance, r->hex);
		free(code);
	}
}

static void check_constants(void)
{
	struct instruction i;

	instruction_aarch64((const uint8_t *)"\x40\x00\x00\x58", 4, &i);
	check(i.data == 8 && i.data_size == 8, "ldr x0, .+8");
	instruction_aarch64((const uint8_t *)"\xe0\xff\xff\x9c", 4, &i);
	check(i.data == -4 && i.data_size == 16, "ldr q0, .-4");
	instruction_aarch64((const uint8_t *)"\x40\x00\x00\xd8", 4, &i);
	check(!i.data, "prfm");
}

/* ---- objdump ---- */

struct tally { unsigned long all, refused, wrong; };

/* "ret", "jmp", and "b.eq", "cbz ..." and so on. */
static enum instruction_flow flow_of(const char *name, bool is_arm)
{
	if (!strncmp(name, "ret", 3))
		return FLOW_RETURN;
	if (is_arm)
		return str_equal(name, "b") ? FLOW_JUMP : str_equal(name, "bl") ? FLOW_CALL :
		       !strncmp(name, "b.", 2) || !strncmp(name, "bc.", 3) || strstr(name, "bz") == name + 1 ||
		       strstr(name, "bnz") == name + 1 ? FLOW_BRANCH : FLOW_ON;
	if (!strncmp(name, "jmp", 3))
		return FLOW_JUMP;
	return *name == 'j' || !strncmp(name, "loop", 4) ? FLOW_BRANCH : str_equal(name, "call") ? FLOW_CALL : FLOW_ON;
}

static bool is_good(const struct instruction *i, uint64_t address, const char *name, const char *operands, bool is_arm)
{
	enum instruction_flow flow = flow_of(name, is_arm);
	const char *target = strrchr(operands, ',');

	target = is_arm && target ? target + 1 : operands;
	if (flow == FLOW_RETURN)
		return i->flow == FLOW_RETURN;
	if (strchr(operands, '*') || flow == FLOW_ON)	/* indirect */
		return i->flow == FLOW_ON || i->flow == FLOW_TABLE || i->flow == FLOW_AWAY;
	return i->flow == flow && address + (uint64_t)i->distance == strtoull(target, NULL, 16);
}

/* Prefixes that objdump shows without the instruction that they belong to, and instructions that it does not know. */
static bool is_fragment(const char *line, const char *name)
{
	static const char *const alone[] = { "rex", "data16", "addr32", "lock", "repz", "repnz", "cs", "ds", "es", "ss",
					     "fs", "gs", "bnd", "notrack", "xacquire", "xrelease" };
	const char *end = name + strcspn(name, " .\n");

	if (strstr(line, "(bad)") || strstr(line, "undefined"))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(alone); i++)
		if ((size_t)(end - name) == strlen(alone[i]) && !strncmp(name, alone[i], strlen(alone[i])) &&
		    strspn(end + strcspn(end, " \n"), " \n") == strlen(end + strcspn(end, " \n")))
			return true;
	return *name == '.';
}

static const char *skip_prefixes(const char *name)
{
	static const char *const prefixes[] = { "bnd ", "notrack ", "repz ", "repnz ", "data16 ", "addr32 ", "cs ",
						"ds ", "es ", "ss ", "fs ", "gs ", "lock " };

	if (!strncmp(name, "rex", 3) && strchr(name, ' '))
		return skip_prefixes(strchr(name, ' ') + 1);
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return skip_prefixes(name + strlen(prefixes[i]) + strspn(name + strlen(prefixes[i]), " "));
	return name;
}

/* "  401000:\t48 89 e5             \tmov    %rsp,%rbp" */
static void judge_line(char *line, bool is_arm, struct tally *t)
{
	char *end, *name, *operands;
	uint64_t address = strtoull(line, &end, 16);
	struct instruction i;
	char word[64];
	uint8_t code[32];
	const uint8_t *start = code;
	size_t n;

	if (end == line || end[0] != ':' || end[1] != '\t')
		return;
	name = strchr(end + 2, '\t');
	if (!name || is_fragment(line, skip_prefixes(name + 1)))
		return;
	*name++ = '\0';
	name[strcspn(name, "<\n")] = '\0';	/* without the target's name */
	n = bytes_of(end + 2, code, sizeof(code));
	if (is_arm) {		/* shown as a number */
		uint32_t number = (uint32_t)strtoul(end + 2, NULL, 16);

		memcpy(code, &number, n = 4);
	}
	if (!is_arm && code[0] == 0x9b && n > 1) {	/* fwait is an instruction, but objdump shows "fstcw" */
		start++;
		n--;
	}
	name = (char *)skip_prefixes(name);
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(name, " \t\n,"), name);
	operands = name + strlen(word);
	operands += strspn(operands, " \t,pnt");
	t->all++;
	if (!(is_arm ? instruction_aarch64 : instruction_x86_64)(start, n, &i)) {
		if (t->refused++ < 10)
			printf("# refused: %s %s\n", end + 2, name);
	} else if (i.size != n || !is_good(&i, address, word, operands, is_arm)) {
		if (t->wrong++ < 10)
			printf("# %u bytes, flow %d, distance %lld: %s %s\n", i.size, i.flow, (long long)i.distance, end + 2,
			       name);
	}
}

static void judge(const char *path, const char *objdump, bool is_arm)
{
	struct tally t = { 0 };
	char command[4096], line[4096], text[4200];
	FILE *f;

	snprintf(command, sizeof(command), "%s -d -w -z '%s' 2>/dev/null", objdump, path);
	f = popen(command, "r");
	while (f && fgets(line, sizeof(line), f))
		judge_line(line, is_arm, &t);
	if (f)
		pclose(f);
	if (!t.all)
		return;
	snprintf(text, sizeof(text), "%s: %lu instructions, %lu refused", path, t.all, t.refused);
	check(!t.wrong && t.refused < 1 + t.all / 10000, text);
}

static void judge_all(const char *pattern, const char *objdump, bool is_arm)
{
	glob_t found;

	if (!glob(pattern, 0, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++)
			judge(found.gl_pathv[i], objdump, is_arm);
	globfree(&found);
}

int main(int argc, char **argv)
{
	static const char *const here[] = { "/proc/self/exe", "/usr/lib/x86_64-linux-gnu/libc.so.6",
					    "/usr/lib/x86_64-linux-gnu/libm.so.6", "/usr/lib/go-*/bin/gofmt" };
	bool is_arm = argc > 1 && str_equal(argv[1], "--arm64");

	check_rows(instruction_x86_64, x86, ARRAY_SIZE(x86));
	check_rows(instruction_aarch64, arm64, ARRAY_SIZE(arm64));
	check_constants();
	for (int i = 1 + is_arm; i < argc; i++)
		judge_all(argv[i], is_arm ? "aarch64-linux-gnu-objdump" : "objdump", is_arm);
#ifdef __x86_64__
	for (size_t i = 0; argc == 1 && i < ARRAY_SIZE(here); i++)
		judge_all(here[i], "objdump", false);
#endif
	if (argc == 1)
		judge_all("/usr/aarch64-linux-gnu/lib/libc.so.6", "aarch64-linux-gnu-objdump", true);
	printf("1..%u\n", count);
	return failures > 0;
}
