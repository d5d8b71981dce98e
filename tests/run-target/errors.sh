#!/bin/bash
# Wrong target variables: each message at its position, with advice
# Translated on the host; nothing is loaded.
# hardened: no, clang words the error otherwise
exit 0
