# 400 calls that do nothing (getppid), and four sleeps of 50 ms.
exec perl -e 'syscall 110 for 1 .. 400; select undef, undef, undef, 0.05 for 1 .. 4'
