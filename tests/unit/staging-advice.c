/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands of advice.def on each distribution, which its os-release names; words where no command is known. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/advice.h"

static int failed;

/* The directory of the test, made by the runner, is the root of a system whose os-release has this TEXT. */
static const char *system_like(const char *text)
{
	FILE *f;

	if ((mkdir("root", 0755) < 0 || mkdir("root/etc", 0755) < 0) && errno != EEXIST)
		perror("root/etc");
	f = fopen("root/etc/os-release", "w");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0) {
		perror("root/etc/os-release");
		exit(1);
	}
	return "root";
}

static void same(const char *what, const char *got, const char *wanted)
{
	/* commands of root are the same after sudo */
	if (got && strncmp(got, "sudo ", 5) == 0 && geteuid() != 0)
		got += 5;
	if (!got == !wanted && (!got || strcmp(got, wanted) == 0))
		return;
	printf("not ok %s: <%s>, not <%s>\n", what, got ? got : "none", wanted ? wanted : "none");
	failed = 1;
}

static void command(const char *release, enum advice advice, const char *subject, const char *wanted)
{
	char *got = advice_command(advice, subject, system_like(release));

	same(release, got, wanted);
	free(got);
}

static void clause(const char *release, enum advice advice, const char *subject, const char *wanted)
{
	char *got = advice_clause(advice, subject, system_like(release));

	same(release, got, wanted);
	free(got);
}

static void text(struct gap g, const char *wanted)
{
	char *got = gap_text(&g);

	same(wanted, got, wanted);
	free(got);
}

/* Advice without a distribution: the words contain the command, because messages consist of the words. */
static void check_rows(void)
{
	system_like("ID=none\n");
	for (int i = 0; i < ADVICE_KINDS; i++) {
		char *c = advice_command(i, "X", "root"), *words = advice_clause(i, "X", "root");
		const char *plain = c && strncmp(c, "sudo ", 5) == 0 ? c + 5 : c;

		if (plain && i != ADVICE_CACHE && !strstr(words, plain)) {
			printf("not ok: the words '%s' do not contain the command '%s'\n", words, c);
			failed = 1;
		}
		if (i != ADVICE_NONE && !*words) {
			printf("not ok: advice %d has no words\n", i);
			failed = 1;
		}
		free(c);
		free(words);
	}
}

int main(void)
{
	static const char debian[] = "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n";
	static const char ubuntu[] = "NAME=\"Ubuntu\"\nID=ubuntu\nID_LIKE=debian\n";
	static const char mint[] = "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n";
	static const char rocky[] = "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n";
	static const char leap[] = "ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n";
	static const char arch[] = "NAME='Arch Linux'\nID=arch\n";
	static const char other[] = "ID=archipelago\nID_LIKE=\n";

	command(debian, ADVICE_HEADERS, "6.1.0-56-amd64", "apt install linux-headers-6.1.0-56-amd64");
	command(ubuntu, ADVICE_HEADERS, "6.8.0-40-generic", "apt install linux-headers-6.8.0-40-generic");
	command(rocky, ADVICE_HEADERS, "5.14.0-427.el9.x86_64", "dnf install kernel-devel-5.14.0-427.el9.x86_64");
	command("ID=fedora\n", ADVICE_MAKE, NULL, "dnf install make");
	command(leap, ADVICE_HEADERS, "6.4.0-default", "zypper install kernel-default-devel");
	command(arch, ADVICE_HEADERS, "6.9.7-arch1-1", "pacman -S linux-headers");
	command(debian, ADVICE_DEBUG, "6.1", "apt install linux-image-6.1-dbg");
	command(mint, ADVICE_DEBUG, "6.8", "apt install linux-image-6.8-dbgsym");
	command(arch, ADVICE_DEBUG, "6.9", NULL);
	command(other, ADVICE_HEADERS, "6.9", NULL);
	command("", ADVICE_HEADERS, "6.9", NULL);
	command(other, ADVICE_VM, NULL, "tapc --vm");
	clause(debian, ADVICE_COMPILER, "gcc-12", geteuid() == 0 ? "run 'apt install gcc-12'" :
								   "run 'sudo apt install gcc-12'");
	clause(other, ADVICE_COMPILER, "gcc-12", "install gcc-12 (Debian, Ubuntu) or gcc (Fedora)");
	clause(debian, ADVICE_VM, NULL, "tapc --vm runs the script in a virtual machine");
	system_like(other);
	text((struct gap){ .what = "no make", .advice = ADVICE_MAKE, .otherwise = "build elsewhere", .root = "root" },
	     "no make; install make (Debian, Ubuntu, Fedora), or build elsewhere");
	text((struct gap){ .what = "no", .advice = ADVICE_NONE }, "no");
	check_rows();
	return failed;
}
