/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of architectures are consistent, and this machine's agrees with its headers. */
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/user.h>

#include "arch/arches.h"
#include "base/util.h"

enum { WORD = 8 };		/* of pt_regs: of the 64-bit kernel, also for i386 */

static unsigned count, failures;

static void check(bool good, const char *arch, const char *claim)
{
	count++;
	if (!good)
		printf("not ok %u %s: %s\n", count, arch, claim);
	failures += !good;
}

static void check_names(const struct arch *a)
{
	for (const struct arch_register *r = a->registers; r->name; r++) {
		check(arch_register(a, r->name) == r, a->name, r->name);
		check(r->offset % WORD + r->size <= WORD, a->name, "each register is within one word of pt_regs");
		check(r->size && (r->size & (r->size - 1)) == 0 && r->size <= a->word, a->name, r->name);
	}
	check(arch_register(a, a->pc) && arch_register(a, a->sp) && arch_register(a, a->fp), a->name,
	      "pc, sp, fp");
	check(!a->link || arch_register(a, a->link), a->name, "link");
	check(arch_register(a, a->result) && arch_register(a, a->syscall.result) &&
	      arch_register(a, a->syscall.number), a->name, "results");
	for (unsigned i = 0; i < 6; i++)
		check(arch_register(a, a->syscall.arguments[i]) != NULL, a->name, "system call's arguments");
	for (unsigned i = 1; i <= a->argument_count; i++)
		check(arch_argument(a, i) && arch_argument(a, i)->size == a->word, a->name, "arguments");
	check(!arch_argument(a, 0) && !arch_argument(a, a->argument_count + 1u), a->name, "no others");
}

static void check_dwarf(const struct arch *a)
{
	for (const struct arch_register *r = a->registers; r->name; r++) {
		const struct arch_register *whole = arch_register_of_dwarf(a, r->dwarf);

		check(r->dwarf < 0 ? !whole : whole && whole->offset == r->offset, a->name, r->name);
	}
	check(!arch_register_of_dwarf(a, 1000), a->name, "no register 1000");
}

static void check_finding(const struct arch *a)
{
	check(arch_find(a->name) == a && arch_find(a->kernel) == a, a->name, "by name");
	check(arch_of_machine(a->elf_machine) == a, a->name, "by ELF machine");
}

#ifdef __x86_64__
/* struct user_regs_struct begins like struct pt_regs. */
static void check_host(void)
{
	static const struct { const char *name; size_t offset; } truth[] = {
#define AT(name, member) { name, offsetof(struct user_regs_struct, member) }
		AT("r15", r15), AT("r14", r14), AT("r13", r13), AT("r12", r12), AT("rbp", rbp),
		AT("rbx", rbx), AT("r11", r11), AT("r10", r10), AT("r9", r9), AT("r8", r8), AT("rax", rax),
		AT("rcx", rcx), AT("rdx", rdx), AT("rsi", rsi), AT("rdi", rdi), AT("orig_rax", orig_rax),
		AT("rip", rip), AT("cs", cs), AT("eflags", eflags), AT("rsp", rsp), AT("ss", ss),
		AT("eax", rax), AT("dil", rdi), AT("r8d", r8),
#undef AT
	};
	const struct arch *a = arch_host();

	check(a && str_equal(a->name, "x86_64"), "x86_64", "is the host");
	for (size_t i = 0; a && i < ARRAY_SIZE(truth); i++)
		check(arch_register(a, truth[i].name)->offset == truth[i].offset, a->name, truth[i].name);
	check(arch_register(a, "rdi")->dwarf == 5 && arch_register(a, "rsi")->dwarf == 4 &&
	      arch_register(a, "rdx")->dwarf == 1 && arch_register(a, "rcx")->dwarf == 2, a->name,
	      "DWARF numbers are not in the order of the alphabet");
}
#elif defined(__aarch64__)
static void check_host(void)
{
	const struct arch *a = arch_host();

	check(a && str_equal(a->name, "aarch64"), "aarch64", "is the host");
	check(arch_register(a, "x19")->offset == offsetof(struct user_regs_struct, regs[19]) &&
	      arch_register(a, "sp")->offset == offsetof(struct user_regs_struct, sp) &&
	      arch_register(a, "pc")->offset == offsetof(struct user_regs_struct, pc), a->name, "offsets");
}
#else
static void check_host(void) { }
#endif

int main(void)
{
	for (size_t i = 0; arches[i]; i++) {
		check_names(arches[i]);
		check_dwarf(arches[i]);
		check_finding(arches[i]);
	}
	check(!arch_find("vax") && !arch_of_machine(EM_VAX), "vax", "is not supported");
	check_host();
	printf("%u checks, %u failed\n", count, failures);
	return failures != 0;
}
