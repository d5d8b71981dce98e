# The library: nothing but what is exported has a name in it, and the rest in .gnu_debugdata; linked to
# another address, as prelink does.
set -e
cp "$SRC"/tests/run-process/whose.c .
gcc -O2 -shared -fPIC -Wl,-Ttext-segment=0x3000000 -DLIBRARY -o libwhose.so whose.c
nm -f posix --defined-only libwhose.so | awk '$2 == "t" { print $1 }' >hidden
objcopy -S --remove-section .gnu_debuglink --keep-symbols=hidden libwhose.so mini
xz mini
strip -s libwhose.so
objcopy --add-section .gnu_debugdata=mini.xz libwhose.so
gcc -g -O2 -pthread -o whose whose.c -L. -lwhose -Wl,-rpath,'$ORIGIN'
# What runs in a container, and a program of the same path outside of it.
gcc -O2 -c -DLIBRARY -o library.o whose.c
gcc -g -O2 -static -pthread -o app whose.c library.o
gcc -g -O1 -static -pthread -o outside whose.c library.o
