/* The other file of the program. */
#include <sys/sdt.h>

#include "shapes.h"

TAPC_SDT_SEMAPHORE(shapes, addresses);
TAPC_SDT_SEMAPHORE(shapes, branch);
TAPC_SDT_SEMAPHORE(shapes, changing);
TAPC_SDT_SEMAPHORE(shapes, constants);
TAPC_SDT_SEMAPHORE(shapes, counted);
TAPC_SDT_SEMAPHORE(shapes, empty);
TAPC_SDT_SEMAPHORE(shapes, fields);
TAPC_SDT_SEMAPHORE(shapes, inlined);
TAPC_SDT_SEMAPHORE(shapes, more);
TAPC_SDT_SEMAPHORE(shapes, numbers);
TAPC_SDT_SEMAPHORE(shapes, once);
TAPC_SDT_SEMAPHORE(shapes, statement);
TAPC_SDT_SEMAPHORE(shapes, twelve);
#ifdef __cplusplus
TAPC_SDT_SEMAPHORE(shapes, constructor);
TAPC_SDT_SEMAPHORE(shapes, cxx);
TAPC_SDT_SEMAPHORE(shapes, generic);
TAPC_SDT_SEMAPHORE(shapes, lambda);
#endif
char unknown_size[] = "text";

void second_file(int n)
{
	inline_in_both(n + 1);
	STAP_PROBE1(shapes, counted, n);
	if (TAPC_SDT_ENABLED(shapes, counted))
		STAP_PROBE2(shapes, counted, n, n);
}
