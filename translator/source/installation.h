/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The locations of tapc's own files: installed, or in the build tree. */
#ifndef TAPC_INSTALLATION_H
#define TAPC_INSTALLATION_H

#include "base/arena.h"

/* The directory SUBDIR ("runtime", "tapsets") of tapc's data. */
const char *installation_dir(struct arena *a, const char *subdir);
/* The library NAME that programs made by tapc are linked with. */
const char *installation_library(struct arena *a, const char *name);
/* The program NAME: next to this one, in tapc's data directory, or in PATH; NULL if it is not found. */
const char *installation_program(struct arena *a, const char *name);

#endif
