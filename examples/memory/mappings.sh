# 100 maps of 1 MB beside those that the program itself needs.
perl -e 'exit'
perl -e '$0 = "mapper"; syscall 9, 0, 1 << 20, 3, 0x22, -1, 0 for 1 .. 100'
