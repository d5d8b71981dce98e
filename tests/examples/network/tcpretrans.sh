# A connection over a loopback device that drops everything for half a second.
busybox ip link set lo up
modprobe sch_netem
perl -e 'use IO::Socket::INET;
	my $server = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1", LocalPort => 2232) or die;
	my $client = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => 2232);
	my $peer = $server->accept();
	system "tc qdisc add dev lo root netem loss 100%";
	syswrite $client, "lost";
	select undef, undef, undef, 0.5;
	system "tc qdisc del dev lo root";
	sysread $peer, my $text, 10'
