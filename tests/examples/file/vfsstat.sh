# 700 writes and 700 reads; 40 syncs of a new file.
dd if=/dev/zero of=/dev/null bs=1 count=700 status=none
perl -e 'use IO::Handle; open F, ">", "file"; for (1 .. 40) { syswrite F, "x"; F->sync }'
