# Five threads; processes do not count.
python3 -c '
import threading
threads = [threading.Thread(target=print, args=("",)) for i in range(5)]
[t.start() for t in threads]
[t.join() for t in threads]' >/dev/null
