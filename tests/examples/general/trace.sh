touch file
perl -e 'truncate "file", 7000; truncate "/dev/null", 1'
