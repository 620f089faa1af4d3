"""uring-calls.py: makes calls on files through io_uring, one after the other, in the current folder.

Prints a line for each: its name, the result, and where in the file it began. What this kernel does not know is left out.
With the argument `registered`, this is also done for a splice from a file that is registered with the ring.
"""

import ctypes
import errno
import mmap
import os
import struct
import sys

SETUP, ENTER, REGISTER = 425, 426, 427
GET_EVENTS = 1
REGISTER_FILES = 2
LINKED = 1 << 2
FROM_REGISTERED = 1 << 31
OWN_POSITION = 0xFFFFFFFFFFFFFFFF
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


def prepare(opcode, fd=HERE, off=0, addr=0, length=0, flags=0, source=0, link=0):
    global submitted
    index = submitted & (word(0) - 1)
    struct.pack_into("<BBHiQQIIQQQQ", entries, 64 * index, opcode, link, 0, fd, off, addr, length, flags, 0, source << 32, 0, 0)
    struct.pack_into("<I", sq, word(40 + 24) + 4 * index, index)
    submitted += 1
    struct.pack_into("<I", sq, word(40 + 4), submitted)


def take(name, at=None):
    """The next result, which is there."""
    head = struct.unpack_from("<I", cq, word(80))[0]
    result = struct.unpack_from("<i", cq, word(80 + 20) + 16 * (head & (word(4) - 1)) + 8)[0]
    struct.pack_into("<I", cq, word(80), head + 1)
    if name is not None and result != -errno.EINVAL:
        print(f"uring-{name}={result} {'' if at is None else at}".rstrip())
    return result


def call(name, opcode, *arguments, at=None, **more):
    """Waits for the result, and returns it."""
    prepare(opcode, *arguments, **more)
    libc.syscall(ENTER, ring, 1, 1, GET_EVENTS, None, 0)
    return take(name, at)


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
with open("spliced", "wb") as spliced:
    spliced.write(b"x" * 9000)
source = os.open("spliced", os.O_RDWR)
reader, writer = os.pipe()
call("splice", 30, writer, OWN_POSITION, 100, 3000, source=source, at=100)
call("splice", 30, writer, OWN_POSITION, OWN_POSITION, 50, source=source)
call("splice", 30, writer, OWN_POSITION, 8990, 1000, source=source, at=8990)
call("splice", 30, writer, 0, 0, 10, source=source, at=0)
again = os.dup(source)
prepare(30, writer, OWN_POSITION, 200, 70, source=again, link=LINKED)
prepare(19, again)
libc.syscall(ENTER, ring, 2, 2, GET_EVENTS, None, 0)
take("splice", at=200)
take("close")
libc.syscall(REGISTER, ring, REGISTER_FILES, struct.pack("<ii", source, reader), 2)
call("splice" if "registered" in sys.argv else None, 30, writer, OWN_POSITION, 300, 30, FROM_REGISTERED, 0, at=300)
# From pipes: none of ours, so nothing is printed.
other, target = os.pipe()
call(None, 33, target, 0, 0, 500, source=reader)
call(None, 30, target, OWN_POSITION, OWN_POSITION, 500, FROM_REGISTERED, 1)
call(None, 30, source, 4096, OWN_POSITION, 700, source=reader)
call(None, 22, reader, off=OWN_POSITION, addr=where, length=4)
call(None, 19, other)
