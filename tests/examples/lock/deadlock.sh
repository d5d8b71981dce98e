# Three mutexes: two threads, one after the other, take the first two in different orders.
python3 -c 'import ctypes, threading
libc = ctypes.CDLL("libc.so.6")
a, b, c = (ctypes.create_string_buffer(64) for _ in range(3))
def take(*locks):
	for lock in locks: libc.pthread_mutex_lock(lock)
	for lock in locks: libc.pthread_mutex_unlock(lock)
for order in ((a, b), (a, c), (b, c), (b, a)):
	thread = threading.Thread(target=take, args=order)
	thread.start()
	thread.join()
print("wrong are %x %x" % (ctypes.addressof(b), ctypes.addressof(a)))'
