# A server that does not accept before it has five connections; its backlog is eight.
busybox ip link set lo up
perl -e 'use IO::Socket::INET;
	my $server = IO::Socket::INET->new(Listen => 8, LocalAddr => "127.0.0.1", LocalPort => 2235) or die;
	my @clients = map { IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => 2235) } 1 .. 5;
	$server->accept() for 1 .. 5'
