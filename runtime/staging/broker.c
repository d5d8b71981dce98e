// SPDX-License-Identifier: GPL-2.0-or-later
/* Nothing that a client sends is believed: the peer is who the kernel says, the module is copied once
 * out of a file that can no longer change, and that copy is what is checked, hashed, recorded and
 * loaded. Whose a session is, and what it may use, is set in the module before the client gets at it,
 * so that the limits hold even when this process is killed. */
#include "broker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "control.h"
#include "host.h"
#include "leftover.h"
#include "message.h"
#include "policy.h"
#include "privilege.h"
#include "protocol.h"
#include "signals.h"
#include "status.h"
#include "trust.h"

enum {
	MOST_MODULE = 64 << 20,
	PATIENCE = 10,		/* seconds for a client to say what it wants, or to take an answer */
	TURN_PATIENCE = 60000,	/* ms: many may want to load at once */
};

static struct broker {
	int socket, signals;
	struct peer peer;
	struct policy policy;
	struct module module;
	char hash[TRUST_HASH_SIZE];
	const char *trust;		/* why the module may be loaded; NULL: not decided */
	struct control control;
	bool attached;			/* not loaded by us: it goes on when the client dies */
	struct tapd_session session;	/* session.name: empty when there is none */
} broker;

static int turns = -1;		/* a file in memory: who has it locked may load */

/* ---- what is said ---- */

/* A text may have bytes of the client's module in it, which shall make no line of their own in the log. */
static void tell_client(int priority, const char *text, size_t size)
{
	char line[4096] = { (char)priority };

	if (size && text[size - 1] == '\n')
		size--;
	if (size > sizeof(line) - 1)
		size = sizeof(line) - 1;
	if (priority > LOG_WARNING)
		return;
	for (size_t i = 0; i < size; i++)
		line[i + 1] = (unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i];
	protocol_send(broker.socket, TAPD_MESSAGE, 0, line, (uint32_t)size + 1, NULL, 0);
	syslog(priority, "to %s (process %d): %.*s", broker.peer.name ? broker.peer.name : "?",
	       (int)broker.peer.pid, (int)size, line + 1);
}

static enum tap_status refuse(const char *why)
{
	message_error("%s", why);
	return TAP_STATUS_LOAD;
}

/* The line for the record: one for each load that was asked for, one for each end. */
static void audit(const char *what, const char *outcome)
{
	const struct broker *b = &broker;

	syslog(LOG_NOTICE, "%s module=%s user=%s uid=%u pid=%d sha256=%s size=%zu by=%s outcome=%s", what,
	       *b->session.name ? b->session.name : *b->module.name ? b->module.name : "?",
	       b->peer.name ? b->peer.name : "?", (unsigned)b->peer.uid, (int)b->peer.pid,
	       *b->hash ? b->hash : "?", b->module.size, b->trust ? b->trust : "nobody", outcome);
}

/* ---- may it be loaded ---- */

/* FD is the client's: it must be a memfd that nobody can change any more, also not while we read. */
static bool take_module(int fd)
{
	const int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW;
	struct module *m = &broker.module;
	int found = fd < 0 ? -1 : fcntl(fd, F_GET_SEALS);

	m->path = "the module";
	if (found < 0 || (found & seals) != seals) {
		message_error("a module comes as a sealed memfd");
		return false;
	}
	if (lseek(fd, 0, SEEK_SET) < 0 || !(m->data = host_read_file(fd, MOST_MODULE, &m->size))) {
		message_error("cannot read the module: %s", strerror(errno));
		return false;
	}
	trust_hash(m, broker.hash);
	return module_parse(m) && module_fits_kernel(m);
}

static bool is_permitted(const struct tapd_packet *p)
{
	switch (policy_right(&broker.policy, &broker.peer)) {
	case POLICY_ANYTHING:
		broker.trust = "developer";
		return true;
	case POLICY_TRUSTED:
		if (trust_directory(&broker.module, broker.policy.modules))
			broker.trust = "directory";
		else if (trust_signature(&broker.module, broker.policy.keys, p->text, p->size))
			broker.trust = "signature";
		if (!broker.trust)
			message_error("module '%s' is not trusted: members of group %s may load what root has "
				      "put into %s, or what is signed with a trusted key (tapc --sign); "
				      "members of %s may load any module", broker.module.name,
				      broker.policy.users, broker.policy.modules, broker.policy.developers);
		return broker.trust;
	case POLICY_NOTHING:
		break;
	}
	return false;
}

static bool may_do_anything(void)
{
	if (policy_right(&broker.policy, &broker.peer) != POLICY_NOTHING)
		return true;
	message_error("user %s is neither in group %s, which may load any module, nor in %s, which may load "
		      "trusted ones (a new membership counts from the next login)", broker.peer.name,
		      broker.policy.developers, broker.policy.users);
	return false;
}

struct usage {
	uint64_t sessions, memory;
};

