/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the tests of debuginfo: small generated kernels and modules, in each form that real ones have had, and checks
 * that count failures. One list of symbols is the truth for all forms. */
#ifndef DEBUGINFO_IMAGE_H
#define DEBUGINFO_IMAGE_H

#include <elf.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "debuginfo/debuginfo.h"
#include "base/text.h"
#include "base/util.h"
#include "scratch.h"

static unsigned count, failures;

__attribute__((format(printf, 2, 3), unused))
static void check(bool good, const char *fmt, ...)
{
	va_list ap;

	count++;
	if (good)
		return;
	failures++;
	printf("not ok %u ", count);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

__attribute__((unused))
static int report(void)
{
	printf("%u checks, %u failed\n", count, failures);
	return failures != 0;
}

static uint64_t random_state = 1;

__attribute__((unused))
static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(random_state >> 33) % n;
}

/* ---- symbols ---- */

enum {
	FUNCTIONS = 2000, FUNCTION_SIZE = 64,
	NOINSTR = 4, KPROBES = 3, INITS = 5, DATAS = 7,
};

#define TEXT_AT 0xffffffff81000000ull
#define NOINSTR_AT (TEXT_AT + 0x30000)
#define KPROBES_AT (TEXT_AT + 0x38000)
#define ETEXT_AT (TEXT_AT + 0x40000)
#define RODATA_AT 0xffffffff82000000ull
#define NOTES_AT 0xffffffff82400000ull
#define DATA_AT 0xffffffff82600000ull
#define INIT_TEXT_AT 0xffffffff83000000ull
#define INIT_DATA_AT 0xffffffff83100000ull

struct fake_symbol {
	uint64_t address;
	char letter;
	char name[64];
};

struct fake {
	struct arena *a;
	VEC(struct fake_symbol) symbols;	/* sorted */
	VEC(uint64_t) sites;
	uint64_t listed;			/* a function on the kprobe blacklist */
	uint64_t slide;				/* KASLR */
	bool has_data;				/* CONFIG_KALLSYMS_ALL */
};

__attribute__((format(printf, 4, 5)))
static void add(struct fake *k, uint64_t address, char letter, const char *fmt, ...)
{
	struct fake_symbol *s;
	va_list ap;

	if (strchr("DdBbRrA", letter) && !k->has_data)
		return;
	s = vec_add(k->a, &k->symbols);
	s->address = address;
	s->letter = letter;
	va_start(ap, fmt);
	vsnprintf(s->name, sizeof(s->name), fmt, ap);
	va_end(ap);
}

/* Every third function has no ftrace site; the site of the others is after a landing pad. */
static void add_function(struct fake *k, unsigned i)
{
	uint64_t at = TEXT_AT + 0x1000 + (uint64_t)i * FUNCTION_SIZE;

	if (i == 777) {
		add(k, at, 'T', TAP_ANCHOR);
		return;
	}
	if (i % 10 == 9)
		add(k, at - 16, 't', "__pfx_function_%04u", i);
	if (i % 100 == 50)
		add(k, at, 't', "function_%04u.isra.0", i);
	else if (i % 100 == 60)
		add(k, at, 't', "same_name");
	else
		add(k, at, i % 2 ? 'T' : 't', "function_%04u", i);
	if (i % 100 == 70)
		add(k, at, 'W', "alias_%04u", i);
	if (i % 3)
		*vec_add(k->a, &k->sites) = at + 4;
}

