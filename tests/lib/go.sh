# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For NAME.host of a test with programs in Go, which are compiled for the guest. Without a compiler nothing is made.
type -P go >/dev/null || exit 0
export GOCACHE=$HOME/.cache/tapc-tests/go GO111MODULE=off GOFLAGS=
[[ $KREL != *arm64* ]] || export GOARCH=arm64
