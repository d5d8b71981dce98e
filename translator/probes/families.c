/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probe families, in the order in which they are tried for a point. */
#include "points/family.h"

#define FAMILY(name) extern const struct probe_family name##_family;
#include "families.def"
#undef FAMILY
const struct probe_family *const families[] = {
#define FAMILY(name) &name##_family,
#include "families.def"
#undef FAMILY
	NULL
};
