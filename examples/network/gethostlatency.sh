# Names that the machine knows itself.
getent ahosts localhost >/dev/null
getent ahosts 127.0.0.3 >/dev/null
