set -e
for o in -O0 -O2 -O1; do ./values$o; done
