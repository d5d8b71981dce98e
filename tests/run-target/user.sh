printf 'tap:animals\377\1\2\3\204' >file
printf 'tap:h\0\0\0i\0\0\0\0\0\0\0\0' >file
