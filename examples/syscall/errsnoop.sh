# rmdir fails for 30 folders that are not there, rm for one that is a folder.
rmdir $(seq -f '/tmp/missing-%g' 30) 2>/dev/null
ln -s / /dev/null/x 2>/dev/null
:
