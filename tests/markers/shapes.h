/* What both files of the program use. */
#define SECOND_COUNTED(x) STAP_PROBE1(shapes, counted, x)
#ifdef __cplusplus
extern "C" {
#else
#include <stdbool.h>
#endif
void second_file(int n);
#ifdef __cplusplus
}
#endif

static inline void inline_in_both(int n)
{
	STAP_PROBE1(shapes, inlined, n);
}
