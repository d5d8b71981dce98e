# Opens 140 files, closes 15 of them.
perl -e 'for (1 .. 140) { open $f[$_], "<", "/dev/null" } close $f[$_] for 1 .. 15; require POSIX; POSIX::_exit(0)'
