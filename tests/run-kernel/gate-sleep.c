/* sleepers COUNT FIFO: COUNT threads read an eventfd; after a line from FIFO they get 1 each. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event;

static void *wait_for_one(void *unused)
{
	uint64_t n;

	if (read(event, &n, sizeof(n)) != sizeof(n))
		exit(3);
	return unused;
}

int main(int argc, char **argv)
{
	int count = argc == 3 ? atoi(argv[1]) : 0;
	pthread_t *threads = calloc((size_t)count + 1, sizeof(*threads));
	pthread_attr_t attributes;
	uint64_t all = (uint64_t)count;
	char line[10];
	FILE *fifo;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 1 << 16);
	event = eventfd(0, EFD_SEMAPHORE);
	if (!count || !threads || event < 0)
		return 2;
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], &attributes, wait_for_one, NULL) != 0) {
			perror("pthread_create");
			return 1;
		}
	fifo = fopen(argv[2], "r");
	if (!fifo || !fgets(line, sizeof(line), fifo))
		return 1;
	if (write(event, &all, sizeof(all)) != sizeof(all))
		return 1;
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
