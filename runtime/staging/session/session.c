// SPDX-License-Identifier: GPL-2.0-or-later
/* A single loop around poll, which waits nowhere else. Output that a reader does not take stays in memory, up
 * to a limit above which the CPUs' files are not read. Then the module's buffers fill, and it counts the
 * records that do not fit. So a stopped reader costs records, which are reported, but never prevents the
 * session from ending. */
#include "session.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "client.h"
#include "common/host.h"
#include "input.h"
#include "common/json.h"
#include "common/message.h"
#include "render.h"
#include "report.h"
#include "common/signals.h"
#include "render_json.h"
#include "render_timeline.h"
#include "trace_file.h"

enum {
	COLLECT_NS = 1000000,		/* between two reads when there is little output */
	HELD_MS = 2,			/* how long records wait for another CPU's heartbeat */
	STUCK_NS = 2000000000,		/* a reader that takes nothing for this long is stuck */
};

static void want_stop(struct session *s)
{
	s->stop_wanted = true;
}

static void trouble(struct session *s, enum tap_status status)
{
	if (!s->trouble)
		s->trouble = status;
	want_stop(s);
}

/* ---- outputs ---- */

static struct output *json_output;		/* the destination of messages as objects */

static void json_message(int priority, const char *text, size_t size)
{
	if (size && text[size - 1] == '\n')
		size--;
	json_begin(json_output, priority == LOG_ERR ? "error" : priority == LOG_WARNING ? "warning" : "note");
	json_text(json_output, "text", text, size);
	json_end(json_output);
}

enum tap_status session_open_outputs(struct session *s)
{
	const struct options *o = s->options;

	if (outputs_open(&s->outputs, &o->names, o->bulk, o->json))
		return TAP_STATUS_HOST;
	if (o->json) {
		json_output = &s->outputs.text;
		message_to(json_message);
	}
	return TAP_STATUS_OK;
}

/* The output of other programs must not be mixed with objects. */
static int output_of_programs(const struct session *s)
{
	return s->options->json || s->options->timeline ? STDERR_FILENO : STDOUT_FILENO;
}

/* A reader that has gone ends the session like exit(); a write error is a failure. */
static void flush(struct session *s)
{
	int err;

	if (s->timeline)
		s->next_save = timeline_flush(s->timeline);
	outputs_flush(&s->outputs);
	err = outputs_error(&s->outputs);
	if (err == EPIPE)
		want_stop(s);
	else if (err)
		trouble(s, TAP_STATUS_HOST);
}

/* ---- requests in records ---- */

static void request_exit(void *session)
{
	want_stop(session);
}

static void request_system(void *session, const char *text, size_t size)
{
	struct session *s = session;
	bool to_file = s->outputs.text.names && s->outputs.text.fd >= 0;

	flush(s);		/* earlier text must precede the command's output */
	command_system(&s->commands, text, size,
		       to_file && !s->options->json && !s->timeline ? s->outputs.text.fd : output_of_programs(s));
}

/* Of SIGUSR2; the module wakes us up. */
static void request_snapshot(struct session *s)
{
	int err = control_send(&s->control, TAP_SNAPSHOT, NULL, 0);

	if (err)
		message_warning("no snapshot: %s", snapshots_refusal(err));
}

static void request_switch_file(void *session)
{
	struct session *s = session;

	if (s->timeline)
		message_warning("a timeline is one file: there is no next one");
	else
		outputs_next_file(&s->outputs);
}

static void request_message(void *session, bool is_error, const char *text, size_t size)
{
	struct session *s = session;

	s->error_shown |= is_error;
	flush(s);
	message_script(is_error, text, size);
}

static const struct render_requests requests = {
	.exit = request_exit, .system = request_system,
	.switch_file = request_switch_file, .message = request_message,
};

/* ---- relaying ---- */

