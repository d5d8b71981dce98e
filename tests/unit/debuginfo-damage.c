/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions to damaged images are answered with a reason, in bounded time and memory, and never
 * crash. */
#include "debuginfo-image.h"
#include "debuginfo/symbols/symbols.h"

#include <bpf/btf.h>
#include <sys/resource.h>
#include <time.h>

static unsigned answers[3];

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Asks all questions, and reads every byte of the answers. */
static void interrogate(struct debuginfo *d)
{
	struct symbols all = { 0 };
	struct debuginfo_facts facts;
	struct symbol at;
	enum debuginfo_answer answer = debuginfo_functions(d, "*", &all);
	size_t length = 0;

	answers[answer]++;
	if (answer != DEBUGINFO_FOUND)
		check(*debuginfo_reason(d) != '\0', "a reason is given");
	debuginfo_data(d, "*", &all);
	vec_each (s, &all.list) {
		length += strlen(s->name) + (s->section ? strlen(s->section) : 0);
		symbol_obstacle_text(s->obstacle);
	}
	debuginfo_symbol_at(d, NULL, (int64_t)length, &at);
	debuginfo_symbol_at(d, ".text", 16, &at);
	debuginfo_suggest(d, "function_9999");
	if (debuginfo_facts(d, &facts) == DEBUGINFO_FOUND)
		length += strlen(facts.source) + facts.build_id_size;
	check(length < 100000000, "not too much");
}

static void ask(const char *module)
{
	struct arena *a = arena_open();
	struct debuginfo_request r = { .release = "1.2.3-test", .sysroot = scratch };
	struct debuginfo *kernel = debuginfo_kernel(a, &r), *d = kernel;

	if (module)
		d = debuginfo_module(kernel, module);
	if (d)
		interrogate(d);
	debuginfo_close(kernel);
	arena_close(a);
}

/* Changes a few bytes anywhere, inserts one of the numbers that programs rely on, or truncates. */
static struct bytes_view { uint8_t *data; size_t size; } damage(const struct buffer *good, uint8_t *room)
{
	static const uint64_t numbers[] = { 0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff,
					    0x7fffffffffffffff, 0xffffffffffffffff, 0x8000000000000000 };
	size_t n = good->b.n;
	uint32_t times = 1 + random_below(4), size = 1u << random_below(4);

	memcpy(room, good->b.items, n);
	for (uint32_t i = 0; i < times; i++) {
		/* Most headers are in the first and the last kilobyte. */
		uint32_t span = random_below(2) || n < 4096 ? (uint32_t)n : 2048;
		uint32_t at = random_below(span - 8);

		if (span == 2048 && random_below(2))
			at = (uint32_t)n - 8 - at;
		if (random_below(2))
			memcpy(room + at, &numbers[random_below(ARRAY_SIZE(numbers))], size);
		else
			room[at] ^= (uint8_t)(1 << random_below(8));
	}
	if (random_below(20) == 0)
		n = random_below((uint32_t)n);
	return (struct bytes_view){ room, n };
}

static void put_damaged(const char *name, const struct buffer *good, const char *how)
{
	uint8_t *room = xcalloc(1, good->b.n);
	struct bytes_view bad = damage(good, room);
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", scratch, name);
	if (how) {
		struct arena *a = arena_open();
		struct buffer view = { .a = a }, packed;

		view.b.items = bad.data;
		view.b.n = bad.size;
		packed = make_bzimage(a, &view, how);
		file_write(path, packed.b.items, packed.b.n);
		arena_close(a);
	} else {
		file_write(path, bad.data, bad.size);
	}
	free(room);
}

static void test_kernels(unsigned times)
{
	struct fake fake = fake_open(arena, true);

	for (unsigned i = 0; i < times; i++) {
		struct arena *a = arena_open();
		struct fake k = { .a = a };
		struct buffer vmlinux;

		k.symbols = fake.symbols;
		k.sites = fake.sites;
		k.listed = fake.listed;
		vmlinux = make_kernel(&k, (enum layout)(i % LAYOUTS));
		if (i % 4) {		/* damage the uncompressed content */
			put_damaged("boot/vmlinuz-1.2.3-test", &vmlinux, "gzip");
		} else {
			static const char *const packings[] = { "gzip", "xz", "zstd", "lz4" };
			struct buffer image = make_bzimage(a, &vmlinux, packings[i / 4 % 4]);

			put_damaged("boot/vmlinuz-1.2.3-test", &image, NULL);
		}
		ask(NULL);
		arena_close(a);
	}
}

/* ---- modules with symbols and types ---- */

static struct buffer make_types(bool is_base)
{
	struct btf *btf = btf__new_empty();
	struct buffer out = { .a = arena };
	const void *data;
	uint32_t size;
	int integer = btf__add_int(btf, "int", 4, BTF_INT_SIGNED), record, pointer, prototype, array;

	record = btf__add_struct(btf, "record", 16);
	btf__add_field(btf, "next", record + 1, 0, 0);
	pointer = btf__add_ptr(btf, record);
	array = btf__add_array(btf, integer, pointer, 7);
	prototype = btf__add_func_proto(btf, btf__add_const(btf, integer));
	btf__add_func_param(btf, "p", pointer);
	btf__add_func_param(btf, "q", btf__add_ptr(btf, array));
	btf__add_func_param(btf, "", 0);
	for (int i = 0; i < 50; i++)
		btf__add_func(btf, arena_printf(arena, "%s_%d", is_base ? "function" : "demo", i),
			      BTF_FUNC_STATIC, prototype);
	btf__add_func(btf, "callback", BTF_FUNC_STATIC, btf__add_func_proto(btf, btf__add_ptr(btf, prototype)));
	data = btf__raw_data(btf, &size);
	put(&out, data, size);
	btf__free(btf);
	return out;
}

