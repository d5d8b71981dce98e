timeout 1 sh -c 'while :; do :; done'; true
