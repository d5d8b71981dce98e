// SPDX-License-Identifier: GPL-2.0-or-later
/* The module is sent as bytes, of which the daemon has its own copy: it loads what it has checked. */
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <syslog.h>
#include <unistd.h>

#include "common/ask.h"
#include "common/host.h"
#include "common/message.h"
#include "common/protocol.h"

bool client_open(struct client *c)
{
	*c = (struct client){ .socket = ask_connect() };
	return c->socket >= 0;
}

static enum tap_status trouble(int err)
{
	message_error("tapd, which loads modules for users, does not answer: %s",
		      err == ENOTCONN ? "it has gone; 'systemctl status tapd' shows why (its unit cannot see "
		      "a tapc that is installed below /home or /tmp)" : strerror(err));
	return TAP_STATUS_HOST;
}

static void pass_on(const struct tapd_packet *p)
{
	int size = p->size ? (int)p->size - 1 : 0;

	if (p->size && p->text[0] == LOG_WARNING)
		message_warning("%.*s", size, p->text + 1);
	else if (p->size)
		message_error("%.*s", size, p->text + 1);
}

/* Receives the answer, SESSION or DONE. */
static int await(struct client *c, struct tapd_packet *p)
{
	int err;

	while ((err = protocol_receive(c->socket, p)) == 0 && p->head.kind == TAPD_MESSAGE) {
		pass_on(p);
		protocol_close_fds(p);
	}
	return err;
}

static enum tap_status await_done(struct client *c)
{
	struct tapd_packet p;
	int err = await(c, &p);

	if (err)
		return trouble(err);
	protocol_close_fds(&p);
	if (p.head.kind != TAPD_DONE || p.size != 1)
		return trouble(EPROTO);
	return (enum tap_status)(unsigned char)p.text[0];
}

static enum tap_status await_session(struct client *c, char name[MODULE_NAME_SIZE], struct control *control)
{
	struct tapd_packet p;
	int err = await(c, &p);

	if (err)
		return trouble(err);
	if (p.head.kind == TAPD_DONE && p.size == 1 && p.text[0])
		return (enum tap_status)(unsigned char)p.text[0];
	if (p.head.kind != TAPD_SESSION || p.size != sizeof(p.session) || p.fds[1] < 0 ||
	    p.session.name[MODULE_NAME_SIZE - 1]) {
		protocol_close_fds(&p);
		return trouble(EPROTO);
	}
	memcpy(name, p.session.name, MODULE_NAME_SIZE);
	c->memory = p.session.memory;
	*control = (struct control){ .fd = p.fds[0], .dir = p.fds[1], .done = -1 };
	err = control_read(control);
	if (!err)
		return TAP_STATUS_OK;
	message_error(err == EPROTO ? "module and taprun are from different versions of tapc: rebuild it"
				    : "cannot open the session of module '%s': %s", name, strerror(err));
	control_close(control);
	return TAP_STATUS_LOAD;
}

static int tell(struct client *c, enum tapd_kind kind, unsigned flags, const void *data, size_t size)
{
	return protocol_send(c->socket, kind, flags, data, (uint32_t)size, NULL, 0);
}

/* EPIPE and ECONNRESET: the daemon has answered early or has gone; receiving its answer shows which. */
static bool is_serious(int err)
{
	return err && err != EPIPE && err != ECONNRESET;
}

/* ---- requests that are sent again ----
 * Before 6.2, if the daemon answers early and closes the connection just while a packet is being sent, sending fails
 * with ECONNREFUSED, and the kernel drops the answer (unix_dgram_disconnected). The daemon has not received the whole
 * request, so it may be sent again. To a second connection an early answer is awaited before anything is sent. */

enum { MOST_AGAIN = 3, EARLY_MS = 1000 };

struct request {
	enum tapd_kind kind;
	unsigned flags;
	const void *data;
	size_t size;
	const struct module *module;	/* its bytes follow; or NULL */
};

static int send_bytes(struct client *c, const struct module *m)
{
	size_t at = 0, size;
	int err = 0;

	for (; !err && at < m->size; at += size) {
		size = m->size - at < TAPD_PIECE ? m->size - at : TAPD_PIECE;
		err = tell(c, TAPD_BYTES, 0, m->data + at, size);
	}
	return err;
}

static int send_once(struct client *c, const struct request *r)
{
	int err = tell(c, r->kind, r->flags, r->data, r->size);

	return err || !r->module ? err : send_bytes(c, r->module);
}

static bool is_answered(struct client *c)
{
	struct pollfd p = { .fd = c->socket, .events = POLLIN };

	return poll(&p, 1, EARLY_MS) > 0;
}

static enum tap_status send_request(struct client *c, const struct request *r)
{
	int err = send_once(c, r);

	for (int i = 0; err == ECONNREFUSED && i < MOST_AGAIN; i++) {
		client_close(c);
		err = !client_open(c) ? ENOTCONN : is_answered(c) ? 0 : send_once(c, r);
	}
	return is_serious(err) ? trouble(err) : TAP_STATUS_OK;
}

static enum tap_status ask(struct client *c, enum tapd_kind kind, const char *name)
{
	return send_request(c, &(struct request){ .kind = kind, .data = name, .size = strlen(name) });
}

/* About the session of this connection: if it has been closed, receiving shows that. */
static enum tap_status command(struct client *c, enum tapd_kind kind)
{
	int err = tell(c, kind, 0, NULL, 0);

	return is_serious(err) && err != ECONNREFUSED ? trouble(err) : await_done(c);
}

/* ---- the module ---- */

/* Reads MODULE.ko.sig, if it exists. */
static uint32_t read_signature(const struct module *m, char signature[TAPD_SIGNATURE_SIZE])
{
	_cleanup_free_ char *path = host_printf("%s.sig", m->path);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	size_t size;
	_cleanup_free_ char *data = fd < 0 ? NULL : host_read_file(fd, 4096, &size);

	if (!data)
		return 0;
	if (size != TAPD_SIGNATURE_SIZE) {
		message_warning("'%s' is not a signature made by tapc: expected %d bytes", path,
				TAPD_SIGNATURE_SIZE);
		return 0;
	}
	memcpy(signature, data, size);
	return TAPD_SIGNATURE_SIZE;
}

/* ---- requests ---- */

enum tap_status client_load(struct client *c, struct module *m, bool rename, struct control *control)
{
	struct {
		struct tapd_load load;
		char signature[TAPD_SIGNATURE_SIZE];
	} request = { .load.size = m->size };
	uint32_t size = read_signature(m, request.signature);
	enum tap_status status = send_request(c, &(struct request){
		.kind = TAPD_LOAD, .flags = rename ? TAPD_RENAME : 0, .data = &request,
		.size = sizeof(request.load) + size, .module = m });

	return status ? status : await_session(c, m->name, control);
}

enum tap_status client_attach(struct client *c, const char *name, struct control *control)
{
	char same[MODULE_NAME_SIZE];
	enum tap_status status = ask(c, TAPD_ATTACH, name);

	return status ? status : await_session(c, same, control);
}

enum tap_status client_remove(struct client *c, const char *name)
{
	enum tap_status status = ask(c, TAPD_REMOVE, name);

	return status ? status : await_done(c);
}

enum tap_status client_end(struct client *c)
{
	return command(c, TAPD_END);
}

enum tap_status client_detach(struct client *c)
{
	return command(c, TAPD_DETACH);
}

void client_close(struct client *c)
{
	host_close(&c->socket);
}
