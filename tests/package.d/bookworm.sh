# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# From apt install in a fresh bookworm to the first answer of a script in its own kernel, in a guest
debian_first_answer bookworm
