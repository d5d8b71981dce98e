/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For adversaries of several processes: start them, talk to them, notice when one hangs. */
#ifndef ADVERSARY_PARTY_H
#define ADVERSARY_PARTY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { LIMIT = 100000 };		/* ms: what takes longer hangs */

_Noreturn void die(const char *what);
void pause_ms(unsigned ms);
int64_t now_ms(void);

/* ---- a word each way ---- */

enum { HANGS = -1, GONE = -2 };		/* instead of the other side's word */

void say(int socket, int word);
int hear(int socket);
int order(int socket, int word);
/* WORD goes with it. */
void send_fd(int socket, int fd, int word);
int receive_fd(int socket);

/* ---- processes, which end with this one ---- */

struct process {
	pid_t pid;
	int socket;			/* to it */
};

struct process start(void (*run)(int socket, const void *what), const void *what);
/* Words up to NULL; what the program says goes to the file OUTPUT. */
pid_t spawn(const char *program, const char *output, ...);
/* False when it does not end in time. */
bool wait_for(pid_t pid, int ms);

#endif
