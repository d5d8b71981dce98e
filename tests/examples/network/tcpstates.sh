# A connection that the connecting side closes.
busybox ip link set lo up
perl -e 'use IO::Socket::INET;
	my $server = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1", LocalPort => 2233) or die;
	my $client = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => 2233);
	my $peer = $server->accept();
	close $client;
	sysread $peer, my $text, 10'
