for i in $(seq 50); do sleep 0.01; done
