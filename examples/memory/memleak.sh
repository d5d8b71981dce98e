# 200 event counters are made and 50 of them closed; the program lives on for a while.
perl -MPOSIX -e '$0 = "keeper"; my @fds = map { syscall 290, 0, 0 } 1 .. 200; POSIX::close($_) for @fds[0 .. 49];
	if (fork) { POSIX::_exit(0) } close STDOUT; close STDERR; sleep 20'
