# 30 messages of 500 bytes through a pair of Unix sockets, 12 over UDP.
busybox ip link set lo up
perl -e 'use Socket; use IO::Socket::INET;
	socketpair(my $a, my $b, AF_UNIX, SOCK_DGRAM, 0);
	for (1 .. 30) { send $a, "x" x 500, 0; recv $b, my $text, 500, 0 }
	my $udp = IO::Socket::INET->new(Proto => "udp", PeerAddr => "127.0.0.1", PeerPort => 3333, LocalPort => 3333);
	$udp->send("y" x 10) for 1 .. 12'
