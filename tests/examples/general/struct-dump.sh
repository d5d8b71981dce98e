printf 'release %s\n' "$(uname -r)"
sleep 0.5
