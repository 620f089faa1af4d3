import type { Result } from '../base/result.ts';
import type { TraceField } from '../source/trace-reader.ts';
import type { ImportDevices } from './import-devices.ts';
import type { ImportProblems } from './import-problems.ts';
import type { ImportRows } from './import-rows.ts';

/** A kind of log that is known by what its lines look like. */
export interface LogFormat {
  readonly name: string;
  /** A line that tells of an I/O. */
  readonly isEvent: (line: string) => boolean;
  /** A line that this format alone begins with, before anything happened. */
  readonly isHeading: (line: string) => boolean;
  /** Errors: the times of its lines are none that could be read. */
  readonly open: (head: LogHead) => Result<OpenLog>;
}

/** What is known before the first line is read. */
export interface LogHead {
  /** The first lines, without their ends. */
  readonly lines: readonly string[];
  /** When the last line was written, ms since the epoch; undefined when not known. */
  readonly writtenMs: number | undefined;
}

export interface OpenLog {
  readonly writer: string;
  readonly host?: string;
  readonly kernel?: string;
  /** What the first lines do not tell; later ones may. */
  readonly unknown: readonly TraceField[];
  /** Where its times are from submission to completion, and no device times therefore. */
  readonly latency?: 'total';
  /** Where times begin; `wallNs` only where the log has a wall clock. */
  readonly startNs: bigint;
  readonly wallNs?: bigint;
  readonly parser: LogParser;
}

export interface LogParser {
  /** At most one row for each line. False when the line is none of this format's. */
  line(text: string, out: LogSink): boolean;
  /** After the last line: what waits for lines that will not come. */
  end(out: LogSink): void;
}

/** Where a log's contents go. */
export interface LogSink {
  readonly rows: ImportRows;
  readonly devices: ImportDevices;
  readonly problems: ImportProblems;
  /** I/Os that happened and are in no row, by the way they were lost, and the disk where it is known. */
  lose(how: string, count: number, dev?: number): void;
  /** `line 12`. */
  where(): string;
}
