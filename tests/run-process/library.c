#include <dlfcn.h>

extern int twice(int n);

#ifdef LIBRARY
static volatile int hidden_count;
int twice(int n)
{
	hidden_count++;
	return 2 * n;
}
#else
int main(int argc, char **argv)
{
	int sum = 0;

	for (int i = 0; i < 50; i++)
		sum += twice(i);
	for (int i = 0; i < 20; i++) {
		void *library = dlopen(argv[1], RTLD_NOW);
		int (*f)(int) = library ? (int (*)(int))dlsym(library, "twice") : 0;

		if (!f)
			return 1;
		f(9);
		dlclose(library);
	}
	return sum != 2450;
}
#endif
