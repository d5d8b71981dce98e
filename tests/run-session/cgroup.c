#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

__attribute__((noipa)) int step(int tag)
{
	return getpriority(PRIO_PROCESS, tag);
}

/* Moves itself to a cgroup. */
static void move(const char *cgroup)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, "0", 1) != 1) {
		perror(path);
		exit(1);
	}
	close(fd);
}

/* TAG WORD...: a number is that many steps, a path the cgroup for the next ones. */
int main(int argc, char **argv)
{
	for (int i = 2; i < argc; i++) {
		if (*argv[i] == '/')
			move(argv[i]);
		else
			for (int n = atoi(argv[i]); n > 0; n--)
				step(atoi(argv[1]));
	}
	return 0;
}
