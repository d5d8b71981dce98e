# 100 mappings of 1 MB in addition to those of the program itself.
perl -e 'exit'
perl -e '$0 = "mapper"; syscall 9, 0, 1 << 20, 3, 0x22, -1, 0 for 1 .. 100'
