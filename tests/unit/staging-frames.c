// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows made from call frame information agree with libdw's interpretation of it: both are followed by one frame, in
 * a memory whose words are a function of their addresses, from thousands of places in programs of this machine, and
 * in libraries for arm64 and 32-bit x86 if their compilers are installed. */
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/elf_wide.h"
#include "core/unwind.h"
#include "images/frames.h"
#include "common/host.h"

static int failures;

/* ---- memory and registers ---- */

enum { STACK = 0x7ffc00001000 };

static u64 word_at(u64 address)
{
	u64 x = address * 0x9e3779b97f4a7c15ull;

	return (STACK + ((x >> 40) & 0xffff8)) | 0x100000;	/* above all stack pointers here */
}

static bool read_word(void *reader, u64 address, u64 *word)
{
	(void)reader;
	*word = word_at(address);
	return true;
}

enum { NONE = 1000 };

/* DWARF's numbers of the registers of rows, except for the one in which calls leave the return address. */
struct machine {
	uint16_t elf;
	bool narrow;
	unsigned numbers[TAP_UNWIND_REGISTERS];
	int place;			/* the register number that expressions use for the place; -1: none */
	int link;			/* number of the register with the return address; -1: none */
};

static const struct machine machines[] = {
	{ EM_X86_64, false, { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 }, 16, -1 },
	{ EM_386, true, { 0, 2, 1, 3, 6, 7, 5, 4, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 8 }, 8, -1 },
	{ EM_AARCH64, false, { 19, 20, 21, 22, 23, 24, 29, 31, 25, 26, 27, 28, 30, 30, 30, 30, 30 }, -1, 30 },
};
static const struct machine *machine;

/* The value of the register with DWARF number N. */
static u64 register_value(unsigned n)
{
	return n == machine->numbers[TAP_UNWIND_STACK] ? STACK : STACK + 0x1000 + 0x40 * n;
}

/* ---- libdw's result ---- */

static bool is_numbered(uint64_t dwarf)
{
	for (int i = 0; i < TAP_UNWIND_REGISTERS; i++)
		if (machine->numbers[i] == dwarf)
			return true;
	return false;
}

/* False for operations that rows cannot represent. */
static bool evaluate(const Dwarf_Op *ops, size_t n, u64 frame, u64 at, u64 *result)
{
	u64 stack[8] = { 0 };
	unsigned depth = 0;

	for (size_t i = 0; i < n; i++) {
		uint8_t op = ops[i].atom;

		if (depth > 6 || (op != DW_OP_call_frame_cfa && op < DW_OP_lit0 && depth < 1))
			return false;
		if ((op >= DW_OP_breg0 && op <= DW_OP_breg31 && !is_numbered(op - DW_OP_breg0)) ||
		    (op == DW_OP_bregx && !is_numbered(ops[i].number)))
			return false;
		if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
			stack[depth++] = (op - DW_OP_breg0 == machine->place ? at :
					  register_value(op - DW_OP_breg0)) + ops[i].number;
		else if (op == DW_OP_bregx)
			stack[depth++] = register_value((unsigned)ops[i].number) + ops[i].number2;
		else if (op == DW_OP_call_frame_cfa)
			stack[depth++] = frame;
		else if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
			stack[depth++] = op - DW_OP_lit0;
		else if (op == DW_OP_plus_uconst)
			stack[depth - 1] += ops[i].number;
		else if (op == DW_OP_deref)
			stack[depth - 1] = word_at(stack[depth - 1]);
		else if (op == DW_OP_stack_value)
			;
		else if (depth < 2)
			return false;
		else if (op == DW_OP_plus)
			depth--, stack[depth - 1] += stack[depth];
		else if (op == DW_OP_and)
			depth--, stack[depth - 1] &= stack[depth];
		else if (op == DW_OP_ge)
			depth--, stack[depth - 1] = stack[depth - 1] >= stack[depth];
		else if (op == DW_OP_shl)
			depth--, stack[depth - 1] <<= stack[depth];
		else
			return false;
	}
	*result = stack[0];
	return depth == 1;
}

struct truth {
	bool found, understood, ends, is_signal;
	u64 values[TAP_UNWIND_REGISTERS];
	u32 saved, lost;
};

static struct truth ask(Dwarf_CFI *cfi, u64 at)
{
	struct truth t = { 0 };
	Dwarf_Op *ops, own[3];
	Dwarf_Frame *f;
	size_t n;
	u64 frame;

	if (dwarf_cfi_addrframe(cfi, at, &f))
		return t;
	t.found = true;
	/* Some functions in the C library for arm64 return to the address in x15. */
	t.understood = dwarf_frame_info(f, NULL, NULL, &t.is_signal) == (int)machine->numbers[TAP_UNWIND_RETURN] &&
		       !dwarf_frame_cfa(f, &ops, &n) && evaluate(ops, n, 0, at, &frame);
	for (int i = 0; t.understood && i < TAP_UNWIND_REGISTERS; i++) {
		if (machine->numbers[i] == NONE)
			continue;
		if (machine->link >= 0 && i >= TAP_UNWIND_LINK && i < TAP_UNWIND_RETURN)
			continue;
		if (dwarf_frame_register(f, (int)machine->numbers[i], own, &ops, &n))
			t.understood = false;
		else if (n == 0 && ops == own)
			t.lost |= 1u << i;
		else if (n == 1 && ops[0].atom == DW_OP_regx && i == TAP_UNWIND_RETURN)
			t.values[i] = register_value((unsigned)ops[0].number), t.saved |= 1u << i;
		else if (n == 0 && i == TAP_UNWIND_RETURN)
			t.values[i] = register_value((unsigned)machine->link), t.saved |= 1u << i;
		else if (n && evaluate(ops, n, frame, at, &t.values[i]))
			t.values[i] = ops[n - 1].atom == DW_OP_stack_value ? t.values[i] : word_at(t.values[i]),
			t.saved |= 1u << i;
	}
	t.ends = t.lost >> TAP_UNWIND_RETURN & 1;
	if (!(t.saved >> TAP_UNWIND_STACK & 1))
		t.values[TAP_UNWIND_STACK] = frame;
	t.saved |= 1u << TAP_UNWIND_STACK;
	free(f);
	return t;
}

/* ---- the comparison ---- */

struct tally { unsigned places, agree, steps, ends, left_out; };

static bool agrees(const struct truth *truth, const struct tap_unwind_state *s)
{
	for (u32 i = 0; i < TAP_UNWIND_REGISTERS; i++)
		if ((truth->saved >> i & 1) && (!(s->known >> i & 1) || s->registers[i] != truth->values[i]))
			return false;
	return s->interrupted == truth->is_signal;
}

static bool compare(Dwarf_CFI *cfi, const struct binary *e, const struct tap_image *image, u64 at, struct tally *tally)
{
	struct truth truth = ask(cfi, at);
	struct tap_unwind_state s = { .known = (1u << TAP_UNWIND_REGISTERS) - 1, .narrow = machine->narrow };
	const struct tap_unwind_rule *rule;
	enum tap_unwind_result result;
	uint64_t offset = 0;

	if (!binary_offset(e, at, &offset))
		return false;
	for (u32 i = 0; i < TAP_UNWIND_RETURN; i++)
		s.registers[i] = register_value(machine->numbers[i]);
	s.registers[TAP_UNWIND_RETURN] = at;
	rule = tap_image_rule(image, offset);
	result = tap_unwind_step(&s, rule, read_word, NULL);
	tally->places += truth.found;
	if (!truth.found || !truth.understood) {
		tally->left_out += truth.found;
		return result == TAP_UNWIND_UNKNOWN;
	}
	if (truth.ends) {
		tally->ends++;
		return result == TAP_UNWIND_END;
	}
	tally->steps++;
	/* A caller's frame below the callee's is rejected by the step, not by the rows. */
	if (result == TAP_UNWIND_FAILED && truth.values[TAP_UNWIND_STACK] <= STACK)
		return true;
	return result == TAP_UNWIND_DONE && agrees(&truth, &s);
}

