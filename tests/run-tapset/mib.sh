modprobe veth
PYTHONPATH=$SRC/tests/lib exec python3 mib.py
