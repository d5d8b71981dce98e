# 100000 bytes one way, 300 back.
busybox ip link set lo up
perl -e 'use IO::Socket::INET;
	my $server = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1", LocalPort => 2234) or die;
	my $client = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => 2234);
	my $peer = $server->accept();
	if (fork) { print $client "x" x 100000; $client->flush; sysread $client, my $text, 300; wait }
	else { read $peer, my $text, 100000; syswrite $peer, "y" x 300 }'