static void print_loss(struct session *s, const struct relay_gap *gap)
{
	struct output *o = outputs_of(&s->outputs, gap->cpu);

	if (s->timeline)
		timeline_lost(s->timeline, gap->stamp, gap->cpu, gap->count);
	if (!s->options->json)
		return;
	json_begin(o, "lost");
	json_time(o, "time", (int64_t)gap->stamp + s->meta.epoch);
	json_number(o, "cpu", gap->cpu);
	json_unsigned(o, "count", gap->count);
	json_end(o);
}

static void print_losses(struct session *s, bool all)
{
	struct relay_gap gap;

	while (relay_next_gap(&s->relay, all, &gap))
		print_loss(s, &gap);
}

static bool print_record(struct session *s, const struct tap_record *record, u32 cpu, struct output *o)
{
	if (s->timeline)
		return render_record_timeline(&s->meta, record, cpu, s->timeline, &requests, s);
	return (s->options->json ? render_record_json : render_record)(&s->meta, record, cpu, o, &requests, s);
}

static void print_records(struct session *s, bool forced)
{
	const struct tap_record *record;
	u32 cpu;

	while (!outputs_full(&s->outputs) && (record = relay_next(&s->relay, forced, &cpu))) {
		struct output *o = outputs_of(&s->outputs, cpu);

		o->stamp = record->stamp;
		if (s->relay.gap_count)
			print_losses(s, false);
		if (!print_record(s, record, cpu, o)) {
			message_error("a record of CPU %u is invalid", cpu);
			s->relay.broken = true;
		}
		output_boundary(o);
	}
	if (s->relay.broken)
		trouble(s, TAP_STATUS_HOST);
}

/* The module creates these files when it starts, before begin runs, and for CPUs that come online later. */
static void open_cpus(struct session *s)
{
	int err = relay_open_files(&s->relay, s->control.dir);

	if (err && !s->trouble) {
		message_error("cannot open the records of module '%s': %s", s->name, strerror(err));
		trouble(s, TAP_STATUS_HOST);
	}
}

/* Prints the waiting records now, as long as the reader takes them. */
static void print_held(struct session *s)
{
	for (print_records(s, true); relay_held(&s->relay); print_records(s, true)) {
		flush(s);
		if (outputs_stuck(&s->outputs, STUCK_NS))
			return;
		if (outputs_full(&s->outputs))
			host_sleep_ms(5);
	}
	flush(s);
}

/* The begin and end commands wait for their output to be read, so while they run, text that the reader does not
 * take is held up to the relay's limit. */
static bool may_read(struct session *s)
{
	bool awaited = s->phase == SESSION_STARTING || s->phase == SESSION_STOPPING;

	return !outputs_full(&s->outputs) || (awaited && s->relay.memory <= s->relay.most_memory);
}

/* Reads and prints everything available. Returns the ms to wait for more; -1: until an event. */
static int relay(struct session *s)
{
	bool draining = s->phase == SESSION_DRAINING;
	struct relay_round round = { 0 };
	uint64_t now = host_now();

	print_records(s, false);
	if (outputs_full(&s->outputs)) {
		flush(s);
		if (!outputs_full(&s->outputs))
			return 0;
		if (!may_read(s))
			return -1;
	}
	if (!draining && now < s->next_read)
		return (int)((s->next_read - now) / 1000000) + 1;
	round = relay_read(&s->relay);
	if (s->phase == SESSION_STARTING)
		open_cpus(s);		/* before printing: a new file may have earlier records */
	print_records(s, false);
	flush(s);
	if (round.more)
		return 0;
	if (draining) {
		if (round.bytes)
			return 0;
		print_records(s, true);
		flush(s);
		if (!relay_held(&s->relay))
			s->phase = SESSION_OVER;
		return relay_held(&s->relay) ? -1 : 0;
	}
	s->next_read = round.bytes ? now + COLLECT_NS : 0;
	return round.bytes ? 1 : relay_held(&s->relay) ? HELD_MS : -1;
}

/* ---- events ---- */

static void on_signal(struct session *s, const struct signalfd_siginfo *info)
{
	bool again = s->stop_wanted;

	switch (info->ssi_signo) {
	case SIGCHLD:
		if (command_reap(&s->commands))
			want_stop(s);
		return;
	case SIGUSR2:
		if (s->snapshots.file >= 0 && s->phase == SESSION_RUNNING)
			request_snapshot(s);
		else
			request_switch_file(s);
		return;
	case SIGQUIT:
		s->detach_wanted = true;
		return;
	}
	message_verbose(1, "signal %s", strsignal((int)info->ssi_signo));
	/* the terminal signals the command, too; kill does not */
	if (s->commands.running && info->ssi_code <= 0)
		kill(s->commands.pid, (int)info->ssi_signo);
	want_stop(s);
	if (again && outputs_abandon(&s->outputs, STUCK_NS)) {
		message_error("output that nobody read was discarded");
		trouble(s, TAP_STATUS_HOST);
	}
}

static void on_signals(struct session *s)
{
	struct signalfd_siginfo info;

	while (signals_next(s->signals, &info))
		on_signal(s, &info);
}

static bool is_drained_state(const struct session *s)
{
	return s->control.report.state == TAP_DRAINING || s->control.report.state == TAP_FAILED;
}

static void read_control(struct session *s)
{
	int err = control_read(&s->control);

	if (err) {
		message_error("the session of module '%s' is gone: %s", s->name, strerror(err));
		trouble(s, TAP_STATUS_HOST);
		s->phase = SESSION_OVER;
	} else if (s->control.report.exiting || is_drained_state(s)) {
		want_stop(s);
	}
	open_cpus(s);
}

/* The reader or the terminal has gone, which poll reports without a write. */
static void on_hangup(struct session *s)
{
	if (!s->outputs.text.error)
		s->outputs.text.error = EPIPE;
	want_stop(s);
}

/* With -L, the output of begin is left in the module for the process that attaches. */
static bool is_quiet(const struct session *s)
{
	return s->phase == SESSION_STARTING && s->options->load_only;
}

static nfds_t add_poll(struct session *s, nfds_t n, int fd, short events)
{
	s->polls[n] = (struct pollfd){ .fd = fd, .events = events };
	return n + 1;
}

static void close_input(struct session *s)
{
	if (s->input >= 0)
		close(s->input);
	s->input = -1;
}

static void wait_for_events(struct session *s, int timeout)
{
	bool reading = !is_quiet(s) && host_now() >= s->next_read && may_read(s);
	const struct output *text = &s->outputs.text, *messages = &s->outputs.messages;
	nfds_t n = 0;

	n = add_poll(s, n, s->signals, POLLIN);
	n = add_poll(s, n, s->control.fd, POLLIN);
	n = add_poll(s, n, s->control.running ? s->control.done : -1, POLLIN);
	n = add_poll(s, n, output_pending(messages) ? messages->fd : -1, POLLOUT);
	n = add_poll(s, n, text->kind == OUTPUT_FILE || text->error ? -1 : text->fd,
		     output_pending(text) ? POLLOUT : 0);
	n = add_poll(s, n, s->input >= 0 ? STDIN_FILENO : -1, POLLIN);
	n = add_poll(s, n, s->snapshots.file, snapshots_is_busy(&s->snapshots) ? 0 : POLLIN);
	n = add_poll(s, n, s->snapshots.done, POLLIN);
	for (u32 i = 0; reading && i < s->relay.cpus; i++)
		if (s->relay.cpu[i].fd >= 0)
			n = add_poll(s, n, s->relay.cpu[i].fd, POLLIN);
	if (poll(s->polls, n, timeout) <= 0)
		return;
	if (s->polls[0].revents)
		on_signals(s);
	if (s->polls[1].revents)
		read_control(s);
	if (s->polls[4].revents & (POLLERR | POLLHUP | POLLNVAL))
		on_hangup(s);
	if (s->polls[5].revents && !input_feed(s->input))
		close_input(s);
	if (s->polls[7].revents)
		snapshots_finish(&s->snapshots);
	if (s->polls[6].revents & POLLIN)
		snapshots_begin(&s->snapshots);
}

