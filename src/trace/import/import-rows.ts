import type { ImportedIo } from './imported-io.ts';
import { createColumns } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { Op, OP_MASK, OP_UNKNOWN } from '../../model/operation.ts';
import { IdentityMark } from '../../model/identity-table.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { decodeText, keepName } from './log-text.ts';
import type { UnknownFields } from './unknown-fields.ts';

const ROWS = 4096;

/** A longer latency is a counter that wrapped: 2^53 ns are 104 days. */
const LONGEST_NS = 2 ** 53;
const BYTES_MAX = 0xffff_ffff;
const SECTORS = 2 ** 53;

/** Size of the cache of identities; it is emptied when full, and identities are then interned again. */
const CACHED_IDENTITIES = 1 << 15;

/** Rows that wait to be read. */
export class ImportRows {
  readonly columns: CompletionColumns = createColumns(ROWS);
  private readonly cache = new Map<string, number>();

  constructor(
    private readonly identities: IdentityTable,
    private readonly fields: UnknownFields,
  ) {}

  readonly capacity = ROWS;

  /**
   * Adds a row, for which there must be room. False for an impossible I/O: an invalid time, or more bytes than a
   * request can have.
   */
  add(io: ImportedIo): boolean {
    const { columns } = this;
    if (!(Math.abs(io.completeNs) < LONGEST_NS) || !(io.bytes <= BYTES_MAX)) return false;
    this.fields.note(io);
    const row = columns.length++;
    columns.completeNs[row] = io.completeNs;
    columns.deviceNs[row] = duration(io.deviceNs);
    columns.queueNs[row] = duration(io.queueNs);
    columns.sector[row] = io.sector >= 0 && io.sector < SECTORS ? io.sector : NaN;
    columns.bytes[row] = io.bytes;
    columns.identity[row] = this.identityOf(io);
    return true;
  }

  private identityOf(io: ImportedIo): number {
    const { dev, cmdFlags, error, owner, unknown } = io;
    const id =
      owner === undefined
        ? `${dev} ${cmdFlags} ${error} ${unknown}`
        : `${dev} ${cmdFlags} ${error} ${unknown} ${owner.tgid} ${owner.tid} ${owner.comm}`;
    const before = this.cache.get(id);
    if (before !== undefined) return before;
    if (this.cache.size >= CACHED_IDENTITIES) this.cache.clear();
    const marks = unknown | (owner === undefined ? IdentityMark.ownerUnknown : marksOf(owner.comm));
    const { tgid, tid, comm } = owner ?? { tgid: 0, tid: 0, comm: '' };
    const identity = {
      dev,
      cmdFlags,
      tgid,
      tid,
      comm: decodeText(keepName(comm)),
      cgroup: 0,
      error,
      marks,
    };
    const index = this.identities.intern(identity);
    this.cache.set(id, index);
    return index;
  }
}

function duration(ns: number): number {
  return ns >= 0 && ns < LONGEST_NS ? ns : NaN;
}

/** Logs do not mark kernel threads; workers of writeback are recognized by name. */
function marksOf(comm: string): number {
  return comm.startsWith('kworker/') ? IdentityMark.indirect : 0;
}

/** A request without offset and size is a flush, whatever letter a log has for it. */
export function opOfEmpty(cmdFlags: number, sector: number, bytes: number): number {
  const op = cmdFlags & OP_MASK;
  const hasNothing = bytes === 0 && !(sector >= 0 && sector < SECTORS);
  return hasNothing && op !== OP_UNKNOWN ? (cmdFlags & ~OP_MASK) | Op.flush : cmdFlags;
}
