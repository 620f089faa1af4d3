import type { Identity } from './identity-table.ts';
import { DEFAULT_LAYER, hasQueue, type Layer } from './layer.ts';
import type { OpClass } from './operation.ts';

/** Where an I/O is: in the block layer, with the driver and its device, or in a volume, which has no queue that is traced. */
export const STAGES = ['queued', 'at the device', 'in the volume'] as const;
export type Stage = (typeof STAGES)[number];

export function stageOf(isIssued: boolean, layer: Layer = DEFAULT_LAYER): Stage {
  if (!hasQueue(layer)) return 'in the volume';
  return isIssued ? 'at the device' : 'queued';
}

/** A working disk answers sooner; from this age on, an I/O in flight is marked. In ns. */
export const OLD_IN_FLIGHT_NS = 1e9;

/** Longer than a working disk takes, shorter than the 30 s after which drivers give up. In ns. */
export const HANGING_AFTER_NS = 3e9;

/** I/Os in flight at once that are noted, the oldest; as many that have ended are kept. */
export const MOST_IN_FLIGHT = 4096;

/** What is known of an I/O that has not completed. */
export interface InFlightFacts {
  /** When it was queued, or issued if only that was seen; trace time in ns. */
  readonly sinceNs: number;
  /** Undefined while it waits in the block layer. */
  readonly issueNs: number | undefined;
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

/** An I/O that has not completed. */
export interface InFlightIo extends InFlightFacts {
  /** Tells it from others that were queued at the same moment. */
  readonly slot: number;
  /** Since `sinceNs`, in ns. */
  readonly ageNs: number;
  readonly stage: Stage;
}

/** An I/O that was in flight for long. */
export interface InFlightSpan extends InFlightFacts {
  /** Of this trace. */
  readonly number: number;
  /** When it was last seen in flight; Infinity if it still is, or was when the trace ended. */
  readonly untilNs: number;
}

/** Which I/Os were in flight for at least `OLD_IN_FLIGHT_NS`, and when. */
export interface KnownInFlight {
  /** Also those that have completed since; in any order. */
  spans(): readonly InFlightSpan[];
  /** Changes whenever a span does. */
  readonly version: number;
}

/** As it is shown. */
export interface InFlightRow extends Pick<InFlightIo, 'ageNs' | 'stage' | 'bytes' | 'sector'> {
  readonly layer: Layer;
  readonly disk: string;
  /** Undefined for an unknown owner. */
  readonly tgid: number | undefined;
  readonly comm: string;
  /** Kernel thread that submitted what the owner wrote to the page cache, raw. */
  readonly via?: string | undefined;
  /** Submitted by a kernel thread for somebody else. */
  readonly indirect: boolean;
  /** The owner is the last of several processes that wrote to the file, or one of several that filled a journal. */
  readonly hasSeveralWriters?: boolean;
  readonly opClass: OpClass;
  /** Raw path, or a word in parentheses; undefined while it is unknown, and where there is none. */
  readonly file?: string | undefined;
  /** It has bytes of further files. */
  readonly hasOtherFiles?: boolean;
}

/**
 * Those of disks, or where there are none, those of volumes: what hangs on a disk hangs in the volume above it, too, and
 * is one I/O to whoever waits. In the same order.
 */
export function inOneLayer<T>(all: readonly T[], layerOf: (one: T) => Layer): readonly T[] {
  const ofDisks = all.filter((one) => layerOf(one) === DEFAULT_LAYER);
  return ofDisks.length > 0 ? ofDisks : all;
}
