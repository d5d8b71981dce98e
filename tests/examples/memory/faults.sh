echo never >/sys/kernel/mm/transparent_hugepage/enabled
exec dd if=/dev/zero of=/dev/null bs=16M count=2 status=none
