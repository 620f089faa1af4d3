"""uring-calls.py: makes calls on files through io_uring, one after the other, in the current folder.

Prints a line for each: its name, the result, and where in the file it began. What this kernel does not know is left out.
"""

import ctypes
import errno
import mmap
import os
import struct

SETUP, ENTER = 425, 426
GET_EVENTS = 1
HERE = -100
libc = ctypes.CDLL(None, use_errno=True)

parameters = ctypes.create_string_buffer(120)
ring = libc.syscall(SETUP, 8, parameters)
if ring < 0:
    raise OSError(ctypes.get_errno(), "io_uring_setup")


def word(at):
    return struct.unpack_from("<I", parameters, at)[0]


sq = mmap.mmap(ring, word(40 + 24) + 4 * word(0), offset=0)
cq = mmap.mmap(ring, word(80 + 20) + 16 * word(4), offset=0x8000000)
entries = mmap.mmap(ring, 64 * word(0), offset=0x10000000)
submitted = 0


def call(name, opcode, fd=HERE, off=0, addr=0, length=0, flags=0, at=None):
    """Waits for the result, and returns it."""
    global submitted
    index = submitted & (word(0) - 1)
    struct.pack_into("<BBHiQQIIQQQQ", entries, 64 * index, opcode, 0, 0, fd, off, addr, length, flags, 0, 0, 0, 0)
    struct.pack_into("<I", sq, word(40 + 24) + 4 * index, index)
    submitted += 1
    struct.pack_into("<I", sq, word(40 + 4), submitted)
    libc.syscall(ENTER, ring, 1, 1, GET_EVENTS, None, 0)
    head = struct.unpack_from("<I", cq, word(80))[0]
    result = struct.unpack_from("<i", cq, word(80 + 20) + 16 * (head & (word(4) - 1)) + 8)[0]
    struct.pack_into("<I", cq, word(80), head + 1)
    if name is not None and result != -errno.EINVAL:
        print(f"uring-{name}={result} {'' if at is None else at}".rstrip())
    return result


kept = []


def text(value):
    kept.append(ctypes.create_string_buffer(value.encode()))
    return ctypes.addressof(kept[-1])


data = ctypes.create_string_buffer(b"x" * 8192, 8192)
where = ctypes.addressof(data)

file = call("openat", 18, addr=text("made"), length=0o644, flags=os.O_RDWR | os.O_CREAT)
call("write", 23, file, off=4096, addr=where, length=8192, at=4096)
call("read", 22, file, off=10, addr=where, length=100, at=10)
call("read", 22, file, off=12000, addr=where, length=1000, at=12000)
call("fsync", 3, file)
call("fallocate", 17, file, off=16384, addr=4096, at=16384)
call("sync_file_range", 8, file, off=4096, length=8192, at=4096)
call("fadvise", 24, file, off=4096, length=4096, at=4096)
call("ftruncate", 55, file, off=5000, at=5000)
call("statx", 21, addr=text("made"), off=where, length=0x7FF)
call("close", 19, file)
call("openat", 18, addr=text("missing"), flags=os.O_RDONLY)
call("mkdirat", 37, addr=text("folder"), length=0o755)
call("renameat", 35, addr=text("made"), off=text("renamed"), length=HERE & 0xFFFFFFFF)
call("linkat", 39, addr=text("renamed"), off=text("second"), length=HERE & 0xFFFFFFFF)
call("symlinkat", 38, addr=text("renamed"), off=text("symbolic"))
for name in ("renamed", "second", "symbolic", "missing"):
    call("unlinkat", 36, addr=text(name))
call("unlinkat", 36, addr=text("folder"), flags=0x200)
append = os.open("appended", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
call("write", 23, append, off=0, addr=where, length=10)
os.close(append)
# Of a pipe: none of ours, so nothing is printed.
reader, writer = os.pipe()
os.write(writer, b"pipe")
call(None, 22, reader, off=0xFFFFFFFFFFFFFFFF, addr=where, length=4)
