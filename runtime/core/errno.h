/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Error numbers by name. */
#ifndef TAP_CORE_ERRNO_H
#define TAP_CORE_ERRNO_H

#include "tap_script.h"

/* "ENOENT" for 2 and -2; NULL for a number without a name. */
const char *tap_errno_name(s64 number);

#endif
