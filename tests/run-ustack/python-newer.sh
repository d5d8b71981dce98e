#!/bin/bash
# python.sh with the Python of the next Debian
# default: no
# timeout: 200
PYTHON=$PWD/python exec "$SRC/tests/run-ustack/python.sh"
