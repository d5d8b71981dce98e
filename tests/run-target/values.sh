printf 'the quick brown fox jumps over' >animals
chmod 640 animals
dd if=animals of=/dev/null bs=13 count=3 2>/dev/null
true