/* The time that is left until AT, if that is less; AT 0: never. */
static int until(uint64_t at, int timeout)
{
	uint64_t now = host_now(), left = at > now ? (at - now) / 1000000 + 1 : 0;

	if (!at)
		return timeout;
	if (left > 1000000)
		left = 1000000;
	return timeout < 0 || (int)left < timeout ? (int)left : timeout;
}

/* ---- phases ---- */

static bool command_ended(struct session *s)
{
	struct pollfd p = { .fd = s->control.done, .events = POLLIN };

	return s->control.running && poll(&p, 1, 0) > 0;
}

static void start_failed(struct session *s, int err)
{
	uint64_t here = s->client ? s->client->memory : 0, most = s->meta.limits.memory;

	s->start_error = err;
	if (err == ENOMEM && most && (!here || most <= here))
		message_error("the script is limited to %llu KB of kernel memory (--max-memory): smaller arrays may "
			      "help, and with -F smaller buffers (-s)", (unsigned long long)most >> 10);
	else if (err == ENOMEM && here)
		message_error("a session is limited to %llu MB of kernel memory here (tapd.conf): smaller "
			      "arrays may help, and with -F smaller buffers (-s)", (unsigned long long)here >> 20);
	else if (!s->error_shown)
		message_error("cannot start the probes: %s", strerror(err));
	s->stop_wanted = true;
}

static void detach(struct session *s)
{
	int err = s->client ? 0 : control_send_number(&s->control, TAP_DETACH, 1);

	s->detach_wanted = false;
	if (err)
		message_error("cannot detach: %s", strerror(err));
	if (err || (s->client && client_detach(s->client))) {
		trouble(s, TAP_STATUS_HOST);
		return;
	}
	print_held(s);
	s->phase = SESSION_DETACHED;
	message_verbose(0, "detached from %s: 'taprun -A %s' attaches again", s->name, s->name);
}

static void now_running(struct session *s)
{
	if (s->options->seconds > 0)
		s->deadline = host_now() + (uint64_t)(s->options->seconds * 1e9);
	if (!s->control.report.failed)
		s->input = input_open(s->proc, s->name);
	if (s->started && !s->control.report.failed)
		s->started(s);
}

static void after_start(struct session *s)
{
	int err = control_finish(&s->control);

	read_control(s);
	takeover_end(&s->takeover, !err && s->phase != SESSION_OVER && s->control.report.state != TAP_FAILED);
	if (s->phase == SESSION_OVER)
		return;
	s->phase = SESSION_RUNNING;
	if (err || s->control.report.state == TAP_FAILED) {
		relay_read(&s->relay);
		print_held(s);			/* the reason */
		start_failed(s, err ? err : EIO);
		return;
	}
	if ((err = command_release(&s->commands)) != 0) {
		message_error("cannot start '%s' (-c): /bin/sh: %s", s->options->command,
			      strerror(err));
		trouble(s, TAP_STATUS_TARGET);
	}
	now_running(s);
}

/* The phase is RUNNING. */
static void begin_stop(struct session *s)
{
	s->phase = SESSION_STOPPING;
	if (!is_drained_state(s))
		control_begin(&s->control, TAP_STOP);
}

static void after_stop(struct session *s)
{
	int err = s->control.running ? control_finish(&s->control) : 0;

	read_control(s);
	if (s->phase == SESSION_OVER)
		return;
	if (is_drained_state(s)) {
		s->phase = SESSION_DRAINING;
	} else if (err) {
		if (!s->start_error)
			message_error("the session does not stop: %s", strerror(err));
		trouble(s, TAP_STATUS_HOST);
		s->phase = SESSION_OVER;
	}
}

static void step(struct session *s)
{
	if (s->deadline && s->phase == SESSION_RUNNING && host_now() >= s->deadline)
		want_stop(s);
	switch (s->phase) {
	case SESSION_STARTING:
		if (!command_ended(s))
			break;
		after_start(s);
		if (s->options->load_only && s->phase == SESSION_RUNNING && !s->stop_wanted)
			detach(s);
		break;
	case SESSION_RUNNING:
		if (s->stop_wanted)
			begin_stop(s);
		else if (s->detach_wanted)
			detach(s);
		break;
	case SESSION_STOPPING:
		if (!s->control.running || command_ended(s))
			after_stop(s);
		break;
	default:
		break;
	}
}

