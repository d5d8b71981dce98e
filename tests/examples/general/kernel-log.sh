echo "gallery: hello" >/dev/kmsg
