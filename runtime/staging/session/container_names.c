// SPDX-License-Identifier: GPL-2.0-or-later
/* Docker has a file for each container, with "Name": "/web", and Podman one for all of a store, a list of objects with
 * "id" and "names"; those of containers that are removed at their end are in a store's runtime directory. Where they
 * are is in the configuration of each. Users have their own, below their home. */
#include "container_names.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/host.h"

bool container_is_id(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isdigit((unsigned char)s[i]) && !(s[i] >= 'a' && s[i] <= 'f'))
			return false;
	return n == CONTAINER_ID_DIGITS;
}

void container_names_free(struct container_names *found)
{
	for (size_t i = 0; i < found->count; i++)
		free(found->ids[i]);
	free(found->ids);
	free(found->unreadable);
}

#ifdef HAVE_CONTAINERS
#include <jansson.h>

#include "common/library.h"

#define JANSSON(X) X(json_loadb) X(json_delete) X(json_object_get) X(json_string_value) X(json_array_size) \
	X(json_array_get)
LIBRARY(jansson, "libjansson.so.4", JANSSON)

bool container_names_supported(void)
{
	return jansson_load();
}

enum { MOST_FILE = 64 << 20 };

static void note(struct container_names *found, const char *path, const char *reason)
{
	if (!found->unreadable)
		found->unreadable = host_printf("%s: %s", path, reason);
}

/* NULL if it does not exist, or cannot be read, which is noted. The caller frees it with json_delete: it has the only
 * reference, and json_decref would be linked. */
static json_t *read_json(struct container_names *found, const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t size = 0;
	_cleanup_free_ char *text = fd < 0 ? NULL : host_read_file(fd, MOST_FILE, &size);
	json_t *value;

	if (!text) {
		if (errno != ENOENT && errno != ENOTDIR)
			note(found, path, strerror(errno));
		return NULL;
	}
	value = jansson.json_loadb(text, size, 0, NULL);
	if (!value)
		note(found, path, "not valid JSON");
	return value;
}

static void add(struct container_names *found, const char *id)
{
	if (!id || !container_is_id(id, strlen(id)))
		return;
	for (size_t i = 0; i < found->count; i++)
		if (strcmp(found->ids[i], id) == 0)
			return;
	found->ids = host_grow(found->ids, (found->count + 1) * sizeof(*found->ids));
	found->ids[found->count++] = host_printf("%s", id);
}

/* NULL if it does not have this member, or it is no string. */
static const char *string_of(const json_t *object, const char *member)
{
	return jansson.json_string_value(jansson.json_object_get(object, member));
}

static void take_docker(struct container_names *found, json_t *container, const char *name)
{
	const char *its = string_of(container, "Name");

	if (its && strcmp(its + (*its == '/'), name) == 0)
		add(found, string_of(container, "ID"));
}

static void take_podman(struct container_names *found, json_t *containers, const char *name)
{
	for (size_t i = 0; i < jansson.json_array_size(containers); i++) {
		const json_t *container = jansson.json_array_get(containers, i);
		const json_t *names = jansson.json_object_get(container, "names");

		for (size_t n = 0; n < jansson.json_array_size(names); n++) {
			const char *its = jansson.json_string_value(jansson.json_array_get(names, n));

			if (its && strcmp(its, name) == 0)
				add(found, string_of(container, "id"));
		}
	}
}

typedef void take(struct container_names *found, json_t *json, const char *name);

static struct container_names *globbing;	/* glob(3) passes nothing to its function */

static int note_directory(const char *path, int error)
{
	if (error != ENOENT && error != ENOTDIR)
		note(globbing, path, strerror(error));
	return 0;
}

static void each_file(struct container_names *found, const char *root, const char *files, take *take, const char *name)
{
	_cleanup_free_ char *pattern = host_printf("%s/%s", root, files);
	glob_t g = { 0 };

	globbing = found;
	if (glob(pattern, 0, note_directory, &g) == 0) {
		for (size_t i = 0; i < g.gl_pathc; i++) {
			json_t *json = read_json(found, g.gl_pathv[i]);

			if (json)
				take(found, json, name);
			jansson.json_delete(json);
		}
	}
	globfree(&g);
}

/* What the configuration has, or the usual place. */
static char *docker_root(struct container_names *found)
{
	json_t *settings = read_json(found, "/etc/docker/daemon.json");
	const char *root = string_of(settings, "data-root");
	char *result = host_printf("%s", root ? root : "/var/lib/docker");

	jansson.json_delete(settings);
	return result;
}

/* SETTING = "PATH" in a file of Podman, or the usual place. */
static char *podman_root(const char *setting, const char *usual)
{
	_cleanup_free_ char *format = host_printf(" %s = \"%%4095[^\"]\"", setting);
	FILE *settings = fopen("/etc/containers/storage.conf", "re");
	char *line = NULL, path[4096];
	size_t room = 0;
	bool found = false;

	while (settings && !found && getline(&line, &room, settings) > 0)
		found = sscanf(line, format, path) == 1;	/* NOLINT: the format is made here */
	if (settings)
		fclose(settings);
	free(line);
	return host_printf("%s", found ? path : usual);
}

static const char docker_files[] = "containers/*/config.v2.json", podman_files[] = "*-containers/containers.json",
		  podman_short_lived[] = "*-containers/volatile-containers.json";

static void find_of_root(struct container_names *found, const char *name)
{
	_cleanup_free_ char *docker = docker_root(found);
	_cleanup_free_ char *podman = podman_root("graphroot", "/var/lib/containers/storage");
	_cleanup_free_ char *running = podman_root("runroot", "/run/containers/storage");

	each_file(found, docker, docker_files, take_docker, name);
	each_file(found, podman, podman_files, take_podman, name);
	each_file(found, running, podman_short_lived, take_podman, name);
}

static void find_of_user(struct container_names *found, const char *name)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME"), *run = getenv("XDG_RUNTIME_DIR");
	_cleanup_free_ char *share = data && *data ? host_printf("%s", data) :
				     host_printf("%s/.local/share", home ? home : "");
	_cleanup_free_ char *docker = host_printf("%s/docker", share);
	_cleanup_free_ char *podman = host_printf("%s/containers/storage", share);
	_cleanup_free_ char *running = host_printf("%s/containers", run ? run : "");

	each_file(found, docker, docker_files, take_docker, name);
	each_file(found, podman, podman_files, take_podman, name);
	each_file(found, running, podman_short_lived, take_podman, name);
}

void container_names_find(struct container_names *found, const char *name)
{
	*found = (struct container_names){ 0 };
	if (!jansson_load())
		return;
	if (geteuid() != 0)
		find_of_user(found, name);
	find_of_root(found, name);
}

#else

bool container_names_supported(void)
{
	return false;
}

void container_names_find(struct container_names *found, const char *name)
{
	(void)name;
	*found = (struct container_names){ 0 };
}

#endif
