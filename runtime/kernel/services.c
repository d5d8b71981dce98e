// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of optional services. Its references are weak: they do not make the linker take a file from the archive,
 * and are NULL in modules that do not have the file. */
#include "services.h"

#pragma weak tap_raise_service
#pragma weak tap_timekeeping_service
#pragma weak tap_source_service
#pragma weak tap_unwind_service
#pragma weak tap_lines_service
#pragma weak tap_python_service
#pragma weak tap_globals_service
#pragma weak tap_waitchain_service
#pragma weak tap_recorder_service

static const struct tap_service *const services[] = {
	&tap_raise_service, &tap_timekeeping_service, &tap_source_service, &tap_unwind_service, &tap_lines_service,
	&tap_python_service, &tap_globals_service, &tap_waitchain_service, &tap_recorder_service,
};

static u32 opened;			/* the first ones */

#define for_each_service(s, count) \
	for (u32 i_ = 0; i_ < (count); i_++) \
		for (const struct tap_service *s = services[i_]; s; s = NULL)

int tap_services_open(void)
{
	int err = 0;

	for (; opened < ARRAY_SIZE(services) && !err; opened += !err)
		if (services[opened] && services[opened]->open)
			err = services[opened]->open();
	if (err)
		tap_services_close();
	return err;
}

int tap_services_publish(void)
{
	int err = 0;

	for_each_service(s, opened)
		if (!err && s->publish)
			err = s->publish();
	return err;
}

int tap_services_start(void)
{
	int err = 0;

	for_each_service(s, opened)
		if (!err && s->start)
			err = s->start();
	return err;
}

bool tap_services_have_await(void)
{
	for_each_service(s, opened)
		if (s->await)
			return true;
	return false;
}

void tap_services_await(void)
{
	for_each_service(s, opened)
		if (s->await)
			s->await();
}

void tap_services_stop(void)
{
	for_each_service(s, opened)
		if (s->stop)
			s->stop();
}

void tap_services_report(void)
{
	for_each_service(s, opened)
		if (s->report)
			s->report();
}

void tap_services_settle(void)
{
	for_each_service(s, opened)
		if (s->settle)
			s->settle();
}

void tap_services_close(void)
{
	for_each_service(s, opened)
		if (s->close)
			s->close();
	opened = 0;
}

bool tap_services_want_lines(void)
{
	for_each_service(s, opened)
		if (s->wants_lines)
			return true;
	return false;
}

bool tap_services_follow_all(void)
{
	for_each_service(s, opened)
		if (s->follows_all)
			return true;
	return false;
}

int tap_services_snapshot(void)
{
	for_each_service(s, opened)
		if (s->snapshot)
			return s->snapshot();
	return -EOPNOTSUPP;
}
