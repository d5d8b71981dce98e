# Ten times 20 ms.
for _ in 1 2 3 4 5 6 7 8 9 10; do sleep 0.02; done
