// SPDX-License-Identifier: GPL-2.0-or-later
/* Nothing that a client sends is trusted: the kernel identifies the peer, the module arrives as bytes, and the
 * bytes that are checked, hashed and recorded are the bytes that are loaded. The owner and the limits of a
 * session are set in the module before the client gets access to it, so the limits hold even if this process is
 * killed. */
#include "broker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "session/control.h"
#include "common/host.h"
#include "session/leftover.h"
#include "common/message.h"
#include "policy.h"
#include "common/privilege.h"
#include "common/protocol.h"
#include "common/signals.h"
#include "common/status.h"
#include "trust.h"

enum {
	MOST_MODULE = 64 << 20,
	PATIENCE = 10,		/* seconds for a client to send a request, or to accept an answer */
	TURN_PATIENCE = 60000,	/* ms: many clients may want to load at once */
};

static struct broker {
	struct visitor *visitor;
	int signals;
	volatile uint8_t *busy;
	struct module module;
	char hash[TRUST_HASH_SIZE];
	const char *trust;		/* why loading was permitted; NULL: not decided */
	struct control control;
	bool attached;			/* not loaded by us: the session goes on if the client dies */
	struct tapd_session session;	/* session.name is empty if there is no session */
} broker;

static int turns = -1;		/* a memfd: the process that holds its lock may load */

/* ---- messages ---- */

static enum tap_status refuse(const char *why)
{
	message_error("%s", why);
	return TAP_STATUS_LOAD;
}

/* Writes a line of the audit log: one for each load that was requested, and one for each end. */
static void audit(const char *what, const char *outcome)
{
	struct broker *b = &broker;
	struct peer *peer = &b->visitor->peer;

	if (b->visitor->quiet && !b->trust && !*b->session.name)
		return;
	syslog(LOG_NOTICE, "%s module=%s user=%s uid=%u pid=%d sha256=%s size=%zu by=%s outcome=%s", what,
	       *b->session.name ? b->session.name : *b->module.name ? b->module.name : "?",
	       peer_name(peer), (unsigned)peer->uid, (int)peer->pid,
	       *b->hash ? b->hash : "?", b->module.size, b->trust ? b->trust : "nobody", outcome);
}

/* ---- the request ---- */

/* Receives one more packet of the module. */
static bool take_bytes(struct tapd_packet *p, size_t size)
{
	struct module *m = &broker.module;

	if (protocol_receive_plain(broker.visitor->socket, p) != 0 || p->head.kind != TAPD_BYTES || !p->size ||
	    p->size > size - m->size)
		return false;
	m->data = host_grow(m->data, m->size + p->size + 1);
	memcpy(m->data + m->size, p->text, p->size);
	m->size += p->size;
	m->data[m->size] = 0;
	return true;
}

static bool take_module(const struct tapd_load *load)
{
	struct tapd_packet *p = host_alloc(sizeof(*p));
	bool good = load->size <= MOST_MODULE;

	if (!good)
		message_error("the module has %llu bytes, more than tapd accepts (%d)", (unsigned long long)load->size,
			      MOST_MODULE);
	broker.module.path = "the module";
	broker.module.data = host_alloc(1);
	while (good && broker.module.size < load->size)
		if (!take_bytes(p, load->size)) {
			message_error("the module was not received completely");
			good = false;
		}
	free(p);
	return good;
}

/* While a client is sending its request, SIGTERM simply kills this process. */
static void let_signals_end_us(bool on)
{
	const struct sigaction standard = { .sa_handler = SIG_DFL };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaction(SIGTERM, &standard, NULL);
	sigaction(SIGINT, &standard, NULL);
	sigprocmask(on ? SIG_UNBLOCK : SIG_BLOCK, &set, NULL);
}

static bool take_head(struct tapd_packet *p)
{
	int err = protocol_receive_plain(broker.visitor->socket, p);

	if (!err && p->head.kind == TAPD_LOAD && p->size < sizeof(p->load))
		err = EPROTO;
	if (err == EPROTO)
		message_error("tapd cannot read the request: tapd and taprun are from different versions of tapc");
	return !err;
}

/* Receives the whole request. False if the client has gone, sent garbage, or got an error message. */
static bool take_request(struct tapd_packet *p)
{
	bool good;

	let_signals_end_us(true);
	good = take_head(p);
	if (good && p->head.kind == TAPD_LOAD && !take_module(&p->load)) {
		audit("load", "refused");
		good = false;
	}
	let_signals_end_us(false);
	*broker.busy = true;
	return good;
}

/* ---- permission and limits ---- */

