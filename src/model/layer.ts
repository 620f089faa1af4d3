/**
 * Where in the stack of the kernel an I/O was measured. The same bytes pass several layers, so figures are of one of
 * them: `disks` are requests; `volumes` are bios of devices that have no requests (dm, LVM, LUKS, md, zram);
 * `waits` are times that threads slept for storage, in system calls and page faults; `calls` are whole system calls on
 * storage, whether or not they waited.
 */
export const LAYERS = ['disks', 'volumes', 'waits', 'calls'] as const;
export type Layer = (typeof LAYERS)[number];

/** The layer of everything that does not name one: also of earlier recordings and of other tools' logs. */
export const DEFAULT_LAYER: Layer = 'disks';

/** `total` for a trace of which only the time from submission to completion is known. */
export type TraceLatency = 'total' | undefined;

/** The layers of devices, which lie on each other: a volume on its disks. */
const DEVICE_LAYERS: readonly Layer[] = ['disks', 'volumes'];

/** The layers whose devices are shown together with those of this one, without being added up. */
export function layersBeside(layer: Layer): readonly Layer[] {
  return DEVICE_LAYERS.includes(layer) ? DEVICE_LAYERS : [];
}

/** The layer of a thing that may not name it; an identity names only layers other than `disks`. */
export function layerOf({ layer = DEFAULT_LAYER }: { readonly layer?: Layer | undefined }): Layer {
  return layer;
}

/**
 * Whether this is a layer of programs: what is measured there is a system call or a wait in one, and keeps no device
 * busy.
 */
export function isOfPrograms(layer: Layer): boolean {
  return layer === 'waits' || layer === 'calls';
}

const NOUNS: Readonly<Record<Layer, string>> = {
  disks: 'I/O',
  volumes: 'I/O',
  waits: 'wait',
  calls: 'call',
};

/** The noun for one of what is counted in a layer; an s makes it plural. */
export function nounOf(layer: Layer = DEFAULT_LAYER): string {
  return NOUNS[layer];
}

/** The unit of its rates: `IOPS`, `calls/s`. */
export function rateUnitOf(layer: Layer): string {
  return isOfPrograms(layer) ? `${nounOf(layer)}s/s` : 'IOPS';
}

/** `no I/O`, `no calls`. */
export function noneOf(layer: Layer = DEFAULT_LAYER): string {
  return isOfPrograms(layer) ? `no ${nounOf(layer)}s` : `no ${nounOf(layer)}`;
}

/** The verb after `noneOf`: `no I/O matches`, `no calls match`. */
export function matchText(layer: Layer = DEFAULT_LAYER): string {
  return isOfPrograms(layer) ? 'match' : 'matches';
}

/** The verb after `noneOf`: `no I/O has`, `no calls have`. */
export function haveText(layer: Layer = DEFAULT_LAYER): string {
  return isOfPrograms(layer) ? 'have' : 'has';
}

/** The noun for some of them, without a number: `slow I/O`, `slow calls`. */
export function someOf(layer: Layer = DEFAULT_LAYER): string {
  return isOfPrograms(layer) ? `${nounOf(layer)}s` : nounOf(layer);
}

/** The noun for several, of one layer or of several: `I/Os`, `I/Os, waits and calls`. */
export function nounsOf(layers: readonly Layer[]): string {
  const nouns = [...new Set(layers.map((layer) => `${nounOf(layer)}s`))];
  return [nouns.slice(0, -1).join(', '), nouns.at(-1)].filter(Boolean).join(' and ');
}

/** The noun for a count of one layer, or of several together: `I/O`, `I/Os`, `I/Os and calls`. */
export function nounFor(count: number, layers: readonly Layer[]): string {
  const isOneKind = new Set(layers.map(nounOf)).size <= 1;
  if (count === 1 && isOneKind) return nounOf(layers[0]);
  return nounsOf(layers.length === 0 ? [DEFAULT_LAYER] : layers);
}

/**
 * Whether a failure deserves a warning. Calls often fail in normal operation: for example, when a program looks for a
 * file that does not exist.
 */
export function isFailureGrave(layer: Layer): boolean {
  return layer !== 'calls';
}

/**
 * Whether it is known how long its I/O waited in a queue and was then at the device. Of other layers, and in traces
 * whose `latency` is `total`, only the total latency is known: their rows have it as device latency, and 0 as queue
 * latency.
 */
export function hasQueue(layer: Layer, latency?: TraceLatency): boolean {
  return layer === 'disks' && latency !== 'total';
}
