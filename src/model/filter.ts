import { unknownDeviceName } from './device.ts';
import type { DeviceInfo } from './device.ts';
import { KeyMark } from './key-table.ts';
import type { CompletionKey, KeyTable } from './key-table.ts';
import { OP_CLASSES, opClass, RequestFlag } from './operation.ts';
import type { OpClass } from './operation.ts';

/** Any one of the values; with `invert`, none of them. */
export interface AnyOf<T> {
  readonly values: readonly T[];
  readonly invert?: boolean;
}

export const FLAG_NAMES = Object.keys(RequestFlag) as readonly FlagName[];
export type FlagName = keyof typeof RequestFlag;

/**
 * Which I/O to count: a conjunction, so every field that is present must hold. All fields here ask
 * about the `CompletionKey` alone and are decided once per key. Conditions on the values of a single
 * I/O (latency, size, offset) belong beside them as fields of their own, decided per row.
 */
export interface Filter {
  readonly devs?: AnyOf<number>;
  readonly tgids?: AnyOf<number>;
  readonly opClasses?: AnyOf<OpClass>;
  readonly comms?: AnyOf<string>;
  readonly flags?: AnyOf<FlagName>;
  /** True: only I/O that failed. False: only I/O that succeeded. */
  readonly failed?: boolean;
}

export const NO_FILTER: Filter = {};

/** A filter bound to a key table. Answers are remembered, also for keys interned later. */
export interface CompiledFilter {
  readonly filter: Filter;
  /** True when nothing is left out. */
  readonly passesAll: boolean;
  passesKey(keyIndex: number): boolean;
}

const UNDECIDED = 0;
const PASSES = 1;
const FAILS = 2;

export function compileFilter(filter: Filter, keys: KeyTable): CompiledFilter {
  const passes = keyPredicate(filter);
  let verdicts = new Uint8Array(256);

  function decide(keyIndex: number): boolean {
    const verdict = passes(keys.get(keyIndex));
    if (keyIndex >= verdicts.length) verdicts = grown(verdicts, keyIndex + 1);
    verdicts[keyIndex] = verdict ? PASSES : FAILS;
    return verdict;
  }

  return {
    filter,
    passesAll: !hasConditions(filter),
    passesKey: (keyIndex) => {
      const verdict = keyIndex < verdicts.length ? verdicts[keyIndex]! : UNDECIDED;
      return verdict === UNDECIDED ? decide(keyIndex) : verdict === PASSES;
    },
  };
}

function grown(array: Uint8Array<ArrayBuffer>, atLeast: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(atLeast, array.length * 2));
  larger.set(array);
  return larger;
}

export function hasConditions(filter: Filter): boolean {
  return Object.values(filter).some((condition) => condition !== undefined);
}

/** The filter as a plain question about one key. */
export function keyPredicate(filter: Filter): (key: CompletionKey) => boolean {
  const { devs, tgids, opClasses, comms, flags, failed } = filter;
  const flagBits = (flags?.values ?? []).reduce((bits, name) => bits | RequestFlag[name], 0);
  return (key) =>
    holds(devs, (values) => values.includes(key.dev)) &&
    holds(tgids, (values) => ownerIsKnown(key) && values.includes(key.tgid)) &&
    holds(opClasses, (values) => values.includes(opClass(key.cmdFlags))) &&
    holds(comms, (values) => values.includes(key.comm)) &&
    holds(flags, () => (key.cmdFlags & flagBits) !== 0) &&
    (failed === undefined || failed === (key.error !== 0));
}

function holds<T>(
  condition: AnyOf<T> | undefined,
  matches: (values: readonly T[]) => boolean,
): boolean {
  return condition === undefined || matches(condition.values) !== (condition.invert ?? false);
}

/** Without an owner the tgid field is 0 by default, which is no process id to match. */
export function ownerIsKnown(key: CompletionKey): boolean {
  return (key.marks & (KeyMark.ownerUnknown | KeyMark.noDetail | KeyMark.other)) === 0;
}

/** Who can name a device number; `SourceInfo` can. */
export interface DeviceNames {
  device(dev: number): DeviceInfo | undefined;
}

export function deviceName(names: DeviceNames, dev: number): string {
  return names.device(dev)?.name ?? unknownDeviceName(dev);
}

/** The filter as a person would type it: `disk=sda op=write pid=812`; empty when nothing is asked. */
export function formatFilter(filter: Filter, names: DeviceNames): string {
  const disks = filter.devs && { ...filter.devs, values: filter.devs.values.map(nameOf) };
  function nameOf(dev: number): string {
    return deviceName(names, dev);
  }
  const terms = [
    formatAnyOf('disk', disks),
    formatAnyOf('op', filter.opClasses),
    formatAnyOf('pid', filter.tgids),
    formatAnyOf('comm', filter.comms),
    formatAnyOf('flag', filter.flags),
    filter.failed === undefined ? '' : `error=${filter.failed ? 'any' : 'none'}`,
  ];
  return terms.filter((term) => term !== '').join(' ');
}

function formatAnyOf(field: string, condition: AnyOf<string | number> | undefined): string {
  if (condition === undefined) return '';
  const sign = condition.invert === true ? '!=' : '=';
  return `${field}${sign}${condition.values.map((value) => quoted(String(value))).join(',')}`;
}

/** Spaces, commas and quotes would be read as the end of the value. */
function quoted(value: string): string {
  return /^[\w.:/@+()[\]-]+$/.test(value) ? value : JSON.stringify(value);
}

export function isOpClass(name: string): name is OpClass {
  return (OP_CLASSES as readonly string[]).includes(name);
}
