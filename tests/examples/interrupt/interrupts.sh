for _ in $(seq 30); do sleep 0.01; done; echo x >/dev/console
