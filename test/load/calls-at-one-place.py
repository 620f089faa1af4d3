"""
calls-at-one-place.py FILE BYTES COUNT APART: two processes, whose numbers are so far apart and which have a processor
each, read BYTES of FILE at once, COUNT times each.
"""

import os
import sys

path = sys.argv[1]
size, count, apart = map(int, sys.argv[2:])
processors = sorted(os.sched_getaffinity(0))
ready, start = os.pipe(), os.pipe()


def read_often(processor):
    os.sched_setaffinity(0, [processor])
    file = os.open(path, os.O_RDONLY)
    os.write(ready[1], b"1")
    os.read(start[0], 1)
    for _ in range(count):
        os.pread(file, size, 0)
    os._exit(0)


def fork_reader(number, processor):
    """The kernel gives this number to whoever starts the next process, if it is free."""
    with open("/proc/sys/kernel/ns_last_pid", "w") as last:
        last.write(str(number - 1))
    pid = os.fork()
    if pid == 0:
        read_often(processor)
    os.read(ready[0], 1)
    return pid


def end(pids):
    for pid in pids:
        os.kill(pid, 9)
        os.waitpid(pid, 0)


for number in range(1000, 8000):
    pids = [fork_reader(number, processors[0]), fork_reader(number + apart, processors[-1])]
    if pids[1] - pids[0] == apart:
        break
    end(pids)
os.write(start[1], b"12")
for pid in pids:
    os.waitpid(pid, 0)
