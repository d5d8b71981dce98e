// SPDX-License-Identifier: GPL-2.0-or-later
/* The accounts are for one minute. User ids cost nothing (subuid(5)), so there are few accounts, and when all
 * are taken, further users share the last one. */
#include "ledger.h"

#include <stdint.h>
#include <string.h>
#include <syslog.h>

#include "common/host.h"

enum { ACCOUNTS = 16, MOST = 30, MINUTE = 60 };
#define SECOND_NS 1000000000ull

static struct account {
	uid_t user;
	unsigned connections, left_out;
} accounts[ACCOUNTS];
static unsigned count;			/* if all are taken, the last one is for all other users */
static uint64_t begun;

static void write_summary(const struct account *a)
{
	if (!a->left_out)
		return;
	if (a == &accounts[ACCOUNTS - 1])
		syslog(LOG_WARNING, "other users: %u connections within a minute; failures of the last %u were not "
				    "logged", a->connections, a->left_out);
	else
		syslog(LOG_WARNING, "user %u: %u connections within a minute; failures of the last %u were not logged",
		       (unsigned)a->user, a->connections, a->left_out);
}

void ledger_end(void)
{
	for (unsigned i = 0; i < count; i++)
		write_summary(&accounts[i]);
	count = 0;
}

static bool is_over(uint64_t now)
{
	return now - begun >= MINUTE * SECOND_NS;
}

static struct account *account_of(uid_t user)
{
	for (unsigned i = 0; i < count && i < ACCOUNTS - 1; i++)
		if (accounts[i].user == user)
			return &accounts[i];
	if (count < ACCOUNTS)
		accounts[count++] = (struct account){ .user = user };
	return &accounts[count - 1];
}

bool ledger_may_write(uid_t user)
{
	struct account *a;

	if (!count || is_over(host_now())) {
		ledger_end();
		begun = host_now();
	}
	a = account_of(user);
	if (++a->connections <= MOST)
		return true;
	a->left_out++;
	return false;
}

int ledger_tick(void)
{
	uint64_t now = host_now();

	if (count && is_over(now))
		ledger_end();
	for (unsigned i = 0; i < count; i++)
		if (accounts[i].left_out)
			return (int)((begun + MINUTE * SECOND_NS - now) / 1000000) + 1;
	return -1;
}
