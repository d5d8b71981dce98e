# 700 writes and 700 reads; 40 syncs; 60 special files, which are what vfs_create is for here.
dd if=/dev/zero of=/dev/null bs=1 count=700 status=none
perl -e 'use IO::Handle; open F, ">", "file"; for (1 .. 40) { syswrite F, "x"; F->sync }'
