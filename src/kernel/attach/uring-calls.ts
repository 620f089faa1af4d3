import { CALLS, callOperation, type Call } from '../../model/call.ts';
import { CallBits, Dimension, UringShape } from '../abi/layout.ts';

interface UringCall {
  /** `IORING_OP_...` of `linux/io_uring.h`. */
  readonly opcode: number;
  /** Where the request has its arguments, see `uring_shape` in `bpf/ioheat.h`. */
  readonly shape: number;
}

/** Requests of io_uring on files: their data, metadata, directories and extended attributes. */
const URING_CALLS: Readonly<Partial<Record<Call, UringCall>>> = {
  'uring-readv': { opcode: 1, shape: UringShape.moveParts },
  'uring-writev': { opcode: 2, shape: UringShape.moveParts },
  'uring-fsync': { opcode: 3, shape: UringShape.file },
  'uring-read-fixed': { opcode: 4, shape: UringShape.move },
  'uring-write-fixed': { opcode: 5, shape: UringShape.move },
  'uring-sync_file_range': { opcode: 8, shape: UringShape.range },
  'uring-fallocate': { opcode: 17, shape: UringShape.range },
  'uring-openat': { opcode: 18, shape: UringShape.open },
  'uring-close': { opcode: 19, shape: UringShape.close },
  'uring-statx': { opcode: 21, shape: UringShape.stat },
  'uring-read': { opcode: 22, shape: UringShape.move },
  'uring-write': { opcode: 23, shape: UringShape.move },
  'uring-fadvise': { opcode: 24, shape: UringShape.advise },
  'uring-openat2': { opcode: 28, shape: UringShape.open },
  'uring-splice': { opcode: 30, shape: UringShape.splice },
  'uring-renameat': { opcode: 35, shape: UringShape.rename },
  'uring-unlinkat': { opcode: 36, shape: UringShape.unlink },
  'uring-mkdirat': { opcode: 37, shape: UringShape.mkdir },
  'uring-symlinkat': { opcode: 38, shape: UringShape.symlink },
  'uring-linkat': { opcode: 39, shape: UringShape.link },
  'uring-fsetxattr': { opcode: 41, shape: UringShape.file },
  'uring-setxattr': { opcode: 42, shape: UringShape.attribute },
  'uring-fgetxattr': { opcode: 43, shape: UringShape.file },
  'uring-getxattr': { opcode: 44, shape: UringShape.attribute },
  'uring-ftruncate': { opcode: 55, shape: UringShape.truncate },
  'uring-readv-fixed': { opcode: 60, shape: UringShape.moveParts },
  'uring-writev-fixed': { opcode: 61, shape: UringShape.moveParts },
};

/** The value of `Target.uring`: shape, operation and call by opcode, 0 for requests that are not traced. */
export function uringTable(): Uint32Array {
  const table = new Uint32Array(Dimension.uringCalls);
  for (const [name, { opcode, shape }] of Object.entries(URING_CALLS)) {
    const call = name as Call;
    table[opcode] =
      callOperation(call) |
      (CALLS.indexOf(call) << CallBits.idShift) |
      (shape << Dimension.uringShapeShift);
  }
  return table;
}
