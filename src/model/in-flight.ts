import type { Identity } from './identity-table.ts';
import type { OpClass } from './operation.ts';

/** Where a request is: in the block layer, or with the driver and its device. */
export const STAGES = ['queued', 'at the device'] as const;
export type Stage = (typeof STAGES)[number];

/** A working disk answers sooner; from this age on, an I/O in flight is marked. In ns. */
export const OLD_IN_FLIGHT_NS = 1e9;

/** An I/O that has not completed. */
export interface InFlightIo {
  /** Since it was queued, or since its issue if only that was seen; in ns. */
  readonly ageNs: number;
  readonly stage: Stage;
  /** Its result and most flags are unknown yet. */
  readonly identity: Identity;
  /** Known from its issue on; undefined also where an I/O has none. */
  readonly bytes: number | undefined;
  /** 512-byte units on the whole disk; known as `bytes`. */
  readonly sector: number | undefined;
  /** As in the column of a row; known from its issue on. */
  readonly file: number | undefined;
  /** Where in that file its first byte is, in bytes. */
  readonly fileOffset: number | undefined;
}

/** As it is shown. */
export interface InFlightRow extends Omit<InFlightIo, 'identity' | 'file' | 'fileOffset'> {
  readonly disk: string;
  /** Undefined for an unknown owner. */
  readonly tgid: number | undefined;
  readonly comm: string;
  /** Kernel thread that submitted what the owner wrote to the page cache, raw. */
  readonly via?: string | undefined;
  /** Submitted by a kernel thread for somebody else. */
  readonly indirect: boolean;
  /** The owner is the last of several processes that wrote to the file. */
  readonly hasSeveralWriters?: boolean;
  readonly opClass: OpClass;
  /** Raw path, or a word in parentheses; undefined while it is unknown, and where there is none. */
  readonly file?: string | undefined;
  /** It has bytes of further files. */
  readonly hasOtherFiles?: boolean;
}
