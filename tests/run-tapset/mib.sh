modprobe veth
exec python3 mib.py
