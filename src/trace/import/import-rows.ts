import type { ImportedIo } from './imported-io.ts';
import { createColumns, LATENCIES_NS } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { Op, OP_MASK, OP_UNKNOWN } from '../../model/operation.ts';
import { IdentityMark } from '../../model/identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { decodeText, keepName } from './log-text.ts';
import type { UnknownFields } from './unknown-fields.ts';

const ROWS = 4096;

/** Times of a trace are below, so that doubles are exact. */
export const TIMES_NS = 2 ** 53;
const BYTES_MAX = 0xffff_ffff;
const SECTORS = 2 ** 53;
/** Larger offsets in a file are not exact. */
const FILE_BYTES = 2 ** 53;
/** The kernel prints 2^64 - 1 where there is no sector, and some tools -1. */
const NO_SECTORS: readonly number[] = [2 ** 64, -1];
const PID_MAX = 0x7fff_ffff;

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
   * Adds a row, for which there must be room. False for an impossible I/O: a time or latency that no trace has, more
   * bytes than a request can have, or a place beyond any disk.
   */
  add(io: ImportedIo): boolean {
    const { columns } = this;
    if (!isPossible(io)) return false;
    this.fields.note(io);
    const row = columns.length++;
    columns.completeNs[row] = io.completeNs;
    columns.deviceNs[row] = duration(io.totalNs ?? io.deviceNs);
    columns.queueNs[row] = io.totalNs === undefined ? duration(io.queueNs) : 0;
    columns.sector[row] = io.sector >= 0 && io.sector < SECTORS ? io.sector : NaN;
    columns.fileOffset[row] = io.fileOffset ?? NaN;
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

/** Lines of different processors may be out of order by less than a latency is long, which is then unknown. */
function duration(ns: number): number {
  return ns >= 0 ? ns : NaN;
}

function isPossible(io: ImportedIo): boolean {
  const { completeNs, deviceNs, queueNs, totalNs = NaN, sector, bytes, owner } = io;
  const { fileOffset = NaN } = io;
  return (
    Math.abs(completeNs) < TIMES_NS &&
    bytes >= 0 &&
    bytes <= BYTES_MAX &&
    ![deviceNs, queueNs, totalNs].some((ns) => ns >= LATENCIES_NS) &&
    !(fileOffset >= FILE_BYTES) &&
    (Number.isNaN(sector) || isPossibleSector(sector)) &&
    (owner === undefined || (owner.tgid <= PID_MAX && owner.tid <= PID_MAX))
  );
}

/** Whether a disk may have it, or it stands for none. */
export function isPossibleSector(sector: number): boolean {
  return (sector >= 0 && sector < SECTORS) || NO_SECTORS.includes(sector);
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
