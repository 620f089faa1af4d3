import type { Filter } from '../../filter/filter.ts';
import type { OpClass } from '../../model/operation.ts';
import type { Settings } from '../../view/settings.ts';
import type { CommandName } from './command-names.ts';
import type { RecordOptions } from './record-options.ts';

/** The checked command line; frozen for the whole run. */
export interface Options {
  readonly command: CommandName;
  /** Name of the synthetic pattern; `demo` only. */
  readonly pattern: string | undefined;
  /** Only the options given: the rest comes from the saved settings and the defaults. */
  readonly view: Settings;
  /** Disk names as typed; resolved once the disks are known. */
  readonly disks: readonly string[];
  readonly pids: readonly number[];
  readonly ops: readonly OpClass[];
  /** From `--filter`; `disks`, `pids` and `ops` apply in addition. */
  readonly filter: Filter;
  readonly historyBytes: number;
  readonly once: boolean;
  readonly durationNs: number;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  readonly color: 'auto' | 'always' | 'never';
  /** Undefined for a size that fits the number of processors. */
  readonly ringBytes: number | undefined;
  /** Processor time that the program may take, as a share of one core; Infinity for no limit. */
  readonly budget: number;
  /** Whether to trace what programs wait for, too. */
  readonly waits: boolean;
  /** Whether to trace system calls on files, too. */
  readonly calls: boolean;
  readonly stayRoot: boolean;
  readonly seed: number;
  readonly rate: number | undefined;
  /** Files to replay; `STDIN_FILE` for a stream. */
  readonly files: readonly string[];
  /** Seconds of a recording per second; Infinity for as fast as possible. */
  readonly speed: number;
  /** Where to start, as typed; resolved once the recording is open. */
  readonly at: string | undefined;
  readonly merge: boolean;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly recording: RecordOptions;
}

/** Standard input, as a file name. */
export const STDIN_FILE = '-';
