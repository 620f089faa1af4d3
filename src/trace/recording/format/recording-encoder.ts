import { deviceName } from '../../../model/device.ts';
import type { DeviceInfo } from '../../../model/device.ts';
import type { DiskBusy } from '../../../model/disk-busy.ts';
import type { CompletionColumns } from '../../../model/completion-columns.ts';
import type { IdentityTable } from '../../../model/identity-table.ts';
import type { KnownInFlight } from '../../../model/in-flight.ts';
import type { KnownNotes } from '../../../model/notes.ts';
import type { KnownPressure } from '../../../model/pressure.ts';
import type { CompletionSummary, SourceCounters } from '../../completion-summary.ts';
import type { Stretch } from '../../trace-reader.ts';
import { batchBytes, dictionaryBytes, schemaBytes } from './batch-bytes.ts';
import type { BatchNotes } from './batch-notes.ts';
import type { ColumnBody } from '../arrow/arrow-message.ts';
import { FileBook } from './file-book.ts';
import { InFlightChanges } from './in-flight-changes.ts';
import { BATCH_ROWS, MAX_BUSY, MAX_DEVICES } from './format.ts';
import { lostColumns } from './lost-columns.ts';
import type { Loss } from './lost-columns.ts';
import { IdentityBook } from './identity-book.ts';
import type { Names } from './identity-book.ts';
import { NoteChanges } from './note-changes.ts';
import { ProcessNotes } from './process-notes.ts';
import type { RecordingHeader } from './recording-header.ts';
import { PressureChanges } from './pressure-changes.ts';
import { RowBuffers } from './row-buffers.ts';
import { summaryColumns } from './summary-columns.ts';
import type { NumberedSummary } from './summary-columns.ts';

/**
 * An epoch ends after this many bytes. A damaged batch can make up to that much unreadable, as later batches lack
 * the identities that it defined.
 */
const EPOCH_BYTES = 16 << 20;
/** With many identities, epochs are longer, so that defining them again takes less than 1 % of the bytes. */
const EPOCH_BYTES_PER_KEY = 8192;

export interface EncoderParts {
  readonly header: RecordingHeader;
  readonly identities: IdentityTable;
  readonly names: Names & { readonly devices: { devices(): readonly DeviceInfo[] } };
  /** Stretch recorded so far, in ns since the start of the trace; unknown where absent. */
  readonly recorded?: (() => Stretch) | undefined;
  /** The notes of people. */
  readonly notes?: KnownNotes | undefined;
  /** The I/O in flight. */
  readonly inFlight?: KnownInFlight | undefined;
  /** How long tasks wait for storage meanwhile. */
  readonly pressure?: KnownPressure | undefined;
  /** Losses before the recording started; default: none. */
  readonly lossesBefore?: Losses | undefined;
  /** What another encoder has already written to the same file. */
  readonly written?: Written | undefined;
}

/** Cumulative since the start of the trace. */
export type Losses = Pick<SourceCounters, 'lost' | 'losses' | 'lostOn'>;

/** What a file contains, up to some batch. */
export interface Written {
  /** I/Os known individually, and aggregated ones. */
  readonly rows: number;
  readonly summarised: number;
  /** When the latest I/O completed, trace time in whole ns. */
  readonly latestNs: number;
  /** The losses since the start of the file. */
  readonly losses: Losses;
  /** The part of `losses` that has rows with a disk, by cause and disk. */
  readonly lostByDisk: ReadonlyMap<string, number>;
}

export const NO_LOSSES: Losses = { lost: 0, losses: {} };
export const NOTHING_WRITTEN: Written = {
  rows: 0,
  summarised: 0,
  latestNs: 0,
  losses: NO_LOSSES,
  lostByDisk: new Map(),
};

/** A finished batch; `pieces` resolves to its bytes when they are compressed. */
export interface EncodedBatch {
  /** Contents of the file including this batch. */
  readonly after: Written;
  /** Memory in use until `pieces` resolves. */
  readonly rawBytes: number;
  readonly pieces: Promise<Uint8Array[]>;
}

const RAW_BYTES_PER_ROW = 76;

