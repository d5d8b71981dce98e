for _ in 1 2 3 4 5; do sleep 4 & done; wait
