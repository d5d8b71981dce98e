timeout 2 sh -c 'while :; do :; done'; true
