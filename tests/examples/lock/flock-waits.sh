# One process holds the lock for 300 ms while another one waits.
touch file
stat -c 'the file is inode %i' file
perl -e 'use Fcntl ":flock";
	open my $file, "<", "file"; flock $file, LOCK_EX; pipe my $r, my $w;
	if (fork) { sysread $r, my $text, 1; select undef, undef, undef, 0.3; flock $file, LOCK_UN; wait }
	else { open my $own, "<", "file"; syswrite $w, "x"; flock $own, LOCK_EX }'
