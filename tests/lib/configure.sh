# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For tests that run configure, or make dist.

# configure_cache: a file for its --cache-file, with what it found out about the compiler and the headers when $BUILD was
# configured; not what the environment and pkg-config say
configure_cache()
{
	grep '^ac_cv_' "$BUILD/config.log" | grep -v '^ac_cv_env_\|PKG_CONFIG' >configure-cache && echo "$PWD/configure-cache"
}

# unpack_dist: make dist in a copy of the build, and unpack it here, as tapc-VERSION
unpack_dist()
{
	mkdir build &&
		(cd "$BUILD" && tar -c --exclude=./tests/cache . 2>/dev/null) | tar -x -C build &&
		(cd build && XZ_OPT=-0 make -s dist >../log 2>&1) || { tail -n 20 log; return 1; }
	tar xf build/tapc-*.tar.*
}
