# membarrier(2) with the command 1 is one such wait.
perl -e 'syscall 324, 1, 0, 0 for 1 .. 5'