static void fake_symbols(struct fake *k)
{
	if (k->has_data)
		add(k, 0, 'A', "__per_cpu_start");
	add(k, 0x100, 'A', "cpu_number");
	add(k, 0x20000, 'A', "__per_cpu_end");
	add(k, TEXT_AT, 'T', "_stext");
	add(k, TEXT_AT, 'T', "_text");
	for (unsigned i = 0; i < FUNCTIONS; i++)
		add_function(k, i);
	k->listed = TEXT_AT + 0x1000 + 1234 * FUNCTION_SIZE;
	add(k, NOINSTR_AT, 'T', "__noinstr_text_start");
	for (unsigned i = 0; i < NOINSTR; i++)
		add(k, NOINSTR_AT + i * 32, 't', "noinstr_%u", i);
	add(k, NOINSTR_AT + NOINSTR * 32, 'T', "__noinstr_text_end");
	add(k, KPROBES_AT, 'T', "__kprobes_text_start");
	for (unsigned i = 0; i < KPROBES; i++)
		add(k, KPROBES_AT + i * 32, 't', "kprobes_%u", i);
	add(k, KPROBES_AT + KPROBES * 32, 'T', "__kprobes_text_end");
	add(k, ETEXT_AT, 'T', "_etext");
	add(k, NOTES_AT, 'R', "__start_notes");
	add(k, NOTES_AT + 36, 'R', "__stop_notes");
	for (unsigned i = 0; i < DATAS; i++)
		add(k, DATA_AT + i * 128, i % 2 ? 'd' : 'D', "data_%u", i);
	/* x86 since 6.16: .data is executable in the file. */
	add(k, DATA_AT + DATAS * 128, 't', "data_like_text");
	add(k, INIT_TEXT_AT, 'T', "_sinittext");
	for (unsigned i = 0; i < INITS; i++)
		add(k, INIT_TEXT_AT + i * 32, 't', "init_%u", i);
	add(k, INIT_TEXT_AT + INITS * 32, 'T', "_einittext");
	add(k, INIT_DATA_AT, 'D', "__start_mcount_loc");
	add(k, INIT_DATA_AT + 8 * k->sites.n, 'D', "__stop_mcount_loc");
	add(k, INIT_DATA_AT + 0x10000, 'D', "__start_kprobe_blacklist");
	add(k, INIT_DATA_AT + 0x10008, 'D', "__stop_kprobe_blacklist");
	add(k, INIT_DATA_AT + 0x20000, 'B', "_end");
}

__attribute__((unused))
static struct fake fake_open(struct arena *a, bool has_data)
{
	struct fake k = { .a = a, .has_data = has_data };

	fake_symbols(&k);
	return k;
}

/* As in /proc/kallsyms. */
__attribute__((unused))
static char *fake_kallsyms(const struct fake *k, bool is_hidden)
{
	struct text t;

	text_init(&t, k->a);
	vec_each (s, &k->symbols)
		text_printf(&t, "%016llx %c %s\n", is_hidden ? 0ull :
			    (unsigned long long)(s->letter == 'A' ? s->address : s->address + k->slide),
			    s->letter, s->name);
	text_add(&t, "ffffffffc0001000 t strange\t[strange_module]\n");
	return t.s;
}

/* ---- bytes ---- */

struct buffer {
	struct arena *a;
	VEC(uint8_t) b;
};

__attribute__((unused))
static void put(struct buffer *out, const void *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*vec_add(out->a, &out->b) = ((const uint8_t *)p)[i];
}

static void put_byte(struct buffer *out, uint8_t v) { put(out, &v, 1); }
static void put16(struct buffer *out, uint16_t v) { put(out, &v, 2); }
static void put32(struct buffer *out, uint32_t v) { put(out, &v, 4); }
static void put64(struct buffer *out, uint64_t v) { put(out, &v, 8); }

static void align(struct buffer *out, size_t to)
{
	while (out->b.n % to)
		put_byte(out, 0);
}

/* ---- kallsyms tables, in the layouts of the versions of scripts/kallsyms.c ---- */

enum layout {
	LAYOUT_5_10,		/* offsets first, relative to a base, per-CPU ones absolute */
	LAYOUT_6_2,		/* the same, plus sequence numbers between markers and tokens */
	LAYOUT_6_12,		/* offsets after the tokens */
	LAYOUT_6_16,		/* no absolute symbols any more */
	LAYOUT_7_2,		/* offsets relative to their own positions, aligned to 4 */
	LAYOUT_ADDRESSES,	/* whole addresses: no CONFIG_KALLSYMS_BASE_RELATIVE */
	LAYOUTS,
};

static const char *const tokens_of_several[] = { "function_", "_text_", "__", "init", "isra.0" };

/* The longest of the tokens above that matches at S. */
static int token_at(const char *s, size_t *length)
{
	for (size_t i = 0; i < ARRAY_SIZE(tokens_of_several); i++)
		if (str_starts(s, tokens_of_several[i])) {
			*length = strlen(tokens_of_several[i]);
			return (int)i + 1;
		}
	*length = 1;
	return (unsigned char)*s;
}

