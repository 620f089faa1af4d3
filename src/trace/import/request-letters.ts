import { Op, OP_UNKNOWN, RequestFlag } from '../../model/operation.ts';

const OPS: Readonly<Record<string, number>> = {
  R: Op.read,
  W: Op.write,
  WZ: Op.writeZeroes,
  D: Op.discard,
  DE: Op.secureErase,
  F: Op.flush,
};

/** The operation; zone operations, since Linux 6.18, have letters that are flags after others: `ZA`, `ZF`, `ZRA`. */
const OP = /^(?:WZ|DE|ZRA|Z[ARFOC]|[RWDFNZ])/;

const FLAGS: Readonly<Record<string, number>> = {
  F: RequestFlag.fua,
  A: RequestFlag.readAhead,
  S: RequestFlag.sync,
  M: RequestFlag.meta,
};

const known = new Map<string, number>();

/** More spellings than the kernel has are hostile, and are not cached. */
const KEPT_SPELLINGS = 1024;

/**
 * Parses the letters that `blk_fill_rwbs` in kernel/trace/blktrace.c prints, into `cmd_flags`: a preflush, the
 * operation, then FUA, read-ahead, sync, meta. Undefined when they are invalid.
 */
export function parseLetters(letters: string): number | undefined {
  const before = known.get(letters);
  if (before !== undefined) return before;
  const cmdFlags = /^F?[RWDFNZ][A-Z]{0,7}$/.test(letters) ? read(letters) : undefined;
  if (cmdFlags !== undefined && known.size < KEPT_SPELLINGS) known.set(letters, cmdFlags);
  return cmdFlags;
}

function read(letters: string): number {
  const hasPreflush = /^F[RWDFNZ]/.test(letters);
  const after = hasPreflush ? letters.slice(1) : letters;
  const op = OP.exec(after)![0];
  // A flush carries no data, and blkparse has no letter for its operation: `FN`.
  const isFlush = hasPreflush && op === 'N';
  let cmdFlags = isFlush ? Op.flush : (OPS[op] ?? OP_UNKNOWN);
  if (hasPreflush) cmdFlags |= RequestFlag.preflush;
  for (const letter of after.slice(op.length)) cmdFlags |= FLAGS[letter] ?? 0;
  return cmdFlags;
}
