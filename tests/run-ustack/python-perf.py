# The same calls all the time, whose innermost one is getppid(2), until the file "over" exists.
import os
import time


def inner():
    return os.getppid()


def middle():
    return inner()


def outer():
    return middle()


# The dump is written in blocks of 4 KB: other functions push these ones out.
outer()
for n in range(100):
    exec(f"def other{n}(): pass\nother{n}()")

while not os.path.exists("over"):
    outer()
    time.sleep(0.02)