/* The longest permitted wait in ms. */
static int wait_at_most(struct session *s, int timeout)
{
	if (s->phase == SESSION_STARTING && !is_quiet(s))
		return relay_cpus(&s->relay) ? 5 : 1;	/* the files appear without an event */
	if (s->phase == SESSION_STOPPING && !s->control.running)
		return 5;			/* it is stopping, but has not stopped yet */
	timeout = until(s->next_save, timeout);
	return s->phase == SESSION_RUNNING ? until(s->deadline, timeout) : timeout;
}

void session_run(struct session *s)
{
	s->polls = host_alloc((s->relay.cpus + 10) * sizeof(*s->polls));
	if (s->options->bulk)
		outputs_open_bulk(&s->outputs, s->relay.cpus, !s->options->json);
	if (s->attached) {
		control_send_number(&s->control, TAP_DETACH, 0);	/* the session is ours now */
		now_running(s);
	} else {
		control_begin(&s->control, TAP_START);
	}
	while (s->phase < SESSION_OVER) {
		int timeout = is_quiet(s) ? -1 : relay(s);
		enum session_phase before = s->phase;

		step(s);
		if (s->phase == before && s->phase < SESSION_OVER)
			wait_for_events(s, wait_at_most(s, timeout));
	}
	if (s->phase == SESSION_OVER) {
		relay_end(&s->relay);
		print_losses(s, true);
	}
}

/* ---- before and after ---- */

void session_init(struct session *s, const struct options *o, const char *proc, int signals)
{
	*s = (struct session){ .options = o, .proc = proc, .signals = signals, .input = -1 };
	s->control = (struct control){ .fd = -1, .dir = -1, .done = -1 };
	s->images = (struct images){ .fd = -1, .stop = -1 };
	s->outputs.text.fd = s->outputs.messages.fd = -1;
	snapshots_init(&s->snapshots);
	command_init(&s->commands);
}

static enum tap_status set_parameter(struct session *s, const char *word)
{
	size_t size = strlen(word);
	int err = size > 60000 ? E2BIG : control_send(&s->control, TAP_SET, word, size);
	int length = (int)strcspn(word, "=");

	switch (err) {
	case 0:
		return TAP_STATUS_OK;
	case ENOENT:
		message_error("the script has no global '%.*s' that can be set", length, word);
		break;
	case EINVAL:
		message_error("'%.200s' is not a valid value for the global '%.*s': expected a number",
			      word + length + 1, length, word);
		break;
	case E2BIG:
	case ENOSPC:
		message_error("the value for '%.*s' is too long", length, word);
		break;
	default:
		message_error("cannot set '%.200s': %s", word, strerror(err));
	}
	return TAP_STATUS_USAGE;
}

static void tell_zone(struct tap_configuration *configuration)
{
	time_t now = time(NULL);
	struct tm local;

	if (!localtime_r(&now, &local))
		return;
	configuration->west = (int32_t)-local.tm_gmtoff;
	snprintf(configuration->zone, sizeof(configuration->zone), "%s", local.tm_zone);
}

static enum tap_status configure(struct session *s)
{
	struct tap_configuration configuration = {
		.buffer = s->options->buffer,
		.target = s->commands.pid ? s->commands.pid : s->options->target,
		.flags = (s->options->timing || s->options->monitor ? TAP_SESSION_TIMING : 0) |
			 (s->options->overwrite ? TAP_SESSION_OVERWRITE : 0),
		.loader = getpid(),
		.remote = s->options->remote,
		.cgroup = s->cgroup,
	};
	int err;

