for o in -O0 -O1 -O2 -wide; do ./narrow$o; done
