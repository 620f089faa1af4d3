"""fill-journal.py FOLDER ROUNDS: two processes, `many` and `few`, make three folders and one in each round.

A third one then has them committed. Each folder is metadata of its own. Prints the IDs of the two.
"""

import os
import sys

folder, rounds = sys.argv[1], int(sys.argv[2])


def start(name, count):
    """A process that makes folders whenever it is told to."""
    ask, tell = os.pipe()
    read, answer = os.pipe()
    pid = os.fork()
    if pid == 0:
        with open("/proc/self/comm", "w") as comm:
            comm.write(name)
        os.close(tell)
        made = 0
        while os.read(ask, 1):
            for _ in range(count):
                os.mkdir(f"{folder}/{name}-{made}")
                made += 1
            os.write(answer, b".")
        os._exit(0)
    print(name, pid, flush=True)
    return tell, read


workers = [start("many", 3), start("few", 1)]
top = os.open(folder, os.O_RDONLY)
for _ in range(rounds):
    for tell, read in workers:
        os.write(tell, b".")
        os.read(read, 1)
    os.fsync(top)