	tell_zone(&configuration);
	if (s->options->remote_name)
		snprintf(configuration.remote_name, sizeof(configuration.remote_name), "%s",
			 s->options->remote_name);
	err = control_send(&s->control, TAP_CONFIGURE, &configuration, sizeof(configuration));
	if (!err)
		return TAP_STATUS_OK;
	if (s->cgroup && (err == EOPNOTSUPP || err == ENODEV)) {
		message_error(err == ENODEV ? "--cgroup and --container need a kernel with cgroups"
			      : "the script follows all threads (waits_start(), recorder_start()), so it cannot have "
				"--cgroup or --container");
		return TAP_STATUS_TARGET;
	}
	message_error(err == ENOMEM ? "not enough kernel memory for these buffers (-s): %s"
		      : err == EINVAL && configuration.buffer > 1u << 30
				    ? "a buffer (-s) can have at most 1024 MB: %s"
				    : "the module refuses its configuration: %s", strerror(err));
	return TAP_STATUS_LOAD;
}

static void write_start(struct session *s)
{
	json_begin(&s->outputs.text, "start");
	json_number(&s->outputs.text, "schema", 1);
	json_text(&s->outputs.text, "script", s->meta.script, strlen(s->meta.script));
	json_text(&s->outputs.text, "module", s->name, strlen(s->name));
	json_time(&s->outputs.text, "time", (int64_t)host_now() + s->meta.epoch);
	json_end(&s->outputs.text);
}

/* Opens files in the module's directory. */
static enum tap_status open_module_files(struct session *s, bool attached)
{
	int err;

	if (!meta_read(&s->meta, s->control.dir))
		return TAP_STATUS_LOAD;
	s->meta.hist_style.pretty = s->options->pretty;
	s->meta.epoch = host_epoch();
	if (s->options->json)
		write_start(s);
	snapshots_open(&s->snapshots, s->control.dir, &s->meta, s->options->timeline,
		       s->options->names.format ? s->outputs.text.path : NULL);
	if (s->options->timeline &&
	    !trace_file_open(&s->timeline, s->options->timeline, &s->meta, &s->outputs.text, s->snapshots.file >= 0))
		return TAP_STATUS_USAGE;
	host_allow_files(2 * (size_t)s->control.report.cpus + 64);
	relay_open(&s->relay, s->control.report.cpus, s->meta.limits.out, !attached);
	err = relay_open_files(&s->relay, s->control.dir);
	if (err) {
		message_error("cannot open the records of module '%s': %s", s->name, strerror(err));
		return TAP_STATUS_HOST;
	}
	return TAP_STATUS_OK;
}

/* Can any process hit one of these probes? */
static bool is_for_all_processes(const struct session *s)
{
	if (s->options->command || s->options->target)
		return false;
	for (u32 i = 0; i < s->meta.probe_count; i++) {
		static const char *const few[] = { "process", "begin", "end", "error" };
		bool is_one = false;

		for (size_t n = 0; n < ARRAY_SIZE(few); n++)
			is_one |= strncmp(s->meta.probes[i].point, few[n], strlen(few[n])) == 0;
		if (!is_one)
			return true;
	}
	return false;
}

/* Sends the files that the module needs before its probes are armed. */
static enum tap_status open_images(struct session *s)
{
	const struct options *o = s->options;
	int err = images_open(&s->images, s->control.dir, s->control.report.lines);

	if (err) {
		message_error("cannot open the images file of module '%s': %s", s->name, strerror(err));
		return TAP_STATUS_HOST;
	}
	for (int i = 0; i < o->image_count; i++)
		if (!images_tell_file(&s->images, o->images[i], o->ldd))
			message_warning("cannot open '%s' (--image): %s", o->images[i], strerror(errno));
	if (o->target)
		images_tell_process(&s->images, o->target);
	images_begin(&s->images, is_for_all_processes(s));
	return TAP_STATUS_OK;
}

enum tap_status session_prepare(struct session *s)
{
	enum tap_status status;
	int err = s->options->command ? command_prepare(&s->commands, s->options->command,
							   output_of_programs(s)) : 0;

