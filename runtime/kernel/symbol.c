// SPDX-License-Identifier: GPL-2.0-or-later
/* Names and addresses. Finds the symbols of modules in the script's table while their module is loaded. Modules
 * carry their own symbol tables, and kset_find_obj() finds a module although that is not exported.
 *
 * Names of code come from the kernel, which has its own, those of modules and of BPF programs loaded at that
 * moment, and looks them up without a lock. */
#include "symbol.h"

#include <linux/kallsyms.h>
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/mutex.h>

#include "address.h"
#include "context.h"

/* Held between checking a module's state and the notification that it is going. */
static DEFINE_MUTEX(symbols_lock);

static bool symbol_is_same(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !(*a == '-' && *b == '_'))
			return false;
	return *a == *b;
}

#ifdef CONFIG_KALLSYMS
/* The module's table moves, and shrinks, when initialisation is complete: module.c frees the first one by RCU. */
static u64 symbol_in(const struct module *module, const char *name)
{
	const struct mod_kallsyms *table;
	u64 address = 0;

	rcu_read_lock_sched();
	table = rcu_dereference_sched(module->kallsyms);
	for (u32 i = 1; table && i < table->num_symtab && !address; i++)
		if (table->symtab[i].st_shndx != SHN_UNDEF &&
		    !strcmp(table->strtab + table->symtab[i].st_name, name))
			address = table->symtab[i].st_value;
	rcu_read_unlock_sched();
	return address;
}
#else
static u64 symbol_in(const struct module *module, const char *name) { return 0; }
#endif

/* Source lines belong to one build. */
static bool symbol_is_right_build(const struct module *module, const struct tap_symbol *s)
{
	for (u32 i = 0; i < tap_script.line_count; i++)
		if (tap_script.lines[i].symbol == s && !tap_module_is_build(module, &tap_script.lines[i].image))
			return false;
	return true;
}

static void symbol_find_all(const struct module *module)
{
	for (u32 i = 0; i < tap_script.symbol_count; i++) {
		struct tap_symbol *s = &tap_script.symbols[i];

		if (symbol_is_same(module->name, s->module) && symbol_is_right_build(module, s))
			WRITE_ONCE(s->address, symbol_in(module, s->name));
	}
}

static void symbol_forget_all(const struct module *module)
{
	for (u32 i = 0; i < tap_script.symbol_count; i++)
		if (symbol_is_same(module->name, tap_script.symbols[i].module))
			WRITE_ONCE(tap_script.symbols[i].address, 0);
}

static int symbol_module_changed(struct notifier_block *block, unsigned long what, void *data)
{
	mutex_lock(&symbols_lock);
	if (what == MODULE_STATE_COMING)
		symbol_find_all(data);
	else if (what == MODULE_STATE_GOING)
		symbol_forget_all(data);
	mutex_unlock(&symbols_lock);
	return NOTIFY_DONE;
}

/* Runs before anything is hooked, so that a module's first call finds its data. */
static struct notifier_block notifier = { .notifier_call = symbol_module_changed, .priority = 1 };

static void symbol_find_loaded(const char *name)
{
	struct kobject *object = kset_find_obj(THIS_MODULE->mkobj.kobj.kset, name);
	struct module *module;

	if (!object)
		return;
	mutex_lock(&symbols_lock);
	module = container_of(object, struct module_kobject, kobj)->mod;	/* NULL: built in */
	if (module && module->state != MODULE_STATE_GOING && module->state != MODULE_STATE_UNFORMED)
		symbol_find_all(module);
	mutex_unlock(&symbols_lock);
	kobject_put(object);
}

int tap_symbols_start(void)
{
	int err;

	if (!tap_script.symbol_count)
		return 0;
	err = register_module_notifier(&notifier);
	if (err)
		return err;
	for (u32 i = 0; i < tap_script.symbol_count; i++)
		if (!READ_ONCE(tap_script.symbols[i].address))
			symbol_find_loaded(tap_script.symbols[i].module);
	return 0;
}

void tap_symbols_stop(void)
{
	if (tap_script.symbol_count)
		unregister_module_notifier(&notifier);
}