/** Encodes I/O as the bytes of a recording, batch by batch. Independent of files. */
export class RecordingEncoder {
  private readonly book: IdentityBook;
  private readonly files: FileBook;
  private readonly spare: RowBuffers[] = [];
  private rows: RowBuffers;
  private summaries: CompletionSummary[] = [];
  private busy: DiskBusy[] = [];
  /** Includes all batches made so far. */
  private written: Written;
  private epochBytes = 0;
  private isEpochStart = true;
  private readonly writtenDevices = new Map<number, DeviceInfo>();
  private readonly namedCgroups = new Set<number>();
  /** Their names may become known later. */
  private readonly unnamedCgroups = new Set<number>();
  private readonly processNotes: ProcessNotes;
  private readonly noteChanges: NoteChanges;
  private readonly inFlight: InFlightChanges;
  private readonly pressure: PressureChanges;

  constructor(private readonly parts: EncoderParts) {
    const { header, identities, names, written = NOTHING_WRITTEN } = parts;
    this.written = written;
    this.processNotes = new ProcessNotes(names.processes);
    this.noteChanges = new NoteChanges(parts.notes, parts.recorded);
    const startNs = parts.recorded?.().startNs ?? -Infinity;
    this.inFlight = new InFlightChanges(parts.inFlight, startNs);
    this.pressure = new PressureChanges(parts.pressure, startNs);
    this.book = new IdentityBook(identities, names, header.unknown);
    this.files = new FileBook(identities.files);
    this.rows = new RowBuffers(header.clockBase.wallNs);
  }

  /** The first bytes of the stream. */
  begin(): Uint8Array {
    return schemaBytes(this.parts.header);
  }

  /** Appended I/Os that are not in a batch yet. */
  get waiting(): number {
    return this.rows.length + this.summaries.length;
  }

  /** Whether something other than I/O is not in a batch yet: a note, I/O in flight, busy time. */
  get hasNotes(): boolean {
    return this.noteChanges.isDue || this.inFlight.isDue || this.busy.length > 0;
  }

  /** Returns the batches that were filled by it. */
  append(rows: CompletionColumns): EncodedBatch[] {
    const full: EncodedBatch[] = [];
    let from = 0;
    for (;;) {
      from = this.rows.append(rows, from, this.book, this.files);
      if (from === rows.length) break;
      // Either the batch or the identity book is full.
      const isBookFull = this.rows.length < BATCH_ROWS;
      full.push(...this.flushRows());
      if (isBookFull) this.startEpoch();
    }
    return full;
  }

  /** Returns the batches that were filled by it. */
  appendSummary(summary: CompletionSummary): EncodedBatch[] {
    this.summaries.push(summary);
    if (this.summaries.length < SUMMARIES_PER_BATCH) return [];
    // A new epoch may start, which requires that no rows are open.
    return [...this.flushRows(), ...this.flushSummaries()];
  }

  /** Adds it to the next batch. */
  appendBusy(busy: DiskBusy): void {
    this.busy.push(busy);
  }

  /** Writes everything that is open. The losses so far are included, even if there is nothing else. */
  flush(losses: Losses | undefined): EncodedBatch[] {
    const done = [...this.flushRows(), ...this.flushSummaries()];
    if (losses !== undefined) done.push(...this.flushLosses(losses));
    if (done.length === 0 && losses !== undefined) done.push(this.encodeNothing());
    if (this.epochBytes > Math.max(EPOCH_BYTES, this.book.size * EPOCH_BYTES_PER_KEY))
      this.startEpoch();
    return done;
  }

