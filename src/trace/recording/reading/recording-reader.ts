import type { CgroupNames } from '../../../model/cgroup-names.ts';
import type { DeviceInfo } from '../../../model/device.ts';
import { ProcessBook } from '../../../model/known-processes.ts';
import type { KnownInFlight } from '../../../model/in-flight.ts';
import { InFlightBook } from '../../../model/in-flight-book.ts';
import { NoteBook } from '../../../model/notes.ts';
import { MachinePressure } from '../../../model/machine-pressure.ts';
import type { KnownPressure } from '../../../model/pressure.ts';
import { createColumns } from '../../../model/completion-columns.ts';
import type { IdentityTable } from '../../../model/identity-table.ts';
import type {
  Stretch,
  TraceChunk,
  TraceExtent,
  TraceHeader,
  TraceProblem,
  TraceReader,
} from '../../trace-reader.ts';
import type { BatchNotes } from '../format/batch-notes.ts';
import { KnownFiles } from '../format/file-book.ts';
import type { ByteSource } from './byte-source.ts';
import { BatchDecoder, decodeSummaries } from '../format/decode-batch.ts';
import { DamagedError } from '../arrow/flat-reader.ts';
import { EPOCH_KEYS, MAX_CGROUPS, MAX_DEVICES, MAX_PROCESSES } from '../format/format.ts';
import { MessageScanner } from './message-scanner.ts';
import type { Message } from './message-scanner.ts';
import { ProblemList } from './problem-list.ts';
import type { RecordingHeader } from '../format/recording-header.ts';
import { undivided } from './undivided.ts';

export interface RecordingParts {
  readonly source: ByteSource;
  readonly header: RecordingHeader;
  readonly identities: IdentityTable;
  readonly extent?: TraceExtent | undefined;
  /** Position of the first message after the schema. */
  readonly startAt: number;
  readonly dispose: () => void;
}

const NO_ROWS = createColumns(0);

/** Reads a recording as a trace, batch by batch; damaged parts are skipped and reported. */
export class RecordingReader implements TraceReader {
  readonly header: TraceHeader;
  private readonly scanner: MessageScanner;
  private readonly problemList = new ProblemList();
  private readonly decoder = new BatchDecoder();
  private readonly disks = new Map<number, DeviceInfo>();
  private diskList: readonly DeviceInfo[] = [];
  private readonly cgroupNames = new Map<number, string>();
  readonly processes = new ProcessBook(MAX_PROCESSES);
  readonly notes = new NoteBook();
  private readonly inFlightBook = new InFlightBook();
  private knowsInFlight = false;
  private machinePressure: MachinePressure | undefined;
  private readonly files: KnownFiles;
  private epochKeys = new Uint32Array(64);
  private keyCount = 0;
  /** Whether some identities of the epoch are of calls, which have results. */
  private hasResults = false;
  /** The number of the epoch whose identities are known; NaN until the start of an epoch has been read. */
  private epoch = NaN;
  private rowsSeen = 0;
  /** When the latest I/O read so far completed, and whether any batch after it is missing. */
  private readUntilNs = -Infinity;
  private hasHole = false;
  private recordedSoFar: Stretch | undefined;
  readonly cgroups: CgroupNames = { name: (id) => this.cgroupNames.get(id) };

  constructor(private readonly parts: RecordingParts) {
    const { source, header, extent, startAt } = parts;
    const { writer, host, kernel, clockBase, hasWallClock, recordedOnly, unknown } = header;
    const { recorderTgid, latency } = header;
    this.files = new KnownFiles(parts.identities.files);
    this.header = {
      kind: 'recording',
      ...{ writer, host, kernel, clockBase, hasWallClock, recordedOnly, unknown },
      ...(latency !== undefined && { latency }),
      ...(recorderTgid !== undefined && { recorderTgid }),
      ...(extent !== undefined && { extent }),
    };
    this.scanner = new MessageScanner(source, this.problemList);
    this.scanner.moveTo(startAt);
  }

  next(): TraceChunk | 'waiting' | 'ended' {
    for (;;) {
      const message = this.scanner.next();
      if (message === 'waiting' || message === 'ended') return message;
      if (message.notes === undefined) continue;
      const chunk = this.take(message, message.notes);
      if (chunk !== undefined) return this.withGap(undivided(chunk, this.header), message.notes);
      this.hasHole = true;
    }
  }

  devices(): readonly DeviceInfo[] {
    return this.diskList;
  }

  problems(): readonly TraceProblem[] {
    return this.problemList.all();
  }

  dispose(): void {
    this.parts.dispose();
  }

  /** Learns the disks that the notes of a batch name, before the batch is read. */
  learnDevices(devices: readonly DeviceInfo[]): void {
    for (const disk of devices)
      if (this.disks.size < MAX_DEVICES || this.disks.has(disk.dev)) this.disks.set(disk.dev, disk);
    if (devices.length > 0) this.diskList = [...this.disks.values()];
  }

  /** According to the batches read so far. */
  get recorded(): Stretch | undefined {
    return this.recordedSoFar;
  }

  /** Undefined in recordings by earlier versions, and of sources that do not know it. */
  get inFlight(): KnownInFlight | undefined {
    return this.knowsInFlight ? this.inFlightBook : undefined;
  }

  /** As `inFlight`. */
  get pressure(): KnownPressure | undefined {
    return this.machinePressure;
  }

