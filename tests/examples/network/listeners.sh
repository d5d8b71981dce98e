busybox ip link set lo up
perl -e 'use IO::Socket::INET;
	IO::Socket::INET->new(Listen => $_ - 2000, LocalAddr => "127.0.0.1", LocalPort => $_) or die for 2005, 2033'
