import type { Identity } from './identity.ts';
import { DEFAULT_LAYER, hasQueue, type Layer } from './layer.ts';
import type { OpClass } from './operation.ts';

/**
 * Where an I/O is: queued in the block layer, with the driver and its device, or in a volume, which has no queue that
 * is traced.
 */
export type InFlightStage = 'queued' | 'at the device' | 'in the volume';

export function stageOf(isIssued: boolean, layer: Layer = DEFAULT_LAYER): InFlightStage {
  if (!hasQueue(layer)) return 'in the volume';
  return isIssued ? 'at the device' : 'queued';
}

/** An I/O in flight is marked from this age on, in ns: a working disk answers sooner. */
export const OLD_IN_FLIGHT_NS = 1e9;

/**
 * An I/O hangs from this age on, in ns: longer than a working disk takes, shorter than the 30 s after which drivers
 * give up.
 */
export const HANGING_AFTER_NS = 3e9;

/** Number of I/Os that are noted: the oldest in flight, and as many that have ended. */
export const MOST_IN_FLIGHT = 4096;

/** The facts about an I/O that has not completed. */
export interface InFlightFacts {
  /** When it was queued, or issued if only that was seen; trace time in ns. */
  readonly sinceNs: number;
  /** Undefined while it waits in the block layer. */
  readonly issueNs: number | undefined;
  /** The result and most flags are not known yet. */
  readonly identity: Identity;
  /** Known after the issue. Undefined also if the I/O has no size. */
  readonly bytes: number | undefined;
  /** In units of 512 bytes on the whole disk; known as `bytes`. */
  readonly sector: number | undefined;
  /** As in the column of a row; known after the issue. */
  readonly file: number | undefined;
  /** Where in that file its first byte is, in bytes. */
  readonly fileOffset: number | undefined;
}

/** An I/O that has not completed. */
export interface InFlightIo extends InFlightFacts {
  /** Distinguishes it from others that were queued at the same moment. */
  readonly slot: number;
  /** Since `sinceNs`, in ns. */
  readonly ageNs: number;
  /** Undefined where a log has the total latency alone. */
  readonly stage: InFlightStage | undefined;
}

/** An I/O that was in flight for long. */
export interface InFlightSpan extends InFlightFacts {
  /** Its number in this trace. */
  readonly number: number;
  /** When it was last seen in flight; Infinity if it still is, or was when the trace ended. */
  readonly untilNs: number;
}

/** Which I/Os were in flight for at least `OLD_IN_FLIGHT_NS`, and when. */
export interface KnownInFlight {
  /** Includes those that have completed since; in any order. */
  spans(): readonly InFlightSpan[];
  /** Changes whenever a span does. */
  readonly version: number;
}

/** An I/O in flight as it is shown. */
export interface InFlightRow extends Pick<InFlightIo, 'ageNs' | 'stage' | 'bytes' | 'sector'> {
  /** Equal for the same I/O as long as it is in flight. */
  readonly id: string;
  readonly layer: Layer;
  readonly disk: string;
  /** If the trace has several hosts. */
  readonly host?: string | undefined;
  /** Undefined for an unknown owner. */
  readonly tgid: number | undefined;
  readonly comm: string;
  /** The kernel thread that submitted the I/O for the owner, raw. */
  readonly via?: string | undefined;
  /** Submitted by a kernel thread for somebody else. */
  readonly indirect: boolean;
  /** The owner is the last of several processes that wrote to the file, or one of several that filled a journal. */
  readonly hasSeveralWriters?: boolean;
  /** Undefined if a log does not have it. */
  readonly opClass: OpClass | undefined;
  /** Raw path, or a word in parentheses; undefined while it is unknown, and where there is none. */
  readonly file?: string | undefined;
  /** Merged: it also has bytes of other files. */
  readonly hasOtherFiles?: boolean;
}

/**
 * The items of one layer of devices: of `shown`, or if it has none, of disks, or else of volumes. An I/O that hangs on a
 * disk also hangs in the volume above it, but is one I/O to whoever waits. Keeps the order.
 */
export function inOneLayer<T>(
  all: readonly T[],
  layerOf: (one: T) => Layer,
  shown: Layer = DEFAULT_LAYER,
): readonly T[] {
  const layers: readonly Layer[] = [shown, DEFAULT_LAYER];
  const layer = layers.find((wanted) => all.some((one) => layerOf(one) === wanted));
  return layer === undefined ? all : all.filter((one) => layerOf(one) === layer);
}
