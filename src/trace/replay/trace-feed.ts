import { appendRows } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { DiskBusy } from '../../model/disk-busy.ts';
import type { CompletionSummary, DiskLoss, SourceCounters } from '../completion-summary.ts';
import type { Stretch, TraceChunk, TraceReader } from '../trace-reader.ts';

/** A stretch without a recording, in ns on the axis of the replay. */
export interface Gap {
  readonly startNs: number;
  readonly endNs: number;
}

/** How one trace is placed in a replay of several. */
export interface Placement {
  /** Is added to the times of the trace. */
  readonly offsetNs: number;
  /** Maps the trace's identities to those of the replay; absent when they are the same. */
  readonly identityOf?: (identity: number) => number;
  /** Does the same for the values of the column `file`; present together with `identityOf`. */
  readonly fileOf?: (file: number) => number;
  /** Maps its device numbers to those of the replay; absent if they stay the same. */
  readonly devOf?: (dev: number) => number;
}

/** Maximum chunks per call, because many may contain only aggregates. */
const CHUNKS_PER_TAKE = 16;

/** Returns one trace up to a given time, on the time axis of the replay. */
export class TraceFeed {
  readonly gaps: Gap[] = [];
  state: 'open' | 'waiting' | 'ended' = 'open';
  /** Time of the latest returned row or aggregate; -Infinity before the first. */
  lastNs = -Infinity;
  /** As last reported by the trace. */
  counters: SourceCounters | undefined;
  private chunk: TraceChunk | undefined;
  /** Next row of the chunk. */
  private position = 0;
  private summaries: CompletionSummary[] = [];
  private busy: DiskBusy[] = [];
  private readonly firstNs: number;

  constructor(
    readonly reader: TraceReader,
    private readonly placement: Placement,
  ) {
    const { extent } = reader.header;
    this.firstNs = placement.offsetNs + (extent?.startNs ?? 0);
  }

  /** Lower bound of the following times, except for rows out of order. Infinity at the end. */
  get nextNs(): number {
    const { chunk } = this;
    if (chunk !== undefined && this.position < chunk.rows.length)
      return chunk.rows.completeNs[this.position]! + this.offsetNs;
    return this.state === 'ended' ? Infinity : Math.max(this.firstNs, this.lastNs);
  }

  /** End according to its header. */
  get claimedEndNs(): number | undefined {
    const { extent } = this.reader.header;
    return extent && this.offsetNs + extent.endNs;
  }

  /**
   * When it was recorded: according to its reader after the last I/O, before that according to its header. The end is
   * Infinity if neither knows.
   */
  get stretch(): Stretch {
    const { recorded } = this.reader;
    if (this.state !== 'ended' || recorded === undefined)
      return { startNs: this.firstNs, endNs: this.claimedEndNs ?? Infinity };
    return {
      startNs: recorded.startNs + this.offsetNs,
      endNs: recorded.endNs + this.offsetNs,
    };
  }

  /** The losses so far whose disk is known. */
  get lostOn(): readonly DiskLoss[] {
    const { devOf } = this.placement;
    const lostOn = this.counters?.lostOn ?? [];
    return devOf === undefined ? lostOn : lostOn.map((loss) => ({ ...loss, dev: devOf(loss.dev) }));
  }

  get isEnded(): boolean {
    return this.state === 'ended' && this.chunk === undefined && this.summaries.length === 0;
  }

  private get offsetNs(): number {
    return this.placement.offsetNs;
  }

  /** Appends rows until a time, or until the target is full. False when there may be more. */
  take(target: CompletionColumns, untilNs: number): boolean {
    if (this.state === 'waiting') this.state = 'open';
    for (let chunks = 0; chunks < CHUNKS_PER_TAKE; chunks++) {
      if (this.chunk === undefined && !this.load(untilNs)) return true;
      if (!this.takeRows(target, untilNs)) return target.length < target.identity.length;
    }
    return false;
  }

  /**
   * The rest of a chunk without copying: valid until the next call. Undefined when rows must be copied, or when
   * there are none.
   */
  takeWhole(): CompletionColumns | undefined {
    if (this.offsetNs !== 0 || this.placement.identityOf !== undefined) return undefined;
    if (this.state === 'waiting') this.state = 'open';
    if (this.chunk === undefined && !this.load(Infinity)) return undefined;
    const { rows, counters } = this.chunk!;
    if (rows.length === 0) return undefined;
    this.note(rows.completeNs[rows.length - 1]!);
    this.chunk = undefined;
    this.counters = counters ?? this.counters;
    return this.position === 0 ? rows : rowsFrom(rows, this.position);
  }