u64 tap_symbol_address(struct tap_context *c, const struct tap_symbol *s, s64 offset)
{
	u64 address = READ_ONCE(s->address);

	if (likely(address))
		return address + offset;
	tap_error(c, "module %s is not loaded, or its variables are not in its symbol table", s->module);
	return 0;
}

/* ---- names of code ---- */

u32 tap_symbol_hex(char *to, u64 address)
{
	u32 digits = max((fls64(address) + 3) / 4, 1);

	to[0] = '0';
	to[1] = 'x';
	for (u32 i = 0; i < digits; i++)
		to[2 + i] = "0123456789abcdef"[address >> 4 * (digits - 1 - i) & 15];
	return 2 + digits;
}

/* PRINT is sprint_symbol or similar: "name+0x10/0x1a0 [module]", or the address. The text has room for an appended
 * " [kernel]". *NAME_SIZE: bytes before the module; 0 if there is no name. */
static char *symbol_text(struct tap_context *c, u64 address, int (*print)(char *, unsigned long),
			 u32 *name_size)
{
	char *text = tap_scratch(c, KSYM_SYMBOL_LEN + sizeof(" [kernel]")), *module;

	*name_size = 0;
	if (!text)
		return NULL;
	print(text, address);
	module = strrchr(text, ' ');
	if (strncmp(text, "0x", 2))
		*name_size = module ? module - text : strlen(text);
	return text;
}

/* Cuts TEXT, which is the last block of scratch, to SIZE bytes and to the limit of strings. */
static struct tap_string symbol_cut(struct tap_context *c, char *text, u32 size)
{
	size = min_t(u32, size, tap_script.limits.string - 1);
	text[size] = 0;
	c->scratch = text + ALIGN(size + 1, 16);
	return (struct tap_string){ text, size };
}

struct tap_string tap_symbol_name(struct tap_context *c, u64 address)
{
	u32 size;
	char *text = symbol_text(c, address, sprint_symbol_no_offset, &size);

	return text ? symbol_cut(c, text, size ?: strlen(text)) : TAP_EMPTY;
}

struct tap_string tap_symbol_data(struct tap_context *c, u64 address)
{
	u32 size;
	char *text = symbol_text(c, address, sprint_symbol, &size);

	if (!text)
		return TAP_EMPTY;
	if (size == strlen(text))
		strcpy(text + size, " [kernel]");
	return symbol_cut(c, text, strlen(text));
}

struct tap_string tap_symbol_module(struct tap_context *c, u64 address)
{
	u32 size, whole;
	char *text = symbol_text(c, address, sprint_symbol_no_offset, &size);

	if (!text)
		return TAP_EMPTY;
	if (!size) {
		tap_error(c, "there is no module at 0x%llx", address);
		return TAP_EMPTY;
	}
	whole = strlen(text);
	if (size == whole)
		return TAP_STRING("kernel");
	memmove(text, text + size + 2, whole - size - 3);	/* without " [" and "]" */
	return symbol_cut(c, text, whole - size - 3);
}

void tap_symbol_print(struct tap_context *c, const char *prefix, u64 address)
{
	char *mark = c->scratch, *line, hex[TAP_MOST_HEX + 1];
	struct tap_string data = tap_symbol_data(c, address);
	u32 room = strlen(prefix) + sizeof(hex) + data.size + sizeof("  : \n");

	hex[tap_symbol_hex(hex, address)] = 0;
	line = tap_scratch(c, room);
	if (line)
		tap_print_text(c, TAP_ITEM_TEXT, (struct tap_string){
			line, scnprintf(line, room, "%s %s : %s\n", prefix, hex, data.data) });
	c->scratch = mark;
}

struct tap_string tap_symbol_lines(struct tap_context *c)
{
	char *text = tap_scratch(c, tap_script.limits.string);

	return text ? (struct tap_string){ text, 0 } : TAP_EMPTY;
}

bool tap_symbol_add(struct tap_context *c, struct tap_string *lines, u64 address)
{
	char *mark = c->scratch, *end = (char *)lines->data + lines->size;
	struct tap_string data = tap_symbol_data(c, address);
	bool fits = data.size && lines->size + data.size + 1 < tap_script.limits.string;

	if (fits) {
		memcpy(end, data.data, data.size);
		strcpy(end + data.size, "\n");
		lines->size += data.size + 1;
	}
	c->scratch = mark;
	return fits;
}