  /** Requires that no rows are open, because those use numbers of the old epoch. */
  private startEpoch(): void {
    this.book.startEpoch();
    this.files.startEpoch();
    this.epochBytes = 0;
    this.isEpochStart = true;
    this.writtenDevices.clear();
    this.namedCgroups.clear();
    this.unnamedCgroups.clear();
    this.processNotes.startEpoch();
    this.inFlight.startEpoch();
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

  /** The buffers cannot be reused while they are being compressed. */
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
      if (this.book.number(first.identity) === undefined) this.startEpoch();
      done.push(this.encodeSummaries());
    }
  }

  private flushLosses(counted: Losses): EncodedBatch[] {
    const { latestNs, losses: before } = this.written;
    const now = since(counted, this.parts.lossesBefore ?? NO_LOSSES);
    const lostByDisk = new Map(this.written.lostByDisk);
    const losses = Object.entries(now.losses)
      .map(([name, count]) => ({ name, count: count - (before.losses[name] ?? 0) }))
      .flatMap((loss) => this.byDisk(loss, now, lostByDisk))
      .filter(({ count }) => count > 0);
    this.written = { ...this.written, losses: now, lostByDisk };
    if (losses.length === 0) return [];
    const { wallNs } = this.parts.header.clockBase;
    const columns = lostColumns(losses, this.book, wallNs + BigInt(latestNs));
    const shape = { isSummary: true, rows: losses.length, startNs: latestNs, endNs: latestNs };
    return [this.encode(columns, shape, {})];
  }

  /** Losses that belong to one disk, and the rest. */
  private byDisk(
    { name, count }: Loss,
    { lostOn = [] }: Losses,
    lostByDisk: Map<string, number>,
  ): Loss[] {
    let rest = count;
    const rows = lostOn
      .filter(({ way }) => way === name)
      .map(({ dev, count: total }) => {
        const id = `${name} ${dev}`;
        const fresh = Math.max(0, Math.min(rest, total - (lostByDisk.get(id) ?? 0)));
        lostByDisk.set(id, (lostByDisk.get(id) ?? 0) + fresh);
        rest -= fresh;
        return { name, count: fresh, disk: deviceName(this.parts.names.devices, dev) };
      });
    return [...rows, { name, count: rest }];
  }

  private encodeSummaries(): EncodedBatch {
    const { book, parts } = this;
    const taken: NumberedSummary[] = [];
    for (const summary of this.summaries.slice(0, SUMMARIES_PER_BATCH)) {
      const key = book.number(summary.identity);
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
      lostByDisk: before.lostByDisk,
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

  /** Includes the contents of the file up to here, so that each prefix of it has correct counts. */
  private notes(
    shape: BatchShape,
    rowsBefore: number,
    { rows, summarised, losses }: Written,
  ): Omit<BatchNotes, 'bodyBytes'> {
    const inFlight = this.inFlight.take(this.files);
    const { from, keys } = this.book.takeNew();
    const { from: filesFrom, files } = this.files.takeNew();
    const counters = { delivered: rows, summarised, ...losses };
    return {
      ...shape,
      startNs: Math.floor(shape.startNs),
      endNs: Math.ceil(shape.endNs),
      rowsBefore,
      epoch: this.book.epoch,
      keysFrom: from,
      keys,
      filesFrom,
      files,
      devices: this.newDevices(),
      cgroups: this.newCgroups(keys.map(({ cgroup }) => cgroup)),
      processes: this.processNotes.take(keys),
      userNotes: this.noteChanges.take(),
      inFlight,
      pressure: this.pressure.take(),
      cgroupPressure: this.pressure.takeCgroups(),
      busy: this.busy.splice(0, MAX_BUSY),
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
    const { writtenDevices } = this;
    const changed = this.parts.names.devices
      .devices()
      .filter((disk) => JSON.stringify(disk) !== JSON.stringify(writtenDevices.get(disk.dev)))
      .slice(0, MAX_DEVICES);
    for (const disk of changed) writtenDevices.set(disk.dev, disk);
    return changed;
  }

  private newCgroups(ids: readonly number[]): [number, string][] {
    const { namedCgroups, unnamedCgroups } = this;
    for (const id of ids) if (id > 0 && !namedCgroups.has(id)) unnamedCgroups.add(id);
    const found: [number, string][] = [];
    for (const id of unnamedCgroups) {
      const name = this.parts.names.cgroups.name(id);
      if (name === undefined) continue;
      unnamedCgroups.delete(id);
      namedCgroups.add(id);
      found.push([id, name]);
    }
    return found;
  }
}

type BatchShape = Pick<BatchNotes, 'isSummary' | 'rows' | 'startNs' | 'endNs'>;

/** A summary takes one or two kilobytes. */
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
