ip link set lo up
# no data watchpoints on arm64
exec ./arming $([ $(uname -m) = aarch64 ] && echo 22 || echo 23)