  /** The aggregates that end by `untilNs`. */
  takeSummaries(untilNs: number): CompletionSummary[] {
    if (this.summaries.length === 0) return [];
    const due = this.summaries.filter(({ endNs }) => endNs <= untilNs);
    if (due.length > 0) this.summaries = this.summaries.filter(({ endNs }) => endNs > untilNs);
    for (const { endNs } of due) this.note(endNs);
    return due;
  }

  /** The busy stretches that end by `untilNs`. */
  takeBusy(untilNs: number): readonly DiskBusy[] {
    if (this.busy.length === 0) return [];
    const due = this.busy.filter(({ toNs }) => toNs <= untilNs);
    if (due.length > 0) this.busy = this.busy.filter(({ toNs }) => toNs > untilNs);
    return due;
  }

  /** Whether there is a chunk with rows now. Reads ahead only while aggregates end by `untilNs`. */
  private load(untilNs: number): boolean {
    if (this.state !== 'open' || (this.summaries.at(-1)?.startNs ?? -Infinity) > untilNs)
      return false;
    if (this.lastNs === -Infinity && this.firstNs > untilNs) return false;
    const next = this.reader.next();
    if (typeof next === 'string') this.state = next;
    else this.accept(next);
    return typeof next !== 'string';
  }

  private accept(chunk: TraceChunk): void {
    const { offsetNs } = this;
    this.chunk = chunk;
    this.position = 0;
    for (const summary of chunk.summaries) this.summaries.push(this.place(summary));
    for (const busy of chunk.busy ?? []) this.busy.push(this.placeBusy(busy));
    if (chunk.gap === undefined) return;
    const { startNs, endNs } = chunk.gap;
    this.gaps.push({ startNs: startNs + offsetNs, endNs: endNs + offsetNs });
  }

  private place(summary: CompletionSummary): CompletionSummary {
    const { offsetNs, identityOf } = this.placement;
    const { startNs, endNs } = summary;
    const identity = identityOf === undefined ? summary.identity : identityOf(summary.identity);
    return { ...summary, identity, startNs: startNs + offsetNs, endNs: endNs + offsetNs };
  }

  private placeBusy({ dev, fromNs, toNs, busyNs }: DiskBusy): DiskBusy {
    const { offsetNs, devOf } = this.placement;
    const times = { fromNs: fromNs + offsetNs, toNs: toNs + offsetNs, busyNs };
    return { dev: devOf?.(dev) ?? dev, ...times };
  }

  /** Appends rows of the chunk; returns whether it is used up. */
  private takeRows(target: CompletionColumns, untilNs: number): boolean {
    const { rows, counters } = this.chunk!;
    const from = this.position;
    const room = target.identity.length - target.length;
    const to = endOf(rows, from, Math.min(rows.length, from + room), untilNs - this.offsetNs);
    if (to > from) {
      appendRows(target, rows, from, to);
      this.translate(target, target.length - (to - from));
      this.note(target.completeNs[target.length - 1]!);
    }
    this.position = to;
    if (to < rows.length) return false;
    this.chunk = undefined;
    this.counters = counters ?? this.counters;
    return true;
  }

  private translate(rows: CompletionColumns, from: number): void {
    const { completeNs, identity, file, length } = rows;
    const { offsetNs, identityOf, fileOf } = this.placement;
    if (offsetNs !== 0) for (let row = from; row < length; row++) completeNs[row]! += offsetNs;
    if (identityOf === undefined) return;
    for (let row = from; row < length; row++) identity[row] = identityOf(identity[row]!);
    if (fileOf !== undefined)
      for (let row = from; row < length; row++) file[row] = fileOf(file[row]!);
  }

  private note(atNs: number): void {
    if (atNs > this.lastNs) this.lastNs = atNs;
  }
}

/** Shares memory with `rows`, starting at row `from`. */
function rowsFrom(rows: CompletionColumns, from: number): CompletionColumns {
  return {
    length: rows.length - from,
    completeNs: rows.completeNs.subarray(from),
    deviceNs: rows.deviceNs.subarray(from),
    queueNs: rows.queueNs.subarray(from),
    sector: rows.sector.subarray(from),
    bytes: rows.bytes.subarray(from),
    identity: rows.identity.subarray(from),
    file: rows.file.subarray(from),
    fileOffset: rows.fileOffset.subarray(from),
    result: rows.result.subarray(from),
  };
}

/** The first row, between `from` and `to`, that completed after a time. */
function endOf(
  { completeNs }: CompletionColumns,
  from: number,
  to: number,
  untilNs: number,
): number {
  if (untilNs === Infinity) return to;
  let row = from;
  while (row < to && completeNs[row]! <= untilNs) row++;
  return row;
}