static bool is_permitted(const struct tapd_packet *p)
{
	const struct policy *policy = &broker.visitor->policy;

	switch (broker.visitor->right) {
	case POLICY_ANYTHING:
		broker.trust = "developer";
		return true;
	case POLICY_TRUSTED:
		if (trust_directory(&broker.module, policy->modules))
			broker.trust = "directory";
		else if (trust_signature(&broker.module, policy->keys, p->text + sizeof(p->load),
					 p->size - sizeof(p->load)))
			broker.trust = "signature";
		if (!broker.trust)
			message_error("module '%s' is not trusted: members of group %s may load modules that root has "
				      "put into %s, or that are signed with a trusted key (tapc --sign); "
				      "members of %s may load any module", broker.module.name,
				      policy->users, policy->modules, policy->developers);
		return broker.trust;
	case POLICY_NOTHING:
		break;
	}
	return false;
}

struct usage {
	uint64_t sessions, memory;
};

/* Counts a session's limit rather than its current use, because it may grow to the limit. */
static void add_memory(struct usage *u, const char *proc, const char *name)
{
	struct control c;
	int err = control_open_monitor(&c, proc, name);

	if (err) {
		u->memory += err == ENOENT ? 0 : broker.visitor->policy.memory;
		return;
	}
	u->memory += c.report.memory_limit ? c.report.memory_limit : c.report.memory;
	control_close(&c);
}

static void add_session(const char *proc, const char *name, void *usage)
{
	struct usage *u = usage;

	if (control_owner(proc, name) != broker.visitor->peer.uid)
		return;
	u->sessions++;
	if (broker.visitor->policy.user_memory)
		add_memory(u, proc, name);
}

