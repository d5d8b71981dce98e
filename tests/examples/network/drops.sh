# Seven datagrams to a closed port, each of which is answered by an error.
busybox ip link set lo up
perl -e 'use Socket; socket(S, PF_INET, SOCK_DGRAM, 0);
	send(S, "x", 0, sockaddr_in(9999, INADDR_LOOPBACK)) for 1 .. 7'
