/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a connection to an editor. */
#ifndef TAPC_SERVER_SESSION_H
#define TAPC_SERVER_SESSION_H

#include "analysis.h"
#include "document.h"
#include "knowledge.h"
#include "wire.h"
#include "worker.h"

struct session {
	const struct analyst *analyst;
	struct wire wire;
	struct document *documents;
	struct worker workers[MOST_WORKERS];
	struct knowledge knowledge;
	enum { SESSION_NEW, SESSION_OPEN, SESSION_SHUT_DOWN, SESSION_ENDED } state;
	bool ended_well;		/* exit after shutdown */
	bool markdown;
};

#endif
