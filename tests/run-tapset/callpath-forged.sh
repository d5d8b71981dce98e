#!/bin/bash
# Processes for each place in the table of threads that are followed
cp "$(type -P bash)" forged && mkfifo go || exit
exec ./forged -c 'exec 3<>go
for ((i = 0; i < 300; i++)); do
	(read -r -n 1 -u 3; : </etc/passwd; : </etc/passwd; read -r -n 1 -u 3) &
done
printf %600s >&3
wait'
