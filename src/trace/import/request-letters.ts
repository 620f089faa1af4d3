import { Op, OP_UNKNOWN, RequestFlag } from '../../model/operation.ts';

const OPS: Readonly<Record<string, number>> = {
  R: Op.read,
  W: Op.write,
  D: Op.discard,
  F: Op.flush,
  N: OP_UNKNOWN,
  Z: OP_UNKNOWN,
};

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
  const at = hasPreflush ? 1 : 0;
  let cmdFlags = opOf(letters, at) | (hasPreflush ? RequestFlag.preflush : 0);
  for (const letter of letters.slice(at + 1)) cmdFlags |= FLAGS[letter] ?? 0;
  return cmdFlags;
}

function opOf(letters: string, at: number): number {
  // A flush carries no data, and blkparse has no letter for its operation: `FN`.
  if (at === 1 && letters[1] === 'N') return Op.flush;
  if (letters.startsWith('DE', at)) return Op.secureErase;
  if (letters.startsWith('WZ', at)) return Op.writeZeroes;
  return OPS[letters[at] ?? ''] ?? OP_UNKNOWN;
}
