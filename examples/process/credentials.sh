# setresuid(2) gives up the effective user, then takes it back, then gives up all.
perl -e 'syscall 117, 0, 1234, 0; syscall 117, 0, 0, 0; syscall 117, 65534, 65534, 65534'