static void put_name(struct buffer *out, const struct fake_symbol *s)
{
	uint8_t packed[128];
	char whole[80];
	size_t n = 0, length;

	snprintf(whole, sizeof(whole), "%c%s", s->letter, s->name);
	for (const char *p = whole; *p; p += length)
		packed[n++] = (uint8_t)token_at(p, &length);
	put_byte(out, (uint8_t)n);
	put(out, packed, n);
}

static void put_tokens(struct buffer *out, size_t to)
{
	uint16_t offsets[256];
	size_t start = out->b.n;

	for (int i = 0; i < 256; i++) {
		offsets[i] = (uint16_t)(out->b.n - start);
		if (i > 0 && (size_t)i <= ARRAY_SIZE(tokens_of_several))
			put(out, tokens_of_several[i - 1], strlen(tokens_of_several[i - 1]));
		else if (i >= 0x20 && i < 0x7f)
			put_byte(out, (uint8_t)i);
		else
			put(out, "xyz", 3);
		put_byte(out, 0);
	}
	align(out, to);
	for (int i = 0; i < 256; i++)
		put16(out, offsets[i]);
	align(out, to);
}

static void put_offsets(struct buffer *out, const struct fake *k, enum layout layout)
{
	uint64_t base = TEXT_AT;

	vec_each (s, &k->symbols)
		if (layout == LAYOUT_ADDRESSES)
			put64(out, s->address);
		else if (layout == LAYOUT_7_2)
			put32(out, (uint32_t)(s->address - (RODATA_AT + out->b.n)));
		else if (layout == LAYOUT_6_16)
			put32(out, (uint32_t)(s->address - base));
		else
			put32(out, s->letter == 'A' ? (uint32_t)s->address :
						      (uint32_t)(base - 1 - s->address));
	if (layout == LAYOUT_ADDRESSES || layout == LAYOUT_7_2)
		return;
	align(out, 8);
	put64(out, base);
}

static void put_kallsyms(struct buffer *out, const struct fake *k, enum layout layout)
{
	size_t to = layout == LAYOUT_7_2 ? 4 : 8, start;
	bool first = layout == LAYOUT_5_10 || layout == LAYOUT_6_2 || layout == LAYOUT_ADDRESSES;
	VEC(uint32_t) markers = { 0 };

	align(out, to);
	if (first)
		put_offsets(out, k, layout);
	put32(out, (uint32_t)k->symbols.n);
	align(out, to);
	start = out->b.n;
	for (size_t i = 0; i < k->symbols.n; i++) {
		if (i % 256 == 0)
			*vec_add(k->a, &markers) = (uint32_t)(out->b.n - start);
		put_name(out, &k->symbols.items[i]);
	}
	align(out, to);
	vec_each (m, &markers)
		put32(out, *m);
	align(out, to);
	for (size_t i = 0; layout == LAYOUT_6_2 && i < 3 * k->symbols.n; i++)
		put_byte(out, (uint8_t)random_below(256));
	align(out, to);
	put_tokens(out, to);
	if (!first)
		put_offsets(out, k, layout);
}

/* ---- ELF ---- */

struct part {
	const char *name;
	uint32_t type;
	uint64_t flags, address;
	struct buffer content;
	uint32_t link, info, entry;
};

__attribute__((unused))
static struct part *add_part(struct arena *a, struct part *p, const char *name, uint32_t type,
			     uint64_t flags, uint64_t address)
{
	*p = (struct part){ .name = name, .type = type, .flags = flags, .address = address,
			    .content = { .a = a } };
	return p;
}

