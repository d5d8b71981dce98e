/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tapc --interactive: a script that grows and changes while it runs. */
#ifndef TAPC_SHELL_H
#define TAPC_SHELL_H

struct run;

/* Reads commands until the end of standard input. RUN: its target is set and its translation open; the file or text
 * that its options name is loaded first. ARGV: the words of the command line. EXECUTE: takes a run through all passes,
 * and returns its exit status. Returns that of the first command that failed. */
int shell_run(struct run *run, char **argv, int (*execute)(struct run *run));

#endif
