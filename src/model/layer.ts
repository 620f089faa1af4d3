/**
 * Where in the stack of the kernel an I/O was measured. The same bytes pass several layers, so figures are of one of
 * them: `disks` are requests; `volumes` are bios of devices that have no requests (dm, LVM, LUKS, md, zram, multipath);
 * `waits` are times that threads slept for storage, in system calls and page faults; `calls` are whole system calls on
 * storage, whether or not they waited.
 */
export const LAYERS = ['disks', 'volumes', 'waits', 'calls'] as const;
export type Layer = (typeof LAYERS)[number];

/** What everything is unless it says otherwise: also all of earlier recordings and of other tools' logs. */
export const DEFAULT_LAYER: Layer = 'disks';

/** Layers of devices, which lie on each other: a volume on its disks. */
const DEVICE_LAYERS: readonly Layer[] = ['disks', 'volumes'];

/** Layers whose devices are shown together with those of this one, and not added up. */
export function layersBeside(layer: Layer): readonly Layer[] {
  return DEVICE_LAYERS.includes(layer) ? DEVICE_LAYERS : [];
}

/** Of what may not say; an identity says so only if it is another layer than that of disks. */
export function layerOf({ layer = DEFAULT_LAYER }: { readonly layer?: Layer | undefined }): Layer {
  return layer;
}

/** Layers of programs: what is measured there is in a system call, or of one, and keeps no device busy. */
export function isOfPrograms(layer: Layer): boolean {
  return layer === 'waits' || layer === 'calls';
}

const NOUNS: Readonly<Record<Layer, string>> = {
  disks: 'I/O',
  volumes: 'I/O',
  waits: 'wait',
  calls: 'call',
};

/** One of what is counted there; with an s, several. */
export function nounOf(layer: Layer = DEFAULT_LAYER): string {
  return NOUNS[layer];
}

/** `no I/O`, `no calls` */
export function noneOf(layer: Layer = DEFAULT_LAYER): string {
  return isOfPrograms(layer) ? `no ${nounOf(layer)}s` : `no ${nounOf(layer)}`;
}

/** The verb for that: `no I/O matches`, `no calls match` */
export function matchText(layer: Layer = DEFAULT_LAYER): string {
  return isOfPrograms(layer) ? 'match' : 'matches';
}

/** Some of them, without a number: `slow I/O`, `slow calls` */
export function someOf(layer: Layer = DEFAULT_LAYER): string {
  return isOfPrograms(layer) ? `${nounOf(layer)}s` : nounOf(layer);
}

/** Several, of one layer or of several: `I/Os`, `I/Os, waits and calls`. */
export function nounsOf(layers: readonly Layer[]): string {
  const nouns = [...new Set(layers.map((layer) => `${nounOf(layer)}s`))];
  return [nouns.slice(0, -1).join(', '), nouns.at(-1)].filter(Boolean).join(' and ');
}

/** Whether a failure is news there: a program that asks for a file that is not there gets an error, too. */
export function isFailureGrave(layer: Layer): boolean {
  return layer !== 'calls';
}

/**
 * Whether its I/O waits in a queue first and is then issued. Of other layers only the total is known: their rows have
 * it as device time, and no queue time.
 */
export function hasQueue(layer: Layer): boolean {
  return layer === 'disks';
}
