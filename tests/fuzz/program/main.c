/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random scripts with known output: `program SEED` writes a script to stdout and its expected output to file
 * descriptor 3: numbers, strings, arrays, control flow, functions, errors. tests/simulate/random-programs.sh
 * compares. */
#include "tree.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
	FILE *out = fdopen(3, "w");
	struct node *body;
	bool is_begin;

	if (!out)
		return 2;
	body = program_make(argc > 1 ? strtoull(argv[1], NULL, 0) : 1, &is_begin);
	program_print(body, !is_begin);
	program_run(body, out);
	return fclose(out) ? 2 : 0;
}
