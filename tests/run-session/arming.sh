ip link set lo up
# arm64 watches no data
exec ./arming $([ $(uname -m) = aarch64 ] && echo 22 || echo 23)
