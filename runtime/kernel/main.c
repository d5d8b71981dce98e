// SPDX-License-Identifier: GPL-2.0-or-later
/* Loading and unloading. Loading creates the files in /proc and attaches nothing; flow.c has what follows. */
#include <linux/module.h>

#include "arming.h"
#include "control.h"
#include "errand.h"
#include "families.h"
#include "flow.h"
#include "frames.h"
#include "maps.h"
#include "rows.h"
#include "services.h"
#include "session.h"

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("tapc script");

static int __init main_init(void)
{
	int err;

	if (tap_script.abi_version != TAP_ABI_VERSION)
		return -ENOEXEC;
	tap_frames_open();
	tap_arming_open();
	err = tap_errand_open();
	if (err)
		return err;
	err = tap_services_open();
	if (err)
		goto close_errand;
	if (tap_script.init)
		tap_script.init();
	err = tap_rows_open();
	if (err)
		goto close_rows;
	err = tap_control_open();
	if (err)
		goto close_rows;
	err = tap_services_publish();
	if (err)
		goto close_control;
	return 0;

close_control:
	tap_control_close();
close_rows:
	tap_rows_close();
	tap_services_close();
close_errand:
	tap_errand_close();
	return err;
}

/* Nothing holds the module, so the session is over or never began, and no file is open. The files are removed
 * first, then what they give access to. */
static void __exit main_exit(void)
{
	tap_errand_close();
	tap_flow_settle();
	tap_frames_settle();
	tap_services_settle();
	tap_control_close();
	tap_families_close();
	tap_frames_stop();
	tap_services_close();
	tap_maps_stop();
	tap_rows_close();
	tap_session_quiesce();
}

module_init(main_init);
module_exit(main_exit);