/* What a session may take counts, for it may be about to. */
static void add_memory(struct usage *u, const char *proc, const char *name)
{
	struct control c;
	int err = control_open_monitor(&c, proc, name);

	if (err) {
		u->memory += err == ENOENT ? 0 : broker.policy.memory;
		return;
	}
	u->memory += c.report.memory_limit ? c.report.memory_limit : c.report.memory;
	control_close(&c);
}

static void add_session(const char *proc, const char *name, void *usage)
{
	struct usage *u = usage;

	if (control_owner(proc, name) != broker.peer.uid)
		return;
	u->sessions++;
	if (broker.policy.user_memory)
		add_memory(u, proc, name);
}

/* Sets what memory the new session may have. */
static bool has_place(void)
{
	const struct policy *p = &broker.policy;
	struct usage u = { 0 };

	if (!broker.peer.uid)
		return true;
	broker.session.memory = p->memory;
	control_each(CONTROL_PROC, add_session, &u);
	if (p->sessions && u.sessions >= p->sessions) {
		message_error("user %s has %llu sessions already, and may have no more at once: end one "
			      "(tapc --sessions lists them)", broker.peer.name, (unsigned long long)u.sessions);
		return false;
	}
	if (!p->user_memory)
		return true;
	if (u.memory >= p->user_memory) {
		message_error("the sessions of user %s may have %llu MB of memory in the kernel together, and "
			      "that is taken: end one (tapc --sessions lists them)", broker.peer.name,
			      (unsigned long long)p->user_memory >> 20);
		return false;
	}
	if (!p->memory || p->memory > p->user_memory - u.memory)
		broker.session.memory = p->user_memory - u.memory;
	return true;
}

/* ---- the session ---- */

static enum tap_status hand_over(void)
{
	int fds[] = { broker.control.fd, broker.control.dir };
	int err = protocol_send(broker.socket, TAPD_SESSION, 0, &broker.session, sizeof(broker.session),
				fds, 2);

	return err ? TAP_STATUS_HOST : TAP_STATUS_OK;
}

/* Loaded, and the client's. */
static enum tap_status load(void)
{
	bool limited = broker.peer.uid != 0;
	struct tapd_session *s = &broker.session;
	int err = module_load(&broker.module);

	if (err)
		return TAP_STATUS_LOAD;
	free(broker.module.data);	/* a session may take long, and many run at once */
	broker.module.data = NULL;
	memcpy(s->name, broker.module.name, sizeof(s->name));
	s->seconds = limited ? (uint32_t)broker.policy.seconds : 0;
	err = control_open(&broker.control, CONTROL_PROC, s->name, true);
	if (!err)
		err = control_own(&broker.control, broker.peer.uid, s->memory, s->seconds);
	if (!err)
		return TAP_STATUS_OK;
	message_error(err == EPROTO ? "module '%s' and tapd are of different versions of tapc: make it again"
				    : "cannot open the session of module '%s': %s", s->name, strerror(err));
	control_close(&broker.control);
	leftover_unload(CONTROL_PROC, s->name);
	s->name[0] = 0;
	return TAP_STATUS_LOAD;
}

/* One loads after the other, so that each session counts when the next one's place is looked for. */
static bool take_turn(void)
{
	struct flock all = { .l_type = F_WRLCK };

	for (int ms = 0; fcntl(turns, F_SETLK, &all) < 0; ms += 10) {
		if ((errno != EAGAIN && errno != EACCES && errno != EINTR) || ms >= TURN_PATIENCE)
			return false;
		host_sleep_ms(10);
	}
	return true;
}

static void end_turn(void)
{
	struct flock all = { .l_type = F_UNLCK };

	fcntl(turns, F_SETLK, &all);
}

static enum tap_status load_in_turn(unsigned flags)
{
	enum tap_status status = TAP_STATUS_LOAD;

	if (!take_turn())
		return refuse("too many are loading modules: try again");
	leftover_remove(CONTROL_PROC);
	if (has_place() && (!(flags & TAPD_RENAME) || module_rename(&broker.module)))
		status = load();
	end_turn();
	return status;
}

static enum tap_status serve_load(const struct tapd_packet *p)
{
	enum tap_status status = TAP_STATUS_LOAD;

	if (take_module(p->fds[0]) && is_permitted(p) && privilege_check(&broker.module))
		status = load_in_turn(p->head.flags);
	audit("load", status ? "refused" : "loaded");
	return status ? status : hand_over();
}

/* P names a session of the peer's. */
static bool take_name(const struct tapd_packet *p)
{
	char name[MODULE_NAME_SIZE];
	uid_t owner;

	if (strlen(p->text) != p->size || !module_name_of(p->text, name)) {
		message_error("that can be no module's name");
		return false;
	}
	owner = control_owner(CONTROL_PROC, name);
	if (owner == (uid_t)-1) {
		message_error("there is no module '%s' of tapc", name);
		return false;
	}
	if (owner != broker.peer.uid && broker.peer.uid) {
		message_error("the session of module '%s' is another user's", name);
		return false;
	}
	memcpy(broker.session.name, name, sizeof(name));
	return true;
}

