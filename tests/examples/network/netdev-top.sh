# Six datagrams of 100 bytes, plus 28 bytes of headers, to a socket that reads them.
busybox ip link set lo up
perl -e 'use IO::Socket::INET;
	my $udp = IO::Socket::INET->new(Proto => "udp", LocalPort => 3333, PeerAddr => "127.0.0.1", PeerPort => 3333);
	for (1 .. 6) { $udp->send("x" x 100); $udp->recv(my $text, 200) }'
