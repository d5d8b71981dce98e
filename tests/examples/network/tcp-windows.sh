# 1 MB over a connection with a round trip time of 20 ms.
busybox ip link set lo up mtu 1500
modprobe sch_netem
tc qdisc add dev lo root netem delay 10ms
perl -e 'use IO::Socket::INET;
	my $server = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1", LocalPort => 2231) or die;
	my $client = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => 2231);
	my $peer = $server->accept();
	if (fork) { print $client "x" x 1000000; close $client; wait }
	else { close $client; 1 while sysread $peer, my $text, 65536 }'
tc qdisc del dev lo root
busybox ip link set lo mtu 65536
