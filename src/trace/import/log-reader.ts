import type { IdentityTable } from '../../model/identity-table.ts';
import type { DiskLoss, SourceCounters } from '../completion-summary.ts';
import type { TraceChunk, TraceHeader, TraceProblem, TraceReader } from '../trace-reader.ts';
import { decodeText } from './log-text.ts';
import { ImportDevices } from './import-devices.ts';
import { ImportProblems } from './import-problems.ts';
import { ImportRows } from './import-rows.ts';
import { UnknownFields } from './unknown-fields.ts';
import { LineSplitter } from './line-splitter.ts';
import type { LogSink, OpenLog } from './log-format.ts';
import type { LineMender } from './mail-lines.ts';
import type { PieceSource } from './piece-source.ts';

/** Maximum pieces per call, however few rows they contain, so that a call returns soon. */
const PIECES_PER_CALL = 16;

/** A line can release earlier lines that waited to be joined with it; each makes at most one row. */
const ROWS_PER_LINE = 16;

/** Undoes changes that a mail program made to the lines of a log. */
export interface MendedLog {
  readonly mender?: LineMender;
}

/** Reads a text log as a trace: a parser turns lines into rows; everything else is counted. */
export class LogReader implements TraceReader {
  readonly header: TraceHeader;
  private readonly splitter = new LineSplitter();
  private readonly rows: ImportRows;
  private readonly disks = new ImportDevices();
  private readonly troubles = new ImportProblems();
  private readonly losses: Record<string, number> = {};
  private readonly lostOn = new Map<string, DiskLoss>();
  private readonly sink: LogSink;
  private lineNumber = 0;
  private delivered = 0;
  private lost = 0;
  private reportedLost = 0;
  private ended = false;

  constructor(
    private readonly log: OpenLog & MendedLog,
    private readonly pieces: PieceSource,
    identities: IdentityTable,
  ) {
    const fields = new UnknownFields(log.unknown);
    this.header = headerOf(log, fields);
    this.rows = new ImportRows(identities, fields);
    this.sink = {
      rows: this.rows,
      devices: this.disks,
      problems: this.troubles,
      lose: (how, count, dev) => {
        this.lose(how, count, dev);
      },
      where: () => `line ${this.lineNumber}`,
    };
  }

  next(): TraceChunk | 'waiting' | 'ended' {
    this.rows.columns.length = 0;
    const state = this.fill();
    const isNews = this.rows.columns.length > 0 || this.lost > this.reportedLost;
    if (!isNews && state !== 'more') return state;
    this.reportedLost = this.lost;
    this.delivered += this.rows.columns.length;
    return { rows: this.rows.columns, summaries: [], counters: this.counters() };
  }

  devices() {
    return this.disks.all();
  }

  problems(): readonly TraceProblem[] {
    return this.troubles.all();
  }

  dispose(): void {
    this.pieces.dispose();
  }

  private fill(): 'more' | 'waiting' | 'ended' {
    if (this.ended) return 'ended';
    for (let piece = 0; ; piece++) {
      if (!this.readLines()) return 'more';
      if (piece === PIECES_PER_CALL) return 'more';
      const next = this.pieces.next();
      if (next === 'waiting') return 'waiting';
      if (next === 'ended') return this.finish();
      this.splitter.push(next);
    }
  }

  /** False when there is no more room. */
  private readLines(): boolean {
    for (;;) {
      if (this.rows.columns.length + ROWS_PER_LINE > this.rows.capacity) return false;
      const line = this.splitter.next();
      if (line === undefined) return true;
      this.takeLine(line);
    }
  }

  private finish(): 'ended' {
    const line = this.splitter.last();
    if (line !== undefined) this.takeLine(line);
    for (const held of this.log.mender?.end() ?? []) this.readLine(held);
    this.log.parser.end(this.sink);
    this.ended = true;
    return 'ended';
  }

  private takeLine(line: string): void {
    this.lineNumber++;
    const { mender } = this.log;
    if (mender === undefined) this.readLine(line);
    else for (const whole of mender.push(line)) this.readLine(whole);
  }

  private readLine(line: string): void {
    if (this.log.parser.line(line, this.sink)) return;
    this.troubles.add('lines that could not be read', this.sink.where(), decodeText(line));
  }

  private lose(how: string, count: number, dev: number | undefined): void {
    if (dev !== undefined) this.loseOn(dev, how, count);
    this.losses[how] = (this.losses[how] ?? 0) + count;
    this.lost += count;
  }

  private loseOn(dev: number, way: string, count: number): void {
    const before = this.lostOn.get(`${way} ${dev}`)?.count ?? 0;
    this.lostOn.set(`${way} ${dev}`, { dev, way, count: before + count });
  }

  private counters(): SourceCounters {
    const { delivered, lost, losses } = this;
    const lostOn = [...this.lostOn.values()];
    return { delivered, summarised: 0, lost, losses: { ...losses }, lostOn };
  }
}

function headerOf(log: OpenLog, fields: UnknownFields): TraceHeader {
  return {
    kind: 'import',
    writer: log.writer,
    host: log.host ?? '',
    kernel: log.kernel ?? '',
    clockBase: { monotonicNs: log.startNs, wallNs: log.wallNs ?? 0n },
    hasWallClock: log.wallNs !== undefined,
    recordedOnly: '',
    ...(log.latency === undefined ? {} : { latency: log.latency }),
    get unknown() {
      return fields.unknown;
    },
  };
}
