# 17 directories are made, 11 renamed, all removed; 23 links, all deleted.
perl -e 'mkdir "d$_" for 1 .. 17; rename "d$_", "e$_" for 1 .. 11; rmdir "e$_" for 1 .. 11; rmdir "d$_" for 12 .. 17;
	symlink "nowhere", "l$_" for 1 .. 23; unlink "l$_" for 1 .. 23'
