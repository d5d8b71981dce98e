# rmdir fails for 30 missing directories, rm for one that is a directory.
rmdir $(seq -f '/tmp/missing-%g' 30) 2>/dev/null
ln -s / /dev/null/x 2>/dev/null
:
