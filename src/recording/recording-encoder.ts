import { deviceName } from '../model/device.ts';
import type { DeviceInfo } from '../model/device.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { IdentityTable } from '../model/identity-table.ts';
import type { CompletionSummary, SourceCounters } from '../source/completion-summary.ts';
import type { Stretch } from '../source/trace-reader.ts';
import { batchBytes, dictionaryBytes, schemaBytes } from './batch-bytes.ts';
import type { BatchNotes } from './batch-notes.ts';
import type { ColumnBody } from './arrow-message.ts';
import { BATCH_ROWS } from './format.ts';
import { lostColumns } from './lost-columns.ts';
import type { Loss } from './lost-columns.ts';
import { KeyBook } from './key-book.ts';
import type { Names } from './key-book.ts';
import type { RecordingHeader } from './recording-header.ts';
import { RowBuffers } from './row-buffers.ts';
import { summaryColumns } from './summary-columns.ts';
import type { NumberedSummary } from './summary-columns.ts';

/**
 * An epoch ends after so many bytes: that much a damaged batch can take with it, as later ones lack
 * the keys that it defined.
 */
const EPOCH_BYTES = 16 << 20;
/** Where there are so many keys that naming them again would cost more than a hundredth. */
const EPOCH_BYTES_PER_KEY = 8192;

export interface EncoderParts {
  readonly header: RecordingHeader;
  readonly keys: IdentityTable;
  readonly names: Names & { readonly devices: { devices(): readonly DeviceInfo[] } };
  /** What is recorded by now, in ns since the start of the trace; where absent, nobody will know. */
  readonly recorded?: (() => Stretch) | undefined;
  /** What was lost before the recording began; by default nothing. */
  readonly lossesBefore?: Losses | undefined;
  /** Of a file to which another encoder has written before: what is in it. */
  readonly written?: Written | undefined;
}

/** Cumulative since the start of the trace. */
export type Losses = Pick<SourceCounters, 'lost' | 'losses' | 'lostOn'>;

/** What a file holds and says, up to some batch. */
export interface Written {
  /** Single I/Os, and those in sum. */
  readonly rows: number;
  readonly summarised: number;
  /** When the latest of them completed, trace time in whole ns. */
  readonly latestNs: number;
  /** Since the file began. */
  readonly losses: Losses;
  /** Of them those in a row of their disk, by way and disk. */
  readonly toldLostOn: ReadonlyMap<string, number>;
}

export const NO_LOSSES: Losses = { lost: 0, losses: {} };
export const NOTHING_WRITTEN: Written = {
  rows: 0,
  summarised: 0,
  latestNs: 0,
  losses: NO_LOSSES,
  toldLostOn: new Map(),
};

/** A finished batch: the pieces are its bytes, once they are compressed. */
export interface EncodedBatch {
  /** What the file holds with it. */
  readonly after: Written;
  /** Memory held until `pieces` is there. */
  readonly rawBytes: number;
  readonly pieces: Promise<Uint8Array[]>;
}

const RAW_BYTES_PER_ROW = 64;

/** Turns I/O into the bytes of a recording, batch by batch. Knows nothing of files. */
export class RecordingEncoder {
  private readonly book: KeyBook;
  private readonly spare: RowBuffers[] = [];
  private rows: RowBuffers;
  private summaries: CompletionSummary[] = [];
  /** With all batches made so far. */
  private written: Written;
  private epochBytes = 0;
  private isEpochStart = true;
  private readonly toldDevices = new Map<number, DeviceInfo>();
  private readonly toldCgroups = new Map<number, string>();

  constructor(private readonly parts: EncoderParts) {
    const { header, keys, names, written = NOTHING_WRITTEN } = parts;
    this.written = written;
    this.book = new KeyBook(keys, names, header.unknown);
    this.rows = new RowBuffers(header.clockBase.wallNs);
  }

  /** How the stream begins. */
  begin(): Uint8Array {
    return schemaBytes(this.parts.header);
  }

  /** What has been appended and is in no batch yet. */
  get waiting(): number {
    return this.rows.length + this.summaries.length;
  }

  /** Returns the batches that became full. */
  append(rows: CompletionColumns): EncodedBatch[] {
    const full: EncodedBatch[] = [];
    let from = 0;
    for (;;) {
      from = this.rows.append(rows, from, this.book);
      if (from === rows.length) break;
      // Either the batch or the book of keys is full.
      const isBookFull = this.rows.length < BATCH_ROWS;
      full.push(...this.flushRows());
      if (isBookFull) this.startEpoch();
    }
    return full;
  }

