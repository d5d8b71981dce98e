/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For adversaries with several processes: start them, communicate with them, detect hangs. */
#ifndef ADVERSARY_PARTY_H
#define ADVERSARY_PARTY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { LIMIT = 100000 };		/* of waited_ms(): anything that takes longer hangs */

_Noreturn void die(const char *what);
void pause_ms(unsigned ms);
int64_t now_ms(void);
/* How long this process has waited in pause_ms() and hear(): of each time at most ten times what it asked for. So a
 * guest whose emulator gets little processor time is not taken for one that hangs. */
int64_t waited_ms(void);

/* ---- one word each way ---- */

enum { HANGS = -1, GONE = -2 };		/* instead of the other side's word */

void say(int socket, int word);
int hear(int socket);
int order(int socket, int word);
/* WORD is sent with it. */
void send_fd(int socket, int fd, int word);
bool try_send_fd(int socket, int fd, int word);
int receive_fd(int socket);

/* ---- processes, which are killed when this one exits ---- */

struct process {
	pid_t pid;
	int socket;			/* to it */
};

struct process start(void (*run)(int socket, const void *what), const void *what);
/* The arguments end with NULL; the program's output goes to the file OUTPUT. */
pid_t spawn(const char *program, const char *output, ...);
/* False if it does not end in time. */
bool wait_for(pid_t pid, int ms);

#endif
