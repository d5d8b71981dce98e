# 40 datagrams of 100 bytes, of which 25 are read.
busybox ip link set lo up
perl -e 'use IO::Socket::INET;
	my $to = IO::Socket::INET->new(Proto => "udp", LocalAddr => "127.0.0.1", LocalPort => 3333);
	my $from = IO::Socket::INET->new(Proto => "udp", LocalPort => 4444, PeerAddr => "127.0.0.1", PeerPort => 3333);
	$from->send("x" x 100) for 1 .. 40;
	$to->recv(my $text, 200) for 1 .. 25'