static void compare_all(const char *path, Elf *elf, const struct binary *e, const struct tap_image *image)
{
	Dwarf_CFI *cfi = dwarf_getcfi_elf(elf);
	struct tally tally = { 0 };
	struct binary_piece p;

	for (uint32_t n = 1; cfi && n < e->head.e_shnum; n++) {
		Elf64_Shdr s = elf_wide_section(e->data + e->head.e_shoff + n * e->head.e_shentsize, e->narrow);

		if (!(s.sh_flags & SHF_EXECINSTR) || !binary_section_number(e, n, &p))
			continue;
		for (u64 at = s.sh_addr; at < s.sh_addr + s.sh_size; at += s.sh_size > 100000 ? 37 : 1) {
			if (compare(cfi, e, image, at, &tally)) {
				tally.agree++;
			} else if (failures++ < 20) {
				printf("%s: at 0x%" PRIx64 " rows and libdw differ\n", path, (uint64_t)at);
			}
		}
	}
	printf("%s: %u places with information, %u frames alike, %u ends, %u without a rule; %u rules, %u rows\n",
	       path, tally.places, tally.steps, tally.ends, tally.left_out, image->rule_count, image->row_count);
	dwarf_cfi_end(cfi);
	if (tally.steps < 1000) {
		failures++;
		printf("%s: too few places were compared\n", path);
	}
	if (tally.left_out * 200 > tally.places) {
		failures++;
		printf("%s: too many places have no rule\n", path);
	}
}

static void try_file(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct tap_image image;
	struct tables tables;
	struct stat st;
	struct binary e;
	void *data, *packed;
	size_t size;
	Elf *elf;

	if (fd < 0 || fstat(fd, &st) < 0)
		return;
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	tables_init(&tables, path);
	machine = machines;
	if (binary_open(&e, data, (size_t)st.st_size))
		while (machine->elf != e.head.e_machine && machine->elf != EM_AARCH64)
			machine++;
	if (!frames_read(&e, &e, &tables)) {
		printf("%s: no call frame information\n", path);
		failures++;
		return;
	}
	packed = tables_pack(&tables, &size);
	if (tap_image_open(&image, packed, size)) {
		compare_all(path, elf, &e, &image);
	} else {
		printf("%s: its tables are refused\n", path);
		failures++;
	}
	if (tap_image_open(&image, packed, size - 1) || tap_image_open(&image, packed, 8)) {
		printf("%s: tables that are cut off are taken\n", path);
		failures++;
	}
	free(packed);
	tables_free(&tables);
	elf_end(elf);
	munmap(data, (size_t)st.st_size);
	close(fd);
}

/* ---- information that no compiler writes ---- */

/* Damaged information is rejected or left out, and the tables made from it are always well
 * formed. */
static void try_damage(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct binary_piece p;
	struct binary e;
	size_t size;
	char *good = host_read_file(fd, 16 << 20, &size), *bad;

	close(fd);
	if (!good || !binary_open(&e, good, size) || !binary_section(&e, ".eh_frame", &p)) {
		failures++;
		return;
	}
	bad = host_alloc(size);
	srand(1);
	for (int round = 0; round < 60; round++) {
		struct tap_image image;
		struct tables tables;
		size_t packed_size;
		void *packed;
		struct binary broken;

		memcpy(bad, good, size);
		for (int i = 0; i < 200; i++)
			bad[p.offset + (size_t)rand() % bytes_left(&p.bytes)] = (char)rand();
		tables_init(&tables, path);
		if (binary_open(&broken, bad, size))
			frames_read(&broken, &broken, &tables);
		packed = tables_pack(&tables, &packed_size);
		if (!tap_image_open(&image, packed, packed_size)) {
			printf("%s: damaged information makes bad tables in round %d\n", path, round);
			failures++;
		}
		free(packed);
		tables_free(&tables);
	}
	free(bad);
	free(good);
}

int main(void)
{
	Dl_info libc, libdw;

	elf_version(EV_CURRENT);
	dladdr((void *)(uintptr_t)gnu_get_libc_version, &libc);
	dladdr((void *)(uintptr_t)dwarf_begin, &libdw);
	try_file(libc.dli_fname);
	try_file(libdw.dli_fname);
	try_file("/bin/bash");
	try_file("/lib/x86_64-linux-gnu/libstdc++.so.6");
	try_file("/lib/x86_64-linux-gnu/libcrypto.so.3");
	try_file("/lib32/libc.so.6");
	try_file("/lib/ld-linux.so.2");
	try_file("/usr/aarch64-linux-gnu/lib/libc.so.6");
	try_file("/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1");
	try_file("/usr/aarch64-linux-gnu/lib/libstdc++.so.6");
	try_damage("/bin/bash");
	return failures != 0;
}
