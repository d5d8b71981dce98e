#!/bin/bash
# Points of processes on the host: what -l lists, in C++ and in stripped programs, too, and the reasons if nothing is found, with advice
# host: bash "$SRC"/tests/run-process/points.cases >got; diff -u "$SRC"/tests/run-process/points.expected got
# Translated on the host; nothing is loaded.
exit 0
