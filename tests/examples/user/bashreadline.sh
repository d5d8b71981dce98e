# Two commands are typed into an interactive shell.
printf 'echo one two\n: quiet\nexit\n' | script -qec 'bash --norc -i' /dev/null >/dev/null
