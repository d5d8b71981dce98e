# A program whose calls are known: it reads one file, and another one is missing.
echo hello >/tmp/strace-hello
cat /tmp/strace-hello /tmp/strace-nowhere >/dev/null 2>&1
:
