// SPDX-License-Identifier: GPL-2.0-or-later
/* Data of modules, for the script's table of symbols: where they are while their module is there. Modules
 * carry their own symbol tables, and kset_find_obj() finds a module without its being exported. */
#include "symbol.h"

#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/mutex.h>

#include "context.h"

/* Between looking at a module's state and the notice that it goes. */
static DEFINE_MUTEX(symbols_lock);

static bool is_same(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !(*a == '-' && *b == '_'))
			return false;
	return *a == *b;
}

#ifdef CONFIG_KALLSYMS
/* Its table moves, and shrinks, when it has been initialised: module.c frees the first one behind RCU. */
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

static void find_all(const struct module *module)
{
	for (u32 i = 0; i < tap_script.symbol_count; i++) {
		struct tap_symbol *s = &tap_script.symbols[i];

		if (is_same(module->name, s->module))
			WRITE_ONCE(s->address, symbol_in(module, s->name));
	}
}

static void forget_all(const struct module *module)
{
	for (u32 i = 0; i < tap_script.symbol_count; i++)
		if (is_same(module->name, tap_script.symbols[i].module))
			WRITE_ONCE(tap_script.symbols[i].address, 0);
}

static int module_changed(struct notifier_block *block, unsigned long what, void *data)
{
	mutex_lock(&symbols_lock);
	if (what == MODULE_STATE_COMING)
		find_all(data);
	else if (what == MODULE_STATE_GOING)
		forget_all(data);
	mutex_unlock(&symbols_lock);
	return NOTIFY_DONE;
}

/* Before anything is hooked, so that a module's first call finds its data. */
static struct notifier_block notifier = { .notifier_call = module_changed, .priority = 1 };

static void find_loaded(const char *name)
{
	struct kobject *object = kset_find_obj(THIS_MODULE->mkobj.kobj.kset, name);
	struct module *module;

	if (!object)
		return;
	mutex_lock(&symbols_lock);
	module = container_of(object, struct module_kobject, kobj)->mod;	/* NULL: built in */
	if (module && module->state != MODULE_STATE_GOING && module->state != MODULE_STATE_UNFORMED)
		find_all(module);
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
			find_loaded(tap_script.symbols[i].module);
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