/* Parts 1..n-1, then their names as the last one. */
__attribute__((unused))
static struct buffer make_elf(struct arena *a, struct part *parts, size_t n, uint16_t type)
{
	struct buffer out = { .a = a }, names = { .a = a };
	Elf64_Ehdr h = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			 .e_type = type, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
			 .e_ehsize = sizeof(h), .e_shentsize = sizeof(Elf64_Shdr),
			 .e_shnum = (uint16_t)(n + 1), .e_shstrndx = (uint16_t)n };
	Elf64_Shdr *s = arena_array(a, Elf64_Shdr, n + 1);

	put(&out, &h, sizeof(h));
	put_byte(&names, 0);
	for (size_t i = 1; i < n; i++) {
		align(&out, 8);
		s[i] = (Elf64_Shdr){
			.sh_name = (uint32_t)names.b.n, .sh_type = parts[i].type,
			.sh_flags = parts[i].flags, .sh_addr = parts[i].address,
			.sh_offset = out.b.n, .sh_size = parts[i].content.b.n,
			.sh_link = parts[i].link, .sh_info = parts[i].info,
			.sh_entsize = parts[i].entry,
		};
		put(&names, parts[i].name, strlen(parts[i].name) + 1);
		put(&out, parts[i].content.b.items, parts[i].content.b.n);
	}
	s[n] = (Elf64_Shdr){ .sh_name = (uint32_t)names.b.n, .sh_type = SHT_STRTAB,
			     .sh_offset = out.b.n, .sh_size = names.b.n + 10 };
	put(&names, ".shstrtab", 10);
	put(&out, names.b.items, names.b.n);
	align(&out, 8);
	h.e_shoff = out.b.n;
	put(&out, s, (n + 1) * sizeof(*s));
	memcpy(out.b.items, &h, sizeof(h));
	return out;
}

static const uint8_t fake_build_id[20] = "build-id of a kernel";

static void put_build_id(struct buffer *out)
{
	put32(out, 4);
	put32(out, sizeof(fake_build_id));
	put32(out, NT_GNU_BUILD_ID);
	put(out, "GNU", 4);
	put(out, fake_build_id, sizeof(fake_build_id));
}

__attribute__((unused))
static struct buffer make_kernel(const struct fake *k, enum layout layout)
{
	struct part parts[7];
	struct part *p = parts + 1;

