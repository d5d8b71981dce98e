// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the kernel's settings: kernel.modules_disabled, module.sig_enforce (kernel/module/signing.c), and
 * lockdown (security/lockdown/lockdown.c, which marks the current level with brackets). The translator checks
 * them before it builds, the loaders before they load. */
#include "refusal.h"

#include <stdio.h>
#include <string.h>

#define SIGN "sign it with an enrolled key (tapc --sign-module, or the kernel's scripts/sign-file)"

static bool says(const char *path, const char *text)
{
	FILE *file = fopen(path, "re");
	char line[256];
	bool found = file && fgets(line, sizeof(line), file) && strstr(line, text);

	if (file)
		fclose(file);
	return found;
}

const char *refusal_of_kernel(bool is_signed)
{
	if (says("/proc/sys/kernel/modules_disabled", "1"))
		return "module loading is off until the next boot (kernel.modules_disabled=1)";
	if (is_signed)
		return NULL;
	if (says("/sys/module/module/parameters/sig_enforce", "Y"))
		return "this kernel takes only signed modules (module.sig_enforce): " SIGN;
	if (says("/sys/kernel/security/lockdown", "[integrity]") ||
	    says("/sys/kernel/security/lockdown", "[confidentiality]"))
		return "this kernel is locked down (Secure Boot?) and takes only signed modules: " SIGN;
	return NULL;
}