  /** Returns the batches that became full. */
  appendSummary(summary: CompletionSummary): EncodedBatch[] {
    this.summaries.push(summary);
    if (this.summaries.length < SUMMARIES_PER_BATCH) return [];
    // A new epoch of keys may begin, which rows must not be open for.
    return [...this.flushRows(), ...this.flushSummaries()];
  }

  /** Closes what is open. What was lost by now travels along, also when nothing else does. */
  flush(losses: Losses | undefined): EncodedBatch[] {
    const done = [...this.flushRows(), ...this.flushSummaries()];
    if (losses !== undefined) done.push(...this.flushLosses(losses));
    if (done.length === 0 && losses !== undefined) done.push(this.encodeNothing());
    if (this.epochBytes > Math.max(EPOCH_BYTES, this.book.size * EPOCH_BYTES_PER_KEY))
      this.startEpoch();
    return done;
  }

  /** Only when no rows are open: those are numbered in the old one. */
  private startEpoch(): void {
    this.book.startEpoch();
    this.epochBytes = 0;
    this.isEpochStart = true;
    this.toldDevices.clear();
    this.toldCgroups.clear();
  }

  private flushRows(): EncodedBatch[] {
    const { rows, book, parts } = this;
    if (rows.length === 0) return [];
    const columns = rows.columns(book, parts.header.unknown.includes('bytes'));
    const { length, startNs, endNs } = rows;
    const shape = { isSummary: false, rows: length, startNs, endNs };
    const encoded = this.encode(columns, shape, { rows: length });
    this.reuseAfter(rows, encoded.pieces);
    this.rows = this.spare.pop() ?? new RowBuffers(parts.header.clockBase.wallNs);
    return [encoded];
  }

  /** The buffers are read while they are being compressed. */
  private reuseAfter(rows: RowBuffers, pieces: Promise<unknown>): void {
    const reuse = (): void => {
      rows.clear();
      this.spare.push(rows);
    };
    pieces.then(reuse, reuse);
  }

  private flushSummaries(): EncodedBatch[] {
    const done: EncodedBatch[] = [];
    for (;;) {
      const [first] = this.summaries;
      if (first === undefined) return done;
      if (this.book.number(first.key) === undefined) this.startEpoch();
      done.push(this.encodeSummaries());
    }
  }

  private flushLosses(told: Losses): EncodedBatch[] {
    const { latestNs, losses: before } = this.written;
    const now = since(told, this.parts.lossesBefore ?? NO_LOSSES);
    const toldLostOn = new Map(this.written.toldLostOn);
    const losses = Object.entries(now.losses)
      .map(([name, count]) => ({ name, count: count - (before.losses[name] ?? 0) }))
      .flatMap((loss) => this.byDisk(loss, now, toldLostOn))
      .filter(({ count }) => count > 0);
    this.written = { ...this.written, losses: now, toldLostOn };
    if (losses.length === 0) return [];
    const { wallNs } = this.parts.header.clockBase;
    const columns = lostColumns(losses, this.book, wallNs + BigInt(latestNs));
    const shape = { isSummary: true, rows: losses.length, startNs: latestNs, endNs: latestNs };
    return [this.encode(columns, shape, {})];
  }

  /** What is of one disk each, and the rest. */
  private byDisk(
    { name, count }: Loss,
    { lostOn = [] }: Losses,
    told: Map<string, number>,
  ): Loss[] {
    let rest = count;
    const rows = lostOn
      .filter(({ way }) => way === name)
      .map(({ dev, count: total }) => {
        const id = `${name} ${dev}`;
        const fresh = Math.max(0, Math.min(rest, total - (told.get(id) ?? 0)));
        told.set(id, (told.get(id) ?? 0) + fresh);
        rest -= fresh;
        return { name, count: fresh, disk: deviceName(this.parts.names.devices, dev) };
      });
    return [...rows, { name, count: rest }];
  }

  private encodeSummaries(): EncodedBatch {
    const { book, parts } = this;
    const taken: NumberedSummary[] = [];
    for (const summary of this.summaries.slice(0, SUMMARIES_PER_BATCH)) {
      const key = book.number(summary.key);
      if (key === undefined) break;
      taken.push({ summary, key });
    }
    this.summaries = this.summaries.slice(taken.length);
    const columns = summaryColumns(taken, book, parts.header.clockBase.wallNs);
    const shape = {
      isSummary: true,
      rows: taken.length,
      startNs: taken.reduce((least, { summary }) => Math.min(least, summary.startNs), Infinity),
      endNs: taken.reduce((most, { summary }) => Math.max(most, summary.endNs), -Infinity),
    };
    const summarised = taken.reduce((sum, { summary }) => sum + summary.count, 0);
    return this.encode(columns, shape, { summarised });
  }