  private take(message: Message, notes: BatchNotes): TraceChunk | undefined {
    const knownUntilNs = this.recordedSoFar?.endNs ?? this.readUntilNs;
    this.noteRecorded(notes.recorded);
    this.countMissing(message, notes);
    this.learnDevices(notes.devices);
    for (const [id, name] of notes.cgroups)
      if (this.cgroupNames.size < MAX_CGROUPS) this.cgroupNames.set(id, name);
    for (const { tgid, comm, ...facts } of notes.processes) this.processes.add(tgid, comm, facts);
    for (const { atNs, text } of notes.userNotes) this.notes.put(atNs, text);
    if (notes.pressure !== undefined) this.machinePressure ??= new MachinePressure();
    for (const sample of notes.pressure ?? []) this.machinePressure?.put(sample);
    for (const sample of notes.cgroupPressure) this.machinePressure?.putCgroup(sample);
    if (!this.learnNames(notes)) {
      this.problemList.add(
        'I/Os of processes named in a damaged part are missing',
        message.at,
        notes.rows,
      );
      return undefined;
    }
    this.learnInFlight(notes, knownUntilNs);
    return this.decode(message, notes);
  }

  private noteRecorded(stretch: Stretch | undefined): void {
    const before = this.recordedSoFar;
    if (stretch === undefined) return;
    const startNs = Math.min(before?.startNs ?? Infinity, stretch.startNs);
    this.recordedSoFar = { startNs, endNs: Math.max(before?.endNs ?? -Infinity, stretch.endNs) };
  }

  /** The gap reaches from the last I/O before the missing part to the first one after it. */
  private withGap(chunk: TraceChunk, { rows, startNs, endNs }: BatchNotes): TraceChunk {
    if (rows === 0) return chunk;
    const { hasHole, readUntilNs } = this;
    this.hasHole = false;
    this.readUntilNs = Math.max(readUntilNs, endNs);
    const isGap = hasHole && readUntilNs > -Infinity && startNs > readUntilNs;
    return isGap ? { ...chunk, gap: { startNs: readUntilNs, endNs: startNs } } : chunk;
  }

  private countMissing({ at }: Message, { isSummary, rows, rowsBefore }: BatchNotes): void {
    const missing = rowsBefore - this.rowsSeen;
    if (missing > 0) {
      this.problemList.add('I/Os in a damaged part are missing', at, missing);
      this.hasHole = true;
    }
    this.rowsSeen = rowsBefore + (isSummary ? 0 : rows);
  }

  /** Learns identities and files. False if the batch refers to identities that were lost. */
  private learnNames({ epoch, keysFrom, keys, filesFrom, files, header }: BatchNotes): boolean {
    if (header !== undefined && keysFrom === 0) {
      this.epoch = epoch;
      this.keyCount = 0;
      this.hasResults = false;
      this.files.startEpoch();
    }
    if (epoch !== this.epoch || keysFrom !== this.keyCount) {
      this.epoch = NaN;
      return false;
    }
    if (this.keyCount + keys.length > EPOCH_KEYS) return false;
    for (const key of keys) this.addKey(this.parts.identities.intern(key));
    this.hasResults ||= keys.some(({ layer }) => layer === 'calls');
    this.files.learn(filesFrom, files);
    return true;
  }

  /** Learns what was in flight. The start of an epoch has all that had not ended: others ended in a damaged part. */
  private learnInFlight({ header, keysFrom, inFlight }: BatchNotes, knownUntilNs: number): void {
    if (inFlight === undefined) return;
    this.knowsInFlight = true;
    const { files, inFlightBook: book } = this;
    for (const span of inFlight) book.put({ ...span, file: span.file && files.value(span.file) });
    if (header === undefined || keysFrom !== 0) return;
    book.endOthers(new Set(inFlight.map(({ number }) => number)), knownUntilNs);
  }

  private addKey(index: number): void {
    if (this.keyCount === this.epochKeys.length) {
      const larger = new Uint32Array(this.epochKeys.length * 2);
      larger.set(this.epochKeys);
      this.epochKeys = larger;
    }
    this.epochKeys[this.keyCount++] = index;
  }

  private decode(message: Message, notes: BatchNotes): TraceChunk | undefined {
    const { header, at, bodyAt } = message;
    const { epochKeys: keys, keyCount, hasResults, files, parts } = this;
    const body = parts.source.read(bodyAt, header.bodyBytes);
    const { wallNs } = parts.header.clockBase;
    const batch = { header, notes, body, keys, keyCount, hasResults, files, wallNs };
    const { counters, busy } = notes;
    const more = { ...(counters && { counters }), ...(busy.length > 0 && { busy }) };
    try {
      if (notes.isSummary) return { rows: NO_ROWS, summaries: decodeSummaries(batch), ...more };
      const rows = this.decoder.decodeRows(batch);
      const { impossible } = this.decoder;
      if (impossible > 0)
        this.problemList.add('impossible values are shown as unknown', at, impossible);
      return { rows, summaries: [], ...more };
    } catch (cause) {
      if (!(cause instanceof DamagedError)) throw cause;
      const what = notes.isSummary ? 'summaries' : 'I/Os';
      this.problemList.add(`${what} of damaged batches are missing`, at, notes.rows);
      return undefined;
    }
  }
}
