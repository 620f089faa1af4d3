import type { Result } from '../../base/result.ts';
import type { TraceField } from '../trace-reader.ts';
import type { ImportDevices } from './import-devices.ts';
import type { ImportProblems } from './import-problems.ts';
import type { ImportRows } from './import-rows.ts';

/** A log format that is recognized by its lines. */
export interface LogFormat {
  readonly name: string;
  /** Whether a line is an event. */
  readonly isEvent: (line: string) => boolean;
  /** Whether a line is a heading that only this format starts with. */
  readonly isHeading: (line: string) => boolean;
  /** Fails when the times of its lines are unusable. */
  readonly open: (head: LogHead) => Result<OpenLog>;
}

/** What is known before the first line is read. */
export interface LogHead {
  /** The first lines, without line ends. */
  readonly lines: readonly string[];
  /** When the last line was written, ms since the epoch; undefined when unknown. */
  readonly writtenMs: number | undefined;
}

export interface OpenLog {
  readonly writer: string;
  readonly host?: string;
  readonly kernel?: string;
  /** Fields that the first lines lack; later ones may have them. */
  readonly unknown: readonly TraceField[];
  /** Present when times are from submission to completion, so that there are no device times. */
  readonly latency?: 'total';
  /** The time of the first event; `wallNs` only if the log has a wall clock. */
  readonly startNs: bigint;
  readonly wallNs?: bigint;
  readonly parser: LogParser;
}

export interface LogParser {
  /** Adds at most one row. False when the line is not of this format. */
  line(text: string, out: LogSink): boolean;
  /** After the last line: handles I/Os that wait for further lines. */
  end(out: LogSink): void;
}

/** Receives the contents of a log. */
export interface LogSink {
  readonly rows: ImportRows;
  readonly devices: ImportDevices;
  readonly problems: ImportProblems;
  /** Counts I/Os that happened but are in no row, by cause, and by disk if it is known. */
  lose(how: string, count: number, dev?: number): void;
  /** `line 12`. */
  where(): string;
}
