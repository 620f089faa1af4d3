/**
 * Request operations: the low 8 bits of `rq->cmd_flags`.
 * Source: `enum req_op` in include/linux/blk_types.h. Zone operations were renumbered between
 * kernels and are therefore not named.
 */
export const Op = {
  read: 0,
  write: 1,
  flush: 2,
  discard: 3,
  secureErase: 5,
  writeZeroes: 9,
  driverIn: 34,
  driverOut: 35,
} as const;

export const OP_MASK = 0xff;

/** The operation when a log does not have it; its class is `other`. */
export const OP_UNKNOWN = 0xff;

export function isUnknownOp(cmdFlags: number): boolean {
  return (cmdFlags & OP_MASK) === OP_UNKNOWN;
}

/** Request flags of `rq->cmd_flags`; `enum req_flag_bits`, stable from 5.8 to 6.18 up to bit 20. */
export const RequestFlag = {
  sync: 1 << 11,
  meta: 1 << 12,
  fua: 1 << 17,
  preflush: 1 << 18,
  readAhead: 1 << 19,
  background: 1 << 20,
  /** Not a flag of the kernel: `REQ_THROTTLED` in bpf/ioheat.h. Waits and calls may have it as well. */
  throttled: 1 << 30,
} as const;

/** Classes of operations that filters, colours and totals distinguish. */
export const OP_CLASSES = ['read', 'write', 'flush', 'discard', 'other'] as const;
export type OpClass = (typeof OP_CLASSES)[number];

const CLASS_OF_OP = new Uint8Array(256).fill(OP_CLASSES.indexOf('other'));
CLASS_OF_OP[Op.read] = OP_CLASSES.indexOf('read');
CLASS_OF_OP[Op.write] = OP_CLASSES.indexOf('write');
CLASS_OF_OP[Op.flush] = OP_CLASSES.indexOf('flush');
CLASS_OF_OP[Op.discard] = OP_CLASSES.indexOf('discard');
CLASS_OF_OP[Op.secureErase] = OP_CLASSES.indexOf('discard');
CLASS_OF_OP[Op.writeZeroes] = OP_CLASSES.indexOf('write');

/** Index into `OP_CLASSES` of a request's `cmd_flags`. */
export function opClassIndex(cmdFlags: number): number {
  return CLASS_OF_OP[cmdFlags & OP_MASK]!;
}

export function opClass(cmdFlags: number): OpClass {
  return OP_CLASSES[opClassIndex(cmdFlags)]!;
}

/**
 * Whether the disk has to flush its cache before the request is issued: a write with `REQ_PREFLUSH`, as at the commit
 * of a journal (block/blk-flush.c).
 */
export function isAfterFlush({ cmdFlags }: { readonly cmdFlags: number }): boolean {
  return (cmdFlags & RequestFlag.preflush) !== 0 && (cmdFlags & OP_MASK) === Op.write;
}
