"""share-inode-block.py ROUNDS: `appends` writes to one file and `syncs` another, whose inodes are in one block.

In each round the first changes its inode, and then the second has both committed.
"""

import os
import sys
import time

rounds = int(sys.argv[1])
appended = os.open("appended", os.O_WRONLY | os.O_CREAT)
synced = os.open("synced", os.O_WRONLY | os.O_CREAT)
assert os.fstat(appended).st_ino // 16 == os.fstat(synced).st_ino // 16
for file in (appended, synced):
    os.write(file, bytes(4096))
    os.fsync(file)

ask, tell = os.pipe()
read, answer = os.pipe()
pid = os.fork()
if pid == 0:
    os.close(tell)
    while os.read(ask, 1):
        os.utime(appended)
        os.write(answer, b".")
    os._exit(0)
print("appends", pid, flush=True)
print("syncs", os.getpid(), flush=True)
for _ in range(rounds):
    os.write(tell, b".")
    os.read(read, 1)
    os.utime(synced)
    os.fsync(synced)