	memset(parts, 0, sizeof(parts));
	p = add_part(k->a, p, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT_AT);
	for (int i = 0; i < 64; i++)
		put64(&p->content, 0x9090909090909090ull);
	p = add_part(k->a, p + 1, ".rodata", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, RODATA_AT);
	for (int i = 0; i < 100; i++)
		put32(&p->content, (uint32_t)i);
	put_kallsyms(&p->content, k, layout);
	for (int i = 0; i < 100; i++)
		put32(&p->content, random_below(1 << 30));
	p = add_part(k->a, p + 1, ".notes", SHT_NOTE, SHF_ALLOC, NOTES_AT);
	put_build_id(&p->content);
	p = add_part(k->a, p + 1, ".init.text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, INIT_TEXT_AT);
	put64(&p->content, 0);
	p = add_part(k->a, p + 1, ".init.data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, INIT_DATA_AT);
	for (size_t i = k->sites.n; i-- > 0;)
		put64(&p->content, k->sites.items[i]);
	while (p->content.b.n < 0x10000)
		put64(&p->content, 0);
	put64(&p->content, k->listed);
	return make_elf(k->a, parts, (size_t)(p + 1 - parts), ET_EXEC);
}

/* ---- packing ---- */

static void put_lz4_length(struct buffer *out, size_t n)
{
	if (n < 15)
		return;
	for (n -= 15; n >= 255; n -= 255)
		put_byte(out, 255);
	put_byte(out, (uint8_t)n);
}

/* Encodes runs of one byte as copies from one byte back; the rest as literals. */
static void put_lz4_block(struct buffer *out, const uint8_t *p, size_t n)
{
	size_t from = 0, at = 0, run;

	while (at < n) {
		for (run = 1; at + run < n && p[at + run] == p[at];)
			run++;
		if (run < 8) {
			at += run;
			continue;
		}
		put_byte(out, (uint8_t)((at + 1 - from < 15 ? at + 1 - from : 15) << 4 |
					(run - 5 < 15 ? run - 5 : 15)));
		put_lz4_length(out, at + 1 - from);
		put(out, p + from, at + 1 - from);
		put16(out, 1);
		put_lz4_length(out, run - 5);
		from = at += run;
	}
	put_byte(out, (uint8_t)((n - from < 15 ? n - from : 15) << 4));
	put_lz4_length(out, n - from);
	put(out, p + from, n - from);
}

static void put_lz4(struct buffer *out, const struct buffer *in)
{
	enum { BLOCK = 64 << 10 };		/* the lz4 program uses 8 MB */

	put32(out, 0x184c2102);
	for (size_t at = 0; at < in->b.n; at += BLOCK) {
		struct buffer block = { .a = out->a };

		put_lz4_block(&block, in->b.items + at, in->b.n - at < BLOCK ? in->b.n - at : BLOCK);
		put32(out, (uint32_t)block.b.n);
		put(out, block.b.items, block.b.n);
	}
}

__attribute__((unused))
static struct buffer pack(struct arena *a, const struct buffer *in, const char *how)
{
	size_t room = in->b.n + in->b.n / 2 + 4096, n = 0;
	uint8_t *data = arena_alloc(a, room);
	struct buffer out = { .a = a };
	z_stream z = { .next_in = in->b.items, .avail_in = (uInt)in->b.n, .next_out = data,
		       .avail_out = (uInt)room };

	if (str_equal(how, "gzip")) {
		deflateInit2(&z, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
		deflate(&z, Z_FINISH);
		n = room - z.avail_out;
		deflateEnd(&z);
	} else if (str_equal(how, "xz")) {
		lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, in->b.items, in->b.n, data, &n, room);
	} else if (str_equal(how, "zstd")) {
		n = ZSTD_compress(data, room, in->b.items, in->b.n, 1);
	} else if (str_equal(how, "lz4")) {
		put_lz4(&out, in);
	} else {		/* only the magic number matters */
		n = 64;
		memcpy(data, str_equal(how, "bzip2") ? "BZh9" : "\x89LZO\0\r\n\x1a\n",
		       str_equal(how, "lzo") ? 9 : 4);
	}
	put(&out, data, n);
	return out;
}

/* Two sectors of boot code, then the payload followed by its uncompressed size. */
__attribute__((unused))
static struct buffer make_bzimage(struct arena *a, const struct buffer *vmlinux, const char *how)
{
	struct buffer packed = pack(a, vmlinux, how), out = { .a = a };
	uint32_t size;

	while (out.b.n < 1024 + 0x100)
		put_byte(&out, 0);
	put(&out, packed.b.items, packed.b.n);
	put32(&out, (uint32_t)vmlinux->b.n);
	memcpy(out.b.items, "MZ", 2);
	out.b.items[0x1f1] = 1;
	memcpy(out.b.items + 0x1fe, "\x55\xaa", 2);
	memcpy(out.b.items + 0x202, "HdrS\x0f\x02", 6);
	size = 0x100;
	memcpy(out.b.items + 0x248, &size, 4);
	size = (uint32_t)packed.b.n + 4;
	memcpy(out.b.items + 0x24c, &size, 4);
	return out;
}

/* ---- files ---- */

static char *scratch;
static struct arena *arena;

__attribute__((unused))
static void scratch_open(void)
{
	arena = arena_open();
	scratch = scratch_template("tapc-unit-debuginfo");
	if (!mkdtemp(scratch))
		exit(2);
}

__attribute__((unused))
static void scratch_close(void)
{
	dir_remove(scratch);
	arena_close(arena);
}

__attribute__((unused))
static void put_file(const char *name, const void *data, size_t size)
{
	char *path = arena_printf(arena, "%s/%s", scratch, name);
	char *slash = strrchr(path, '/');

	*slash = '\0';
	if (!dir_make(path, 0755))
		exit(2);
	*slash = '/';
	if (!file_write(path, data, size))
		exit(2);
}

__attribute__((unused))
static void put_text(const char *name, const char *text)
{
	put_file(name, text, strlen(text));
}

/* The directories of the kernels that the test machine has; NULL: none. */
__attribute__((unused))
static const char *kernels_dir(void)
{
	const char *dir = getenv("TAPC_KERNELS"), *home = getenv("HOME");

	if (!dir || !*dir)
		dir = arena_printf(arena, "%s/.cache/tapc-tests/kernels", home ? home : "");
	return dir_exists(dir) ? dir : NULL;
}

#endif