/* Also sets the memory limit of the new session. */
static bool has_place(void)
{
	struct visitor *v = broker.visitor;
	const struct policy *p = &v->policy;
	struct usage u = { 0 };

	if (!v->peer.uid)
		return true;
	broker.session.memory = p->memory;
	control_each(CONTROL_PROC, add_session, &u);
	if (p->sessions && u.sessions >= p->sessions) {
		message_error("user %s already has %llu sessions, the most allowed at once: end one "
			      "(tapc --sessions lists them)", peer_name(&v->peer),
			      (unsigned long long)u.sessions);
		return false;
	}
	if (!p->user_memory)
		return true;
	if (u.memory >= p->user_memory) {
		message_error("the sessions of user %s use all of the %llu MB of kernel memory that they may have "
			      "together: end one (tapc --sessions lists them)", peer_name(&v->peer),
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
	int err = protocol_send(broker.visitor->socket, TAPD_SESSION, 0, &broker.session, sizeof(broker.session),
				fds, 2);

	return err ? TAP_STATUS_HOST : TAP_STATUS_OK;
}

/* Loads the module and makes the client its owner. */
static enum tap_status load(void)
{
	const struct visitor *v = broker.visitor;
	struct tapd_session *s = &broker.session;
	struct tap_owner owner = { .user = v->peer.uid, .memory = s->memory };
	int err = module_load(&broker.module);

	if (err)
		return TAP_STATUS_LOAD;
	module_drop_file(&broker.module);
	memcpy(s->name, broker.module.name, sizeof(s->name));
	s->seconds = v->peer.uid ? (uint32_t)v->policy.seconds : 0;
	owner.seconds = s->seconds;
	if (v->right == POLICY_ANYTHING)
		owner.flags |= TAP_OWNER_GLOBALS;
	err = control_open(&broker.control, CONTROL_PROC, s->name, true);
	if (!err)
		err = control_own(&broker.control, &owner);
	if (!err)
		return TAP_STATUS_OK;
	message_error(err == EPROTO ? "module '%s' and tapd are from different versions of tapc: rebuild it"
				    : "cannot open the session of module '%s': %s", s->name, strerror(err));
	control_close(&broker.control);
	leftover_unload(CONTROL_PROC, s->name);
	s->name[0] = 0;
	return TAP_STATUS_LOAD;
}

/* Modules are loaded one at a time, so that each session is counted before the next one is admitted. */
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
		return refuse("too many clients are loading modules: try again");
	leftover_remove(CONTROL_PROC);
	if (has_place() && (!(flags & TAPD_RENAME) || module_rename(&broker.module)))
		status = load();
	end_turn();
	return status;
}

static enum tap_status serve_load(const struct tapd_packet *p)
{
	enum tap_status status = TAP_STATUS_LOAD;

	trust_hash(&broker.module, broker.hash);
	if (module_parse(&broker.module) && module_fits_kernel(&broker.module) && is_permitted(p) &&
	    privilege_check(&broker.module))
		status = load_in_turn(p->head.flags);
	audit("load", status ? "refused" : "loaded");
	return status ? status : hand_over();
}

/* Opens the session that P names, if it is the peer's. BUSY: advice for a session that is open elsewhere. */
static bool open_session(const struct tapd_packet *p, const char *busy)
{
	char name[MODULE_NAME_SIZE];
	int err;

	if (strlen(p->text) != p->size || !module_name_of(p->text, name)) {
		message_error("invalid module name");
		return false;
	}
	err = control_open_of(&broker.control, CONTROL_PROC, name, broker.visitor->peer.uid, true);
	if (!err)
		memcpy(broker.session.name, name, sizeof(name));
	else if (err == EBUSY)
		message_error("module '%s' belongs to a session that %s", name, busy);
	else
		message_error(err == ENOENT ? "no module '%s' of tapc is loaded" :
			      err == EACCES ? "the session of module '%s' belongs to another user" :
					      "cannot open the session of module '%s': %s", name, strerror(err));
	return !err;
}

static enum tap_status serve_attach(const struct tapd_packet *p)
{
	enum tap_status status;

	if (!open_session(p, "is attached"))
		return TAP_STATUS_LOAD;
	broker.attached = true;
	status = hand_over();
	audit("attach", status ? "refused" : "attached");
	return status;
}

/* Modules are removed by name, so no other module of this name may be loaded meanwhile. */
static enum tap_status serve_remove(const struct tapd_packet *p)
{
	bool good;

	if (!take_turn())
		return refuse("too many clients are loading modules: try again");
	good = open_session(p, "is running: end it first");
	if (good) {
		control_send_number(&broker.control, TAP_DETACH, 0);	/* closing ends a detached session */
		control_close(&broker.control);
		good = leftover_unload(CONTROL_PROC, broker.session.name);
		audit("remove", good ? "removed" : "refused");
		broker.session.name[0] = 0;
	}
	end_turn();
	return good ? TAP_STATUS_OK : TAP_STATUS_LOAD;
}

/* ---- end of a session ---- */

static bool detach(void)
{
	int err = broker.visitor->policy.detach || !broker.visitor->peer.uid
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

/* The client's next request: END, DETACH, or 0 if it has gone, sent garbage, or this process must end. */
static unsigned next_wish(void)
{
	struct pollfd p[] = {
		{ .fd = broker.visitor->socket, .events = POLLIN }, { .fd = broker.signals, .events = POLLIN },
	};
	struct tapd_packet packet;

	while (poll(p, 2, -1) < 0 && errno == EINTR)
		;
	if (p[1].revents) {
		message_error("tapd is shutting down and ends this session");
		return 0;
	}
	return protocol_receive_plain(broker.visitor->socket, &packet) ? 0 : packet.head.kind;
}

static void keep_session(void)
{
	unsigned wish;

	/* until the client requests the end, disconnects, or this process must end */
	while ((wish = next_wish()) == TAPD_DETACH) {
		if (detach()) {
			control_close(&broker.control);
			audit("detach", "detached");
			visitor_done(broker.visitor, TAP_STATUS_OK);
			return;
		}
		visitor_done(broker.visitor, TAP_STATUS_LOAD);
	}
	if (broker.attached && wish != TAPD_END) {
		control_close(&broker.control);
		audit("detach", "client gone");
		return;
	}
	visitor_done(broker.visitor, finish() ? TAP_STATUS_OK : TAP_STATUS_HOST);
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
	case TAPD_ASK:
		return broker.visitor->right == POLICY_ANYTHING ? TAP_STATUS_OK :
			refuse("users of this group may load only trusted modules");
	}
	return refuse("tapd does not support this request");
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
		message_error("cannot create a memfd: %s", strerror(errno));
	return turns >= 0;
}

/* Unread packets would reset the connection when the socket is closed, and the client would lose the answer. */
static void leave(void)
{
	protocol_shut(broker.visitor->socket);
	*broker.busy = false;
}

void broker_serve(struct visitor *v, int signals, volatile uint8_t *busy)
{
	enum tap_status status = TAP_STATUS_LOAD;
	struct tapd_packet p;

	broker.visitor = v;
	broker.signals = signals;
	broker.busy = busy;
	broker.control = (struct control){ .fd = -1, .dir = -1, .done = -1 };
	visitor_listens(v);
	if (limit_patience(v->socket) && take_request(&p))
		status = serve(&p);
	if (*broker.session.name && !status)
		keep_session();
	else if (*broker.session.name && !broker.attached)
		finish();		/* the client has gone before it received the session */
	else
		visitor_done(v, status);
	leave();
}
