# Names that the machine resolves without a server.
getent ahosts localhost >/dev/null
getent ahosts 127.0.0.3 >/dev/null
