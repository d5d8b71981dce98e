# 400 open files.
perl -e 'open $f[$_], "<", "/dev/null" for 1 .. 400'
