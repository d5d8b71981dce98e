# Three connections to a closed port.
busybox ip link set lo up
perl -e 'use Socket;
	for (1 .. 3) { socket(S, PF_INET, SOCK_STREAM, 0); connect(S, sockaddr_in(9999, INADDR_LOOPBACK)) }'
