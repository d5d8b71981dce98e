// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the kernel's settings: kernel.modules_disabled, module.sig_enforce (kernel/module/signing.c), and
 * lockdown (security/lockdown/lockdown.c, which marks the current level with brackets). The translator checks
 * them before it builds, the loaders before they load. */
#include "refusal.h"

#include <stdio.h>
#include <string.h>

#include "advice.h"

static bool says(const char *path, const char *text)
{
	FILE *file = fopen(path, "re");
	char line[256];
	bool found = file && fgets(line, sizeof(line), file) && strstr(line, text);

	if (file)
		fclose(file);
	return found;
}

bool refusal_is_absent(bool is_signed, struct gap *g)
{
	if (says("/proc/sys/kernel/modules_disabled", "1"))
		return gap_found(g, ADVICE_REBOOT, NULL,
				 "module loading is off until the next boot (kernel.modules_disabled=1)");
	if (is_signed)
		return true;
	if (says("/sys/module/module/parameters/sig_enforce", "Y"))
		return gap_found(g, ADVICE_SIGN, NULL, "this kernel takes only signed modules (module.sig_enforce)");
	if (says("/sys/kernel/security/lockdown", "[integrity]") ||
	    says("/sys/kernel/security/lockdown", "[confidentiality]"))
		return gap_found(g, ADVICE_SIGN, NULL,
				 "this kernel is locked down (Secure Boot?) and takes only signed modules");
	return true;
}
