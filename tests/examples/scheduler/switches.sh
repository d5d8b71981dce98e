for _ in $(seq 50); do sleep 0.01; done
