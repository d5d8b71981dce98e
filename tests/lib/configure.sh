# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For tests that run configure.

# configure_cache: a file for its --cache-file, with what it found out about the compiler and the headers when $BUILD was
# configured; not what the environment and pkg-config say
configure_cache()
{
	grep '^ac_cv_' "$BUILD/config.log" | grep -v '^ac_cv_env_\|PKG_CONFIG' >configure-cache && echo "$PWD/configure-cache"
}
