echo hello | cat >/dev/null
