/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where tapc's own files are: installed, or in the tree that it was built in. */
#ifndef TAPC_INSTALLATION_H
#define TAPC_INSTALLATION_H

#include "base/arena.h"

/* The folder SUBDIR ("runtime", "tapsets") of tapc's data. */
const char *installation_dir(struct arena *a, const char *subdir);
/* The library NAME for the programs that tapc makes. */
const char *installation_library(struct arena *a, const char *name);
/* The program NAME: beside this one, among tapc's data, or in PATH; NULL when there is none. */
const char *installation_program(struct arena *a, const char *name);

#endif
