/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks of Python programs: functions, files and lines of the code that CPython interprets. */
#ifndef TAP_PYTHON_H
#define TAP_PYTHON_H

#include "session.h"

/* The frame with number N of the current thread, from the innermost one, from 0: "Class.method at file.py:12". "" if
 * there are not so many, or if the thread runs no Python. */
struct tap_string tap_python_frame(struct tap_context *c, s64 n);
/* All of them, a line each, as far as complete lines fit. A stack that cannot be read
 * to its end is marked. */
struct tap_string tap_python_text(struct tap_context *c);
/* The functions from the outermost to the innermost, separated by semicolons; if not all fit, the innermost do. */
struct tap_string tap_python_folded(struct tap_context *c);
/* Prints all of them, a line each. */
void tap_python_print(struct tap_context *c);

#endif