  private encodeNothing(): EncodedBatch {
    const columns = this.rows.columns(this.book, false);
    return this.encode(columns, { isSummary: false, rows: 0, startNs: 0, endNs: 0 }, {});
  }

  private encode(
    columns: readonly ColumnBody[],
    shape: BatchShape,
    { rows = 0, summarised = 0 }: { readonly rows?: number; readonly summarised?: number },
  ): EncodedBatch {
    const before = this.written;
    const endNs = shape.rows > 0 ? Math.ceil(shape.endNs) : 0;
    const after = {
      rows: before.rows + rows,
      summarised: before.summarised + summarised,
      latestNs: Math.max(before.latestNs, endNs),
      losses: before.losses,
      toldLostOn: before.toldLostOn,
    };
    const notes = this.notes(shape, before.rows, after);
    this.written = after;
    const dictionaries = this.book.texts.flatMap((texts, id) => {
      const changed = texts.takeChanged();
      return changed === undefined ? [] : dictionaryBytes(id, changed);
    });
    const pieces = batchBytes(columns, notes).then((batch) => [...dictionaries, ...batch]);
    this.isEpochStart = false;
    const rawBytes = shape.rows * RAW_BYTES_PER_ROW;
    this.epochBytes += rawBytes;
    return { after, rawBytes, pieces };
  }

  /** With what the file holds up to here, so that each prefix of it is true to its own counts. */
  private notes(
    shape: BatchShape,
    rowsBefore: number,
    { rows, summarised, losses }: Written,
  ): Omit<BatchNotes, 'bodyBytes'> {
    const { from, keys } = this.book.takeNew();
    const counters = { delivered: rows, summarised, ...losses };
    return {
      ...shape,
      startNs: Math.floor(shape.startNs),
      endNs: Math.ceil(shape.endNs),
      rowsBefore,
      epoch: this.book.epoch,
      keysFrom: from,
      keys,
      devices: this.newDevices(),
      cgroups: this.newCgroups(keys.map(({ cgroup }) => cgroup)),
      counters,
      recorded: this.recorded(),
      header: this.isEpochStart ? this.parts.header : undefined,
    };
  }

  private recorded(): Stretch | undefined {
    const stretch = this.parts.recorded?.();
    if (stretch === undefined) return undefined;
    const startNs = Math.floor(stretch.startNs);
    return { startNs, endNs: Math.max(startNs, Math.ceil(stretch.endNs)) };
  }

  private newDevices(): DeviceInfo[] {
    const { toldDevices } = this;
    const changed = this.parts.names.devices
      .devices()
      .filter((disk) => JSON.stringify(disk) !== JSON.stringify(toldDevices.get(disk.dev)));
    for (const disk of changed) toldDevices.set(disk.dev, disk);
    return changed;
  }

  private newCgroups(ids: readonly number[]): [number, string][] {
    const found: [number, string][] = [];
    for (const id of new Set(ids)) {
      const name =
        id > 0 && !this.toldCgroups.has(id) ? this.parts.names.cgroups.name(id) : undefined;
      if (name === undefined) continue;
      this.toldCgroups.set(id, name);
      found.push([id, name]);
    }
    return found;
  }
}

type BatchShape = Pick<BatchNotes, 'isSummary' | 'rows' | 'startNs' | 'endNs'>;

/** A summary takes a kilobyte or two. */
const SUMMARIES_PER_BATCH = 1024;

function since({ lost, losses, lostOn }: Losses, before: Losses): Losses {
  const less = (count: number, earlier = 0): number => Math.max(0, count - earlier);
  const own: Record<string, number> = {};
  for (const [name, count] of Object.entries(losses)) own[name] = less(count, before.losses[name]);
  const ownOn = lostOn?.map((loss) => {
    const earlier = before.lostOn?.find(({ dev, way }) => dev === loss.dev && way === loss.way);
    return { ...loss, count: less(loss.count, earlier?.count) };
  });
  return {
    lost: less(lost, before.lost),
    losses: own,
    ...(ownOn !== undefined && { lostOn: ownOn }),
  };
}
