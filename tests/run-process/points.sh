#!/bin/bash
# Points of processes on the host: what -l lists, in C++ and in stripped programs, too, and why there is nothing, with advice
# host: bash "$SRC"/tests/run-process/points.cases >got; diff -u "$SRC"/tests/run-process/points.expected got
# Translated on the host; there is nothing to load.
exit 0
