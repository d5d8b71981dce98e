./chain ./libpacked.so
unshare -m sh -ec 'mount -t tmpfs none /mnt; mkdir /mnt/x; cp stranger libchain.so /mnt/x; cd /mnt/x; ./stranger ./libchain.so 1'
