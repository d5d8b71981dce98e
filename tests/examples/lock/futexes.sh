# One thread holds a mutex of the C library for 300 ms while another one waits.
python3 -c 'import ctypes, threading, time
libc = ctypes.CDLL("libc.so.6")
mutex = ctypes.create_string_buffer(64)
print("the mutex is at %x" % ctypes.addressof(mutex))
libc.pthread_mutex_lock(mutex)
other = threading.Thread(target=lambda: libc.pthread_mutex_lock(mutex))
other.start()
time.sleep(0.3)
libc.pthread_mutex_unlock(mutex)
other.join()'