static enum tap_status serve_attach(const struct tapd_packet *p)
{
	enum tap_status status;
	int err;

	if (!take_name(p))
		return TAP_STATUS_LOAD;
	err = control_open(&broker.control, CONTROL_PROC, broker.session.name, true);
	if (err) {
		message_error(err == EBUSY ? "module '%s' belongs to a session that is attached"
					   : "cannot open the session of module '%s': %s",
			      broker.session.name, strerror(err));
		broker.session.name[0] = 0;
		return TAP_STATUS_LOAD;
	}
	broker.attached = true;
	status = hand_over();
	audit("attach", status ? "refused" : "attached");
	return status;
}

static enum tap_status serve_remove(const struct tapd_packet *p)
{
	bool good = take_name(p) && leftover_delete_one(CONTROL_PROC, broker.session.name);

	if (*broker.session.name)
		audit("remove", good ? "removed" : "refused");
	broker.session.name[0] = 0;
	return good ? TAP_STATUS_OK : TAP_STATUS_LOAD;
}

/* ---- its end ---- */

static bool detach(void)
{
	int err = broker.policy.detach || !broker.peer.uid
			  ? control_send_number(&broker.control, TAP_DETACH, 1) : EPERM;

	if (!err)
		return true;
	message_error(err == EPERM ? "sessions may not be detached here (tapd.conf)" : "cannot detach: %s",
		      strerror(err));
	return false;
}

static bool finish(void)
{
	bool good;

	control_send_number(&broker.control, TAP_DETACH, 0);
	control_send(&broker.control, TAP_STOP, NULL, 0);
	control_close(&broker.control);
	good = leftover_unload(CONTROL_PROC, broker.session.name);
	audit("end", good ? "unloaded" : "busy");
	return good;
}

static void answer(enum tap_status status)
{
	char byte = (char)status;

	protocol_send(broker.socket, TAPD_DONE, 0, &byte, 1, NULL, 0);
}

/* What the client wants next: END, DETACH, or 0 when it has gone, talks nonsense, or we must end. */
static unsigned next_wish(void)
{
	struct pollfd p[] = {
		{ .fd = broker.socket, .events = POLLIN }, { .fd = broker.signals, .events = POLLIN },
	};
	struct tapd_packet packet;

	while (poll(p, 2, -1) < 0 && errno == EINTR)
		;
	if (p[1].revents) {
		message_error("tapd ends, and this session with it");
		return 0;
	}
	if (protocol_receive(broker.socket, &packet) != 0)
		return 0;
	protocol_close_fds(&packet);
	return packet.head.kind;
}

static void keep_session(void)
{
	unsigned wish;

	/* until the client says so, or goes, or we are told to end */
	while ((wish = next_wish()) == TAPD_DETACH) {
		if (detach()) {
			control_close(&broker.control);
			audit("detach", "detached");
			answer(TAP_STATUS_OK);
			return;
		}
		answer(TAP_STATUS_LOAD);
	}
	if (broker.attached && wish != TAPD_END) {
		control_close(&broker.control);
		audit("detach", "client gone");
		return;
	}
	answer(finish() ? TAP_STATUS_OK : TAP_STATUS_HOST);
}

/* ---- a connection ---- */

static enum tap_status serve(const struct tapd_packet *p)
{
	switch (p->head.kind) {
	case TAPD_LOAD:
		return serve_load(p);
	case TAPD_ATTACH:
		return serve_attach(p);
	case TAPD_REMOVE:
		return serve_remove(p);
	}
	return refuse("tapd does not know this request");
}

static bool limit_patience(int socket)
{
	const struct timeval patience = { .tv_sec = PATIENCE };

	return setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) == 0 &&
	       setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) == 0;
}

bool broker_open(void)
{
	turns = memfd_create("turns", MFD_CLOEXEC);
	if (turns < 0)
		message_error("cannot make a file in memory: %s", strerror(errno));
	return turns >= 0;
}

void broker_serve(int socket, int signals, const char *config)
{
	enum tap_status status = TAP_STATUS_LOAD;
	struct tapd_packet p;

	broker.socket = socket;
	broker.signals = signals;
	broker.control = (struct control){ .fd = -1, .dir = -1, .done = -1 };
	message_to(tell_client);
	if (!limit_patience(socket) || protocol_receive(socket, &p) != 0)
		return;
	if (peer_get(&broker.peer, socket) && policy_read(&broker.policy, config) && may_do_anything())
		status = serve(&p);
	else if (p.head.kind == TAPD_LOAD)
		audit("load", "refused");
	protocol_close_fds(&p);
	if (*broker.session.name && !status)
		keep_session();
	else if (*broker.session.name && !broker.attached)
		finish();		/* the client has gone before it got it */
	else
		answer(status);
}