	if (err) {
		message_error("cannot start '%s' (-c): %s", s->options->command, strerror(err));
		return TAP_STATUS_TARGET;
	}
	if ((status = configure(s)) != 0)
		return status;
	for (int i = 0; i < s->options->word_count; i++)
		if ((status = set_parameter(s, s->options->words[i])) != 0)
			return status;
	status = open_module_files(s, false);
	if (!status)
		status = open_images(s);
	if (!status && s->options->replace)
		status = takeover_begin(&s->takeover, s->proc, s->options->replace, &s->control, &s->meta);
	if (!status && s->options->values_of)
		status = takeover_copy(s->proc, s->options->values_of, &s->control);
	if (!status)
		s->phase = SESSION_STARTING;
	return status;
}

enum tap_status session_attach(struct session *s)
{
	enum tap_status status;

	if (s->control.report.state == TAP_LOADED) {
		message_error("the session of module '%s' was never started: taprun -d %s removes it",
			      s->name, s->name);
		return TAP_STATUS_LOAD;
	}
	status = open_module_files(s, true);
	if (!status)
		status = open_images(s);
	if (status)
		return status;
	s->attached = true;
	s->phase = SESSION_RUNNING;
	s->stop_wanted = s->options->stop || s->control.report.exiting || is_drained_state(s);
	return TAP_STATUS_OK;
}

void session_close(struct session *s)
{
	command_forget(&s->commands);	/* a command at its gate has our files open */
	snapshots_close(&s->snapshots);
	takeover_end(&s->takeover, false);
	if (s->phase == SESSION_OVER && s->options->json)
		report_session_json(&s->control, &s->meta, &s->relay, &s->outputs.text);
	else if (s->phase == SESSION_OVER)
		report_session(&s->control, &s->meta, &s->relay, s->options);
	images_close(&s->images);
	control_close(&s->control);
	close_input(s);
	for (u32 i = 0; i < s->relay.cpus; i++)
		host_close(&s->relay.cpu[i].fd);
}

/* Waits for children first: their output is part of the session's. */
static void wait_for_rest(struct session *s)
{
	const struct output *text = &s->outputs.text, *messages = &s->outputs.messages;
	bool given_up = false;

	if (s->commands.running)
		message_verbose(1, "waiting for the command, process %d", (int)s->commands.pid);
	while (!given_up && (!outputs_flush(&s->outputs) || command_any(&s->commands))) {
		struct pollfd p[] = {
			{ .fd = s->signals, .events = POLLIN },
			{ .fd = output_pending(text) ? text->fd : -1, .events = POLLOUT },
			{ .fd = output_pending(messages) ? messages->fd : -1, .events = POLLOUT },
		};
		struct signalfd_siginfo info;

		poll(p, 3, 1000);
		while (signals_next(s->signals, &info)) {
			on_signal(s, &info);
			given_up |= info.ssi_signo != SIGCHLD && info.ssi_signo != SIGUSR2 &&
				    outputs_flush(&s->outputs);
		}
	}
}

static enum tap_status final_status(const struct session *s, enum tap_status status)
{
	if (status)
		return status;
	if (s->phase == SESSION_OVER && s->control.report.failed)
		return TAP_STATUS_RUNTIME;
	if (s->start_error)
		return TAP_STATUS_LOAD;
	if (s->trouble)
		return s->trouble;
	if (s->options->command && !s->commands.running)
		return (enum tap_status)s->commands.status;
	return TAP_STATUS_OK;
}

static void write_exit(enum tap_status status)
{
	if (!json_output)
		return;
	message_to(NULL);
	json_begin(json_output, "exit");
	json_number(json_output, "status", status);
	json_end(json_output);
	json_output = NULL;
}

enum tap_status session_finish(struct session *s, enum tap_status status)
{
	command_forget(&s->commands);
	wait_for_rest(s);
	write_exit(final_status(s, status));
	if (s->timeline)
		trace_file_end(s->timeline, s->options->verbose > 0);
	wait_for_rest(s);
	if (s->timeline)
		trace_file_close(s->timeline, &s->outputs.text);
	s->timeline = NULL;
	outputs_close(&s->outputs);
	flush(s);				/* closing may fail, too */
	relay_close(&s->relay);
	meta_free(&s->meta);
	free(s->polls);
	return final_status(s, status);
}