static struct buffer make_module(void)
{
	struct part parts[8];
	Elf64_Sym s = { 0 };

	memset(parts, 0, sizeof(parts));
	add_part(arena, &parts[1], ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0);
	add_part(arena, &parts[2], ".symtab", SHT_SYMTAB, 0, 0);
	add_part(arena, &parts[3], ".strtab", SHT_STRTAB, 0, 0);
	add_part(arena, &parts[4], ".rela__mcount_loc", SHT_RELA, 0, 0);
	add_part(arena, &parts[5], ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0);
	add_part(arena, &parts[6], ".BTF", SHT_PROGBITS, 0, 0);
	parts[2].link = 3;
	parts[6].content = make_types(false);
	put_build_id(&parts[5].content);
	put_byte(&parts[3].content, 0);
	put(&parts[2].content, &s, sizeof(s));
	for (unsigned i = 0; i < 50; i++) {
		Elf64_Rela r = { .r_offset = 8 * i, .r_info = ELF64_R_INFO((uint64_t)i + 1, R_X86_64_64) };
		char name[16];

		s = (Elf64_Sym){ .st_name = (uint32_t)parts[3].content.b.n, .st_shndx = 1,
				 .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_value = 16 * i,
				 .st_size = 16 };
		snprintf(name, sizeof(name), "demo_%u", i);
		put(&parts[3].content, name, strlen(name) + 1);
		put(&parts[2].content, &s, sizeof(s));
		put(&parts[4].content, &r, sizeof(r));
		put64(&parts[1].content, 0x9090909090909090);
		put64(&parts[1].content, 0x9090909090909090);
	}
	return make_elf(arena, parts, 7, ET_REL);
}

static void test_modules(unsigned times)
{
	struct buffer module = make_module(), types = make_types(true), base;
	struct part parts[2];

	/* The kernel's types come from the vmlinux of a header package. */
	memset(parts, 0, sizeof(parts));
	add_part(arena, &parts[1], ".BTF", SHT_PROGBITS, 0, 0);
	parts[1].content = types;
	base = make_elf(arena, parts, 2, ET_EXEC);
	put_file("lib/modules/1.2.3-test/build/vmlinux", base.b.items, base.b.n);
	put_text("lib/modules/1.2.3-test/modules.dep", "kernel/demo.ko:\n");
	put_file("lib/modules/1.2.3-test/kernel/demo.ko", module.b.items, module.b.n);
	ask("demo");
	check(answers[DEBUGINFO_FOUND] > 0, "undamaged, it is good");
	for (unsigned i = 0; i < times; i++) {
		put_damaged("lib/modules/1.2.3-test/kernel/demo.ko", &module, NULL);
		ask("demo");
	}
	put_file("lib/modules/1.2.3-test/kernel/demo.ko", module.b.items, module.b.n);
	for (unsigned i = 0; i < times; i++) {
		put_damaged("lib/modules/1.2.3-test/build/vmlinux", &base, NULL);
		ask("demo");
	}
}

/* A file of some kilobytes that decompresses to gigabytes of zeros. */
static void test_bomb(void)
{
	static const char *const packings[] = { "gzip", "xz", "zstd", "lz4" };
	struct buffer zeros = { .a = arena };

	zeros.b.n = 300 << 20;
	zeros.b.items = arena_alloc(arena, zeros.b.n);
	for (size_t i = 0; i < ARRAY_SIZE(packings); i++) {
		struct arena *a = arena_open();
		struct buffer packed = pack(a, &zeros, packings[i]);

		put_file("boot/vmlinuz-1.2.3-test", packed.b.items, packed.b.n);
		ask(NULL);
		arena_close(a);
	}
}

/* Only numbers that look like kallsyms' markers: the search gives up. */
static void test_markers(void)
{
	struct fake fake = fake_open(arena, true);
	struct buffer vmlinux, image;
	uint32_t n = 0;
	uint8_t *p;

	vmlinux = make_kernel(&fake, LAYOUT_6_12);
	for (p = vmlinux.b.items + 0x200; p < vmlinux.b.items + vmlinux.b.n - 0x8000; p += 4, n++) {
		uint32_t value = n % 8 ? n % 8 * 600 : 0;

		if (!memcmp(p, "xyz\0xyz\0", 8))
			break;
		memcpy(p, &value, 4);
	}
	image = make_bzimage(arena, &vmlinux, "zstd");
	put_file("boot/vmlinuz-1.2.3-test", image.b.items, image.b.n);
	ask(NULL);
}

int main(int argc, char **argv)
{
	unsigned times = argc > 1 ? (unsigned)atoi(argv[1]) : 600;
	struct rusage usage;
	double start = seconds();

	if (argc > 2)
		random_state = (uint64_t)atoll(argv[2]);
	scratch_open();
	put_text("boot/nothing", "");
	test_kernels(times);
	printf("kernels: found %u, absent %u, broken %u, %.1f s\n", answers[0], answers[1], answers[2],
	       seconds() - start);
	check(answers[DEBUGINFO_BROKEN] > times / 10, "damage is seen");
	memset(answers, 0, sizeof(answers));
	test_modules(4 * times);
	printf("modules: found %u, absent %u, broken %u, %.1f s\n", answers[0], answers[1], answers[2],
	       seconds() - start);
	test_markers();
	test_bomb();
	getrusage(RUSAGE_SELF, &usage);
	printf("%.1f s, %ld MB\n", seconds() - start, usage.ru_maxrss / 1024);
	check(seconds() - start < 100 + times / 5.0, "in bounded time");
	scratch_close();
	return report();
}
