import { parseDeviceNumber } from '../../model/device.ts';
import type { DeviceInfo } from '../../model/device.ts';
import type { Condition, Filter, Term } from '../filter.ts';
import { OP_CLASSES } from '../../model/operation.ts';
import type { OpClass } from '../../model/operation.ts';

/**
 * The part of a filter that the kernel programs can evaluate: values of which each matching I/O has one. A non-empty
 * list per field; absent if any value can match. The kernel programs drop all other I/O before it costs anything.
 */
export interface KernelPart {
  readonly devs?: readonly number[];
  readonly tgids?: readonly number[];
  readonly opClasses?: readonly OpClass[];
}

/** The kernel's part of a filter; empty if nothing can be dropped. `disks` are the disks that names can refer to. */
export function kernelPart(filter: Filter, disks: readonly DeviceInfo[]): KernelPart {
  if (filter.kind === 'everything') return {};
  const devs = listed(
    implied(filter, false, (term, isNegated) => impliedDevs(term, isNegated, disks)),
  );
  const tgids = listed(implied(filter, false, impliedTgids));
  const opClasses = listed(implied(filter, false, impliedOps));
  return { ...(devs && { devs }), ...(tgids && { tgids }), ...(opClasses && { opClasses }) };
}

/** To the kernel, an empty list means no condition; a filter that can never match is left to user space. */
function listed<T>(values: ReadonlySet<T> | undefined): readonly T[] | undefined {
  return values === undefined || values.size === 0 ? undefined : [...values];
}

/** The values of which a term requires one; undefined if it requires none. */
type TermImplies<T> = (term: Term, isNegated: boolean) => ReadonlySet<T> | undefined;

function implied<T>(
  condition: Condition,
  isNegated: boolean,
  ofTerm: TermImplies<T>,
): ReadonlySet<T> | undefined {
  if (condition.kind === 'term') return ofTerm(condition, isNegated);
  if (condition.kind === 'not') return implied(condition.condition, !isNegated, ofTerm);
  const sets = condition.conditions.map((one) => implied(one, isNegated, ofTerm));
  // Not (a and b) is (not a) or (not b).
  return (condition.kind === 'and') !== isNegated ? intersection(sets) : union(sets);
}

function intersection<T>(
  sets: readonly (ReadonlySet<T> | undefined)[],
): ReadonlySet<T> | undefined {
  const known = sets.filter((set) => set !== undefined);
  if (known.length === 0) return undefined;
  return known.reduce((a, b) => new Set([...a].filter((value) => b.has(value))));
}

function union<T>(sets: readonly (ReadonlySet<T> | undefined)[]): ReadonlySet<T> | undefined {
  const known = sets.filter((set) => set !== undefined);
  return known.length < sets.length ? undefined : new Set(known.flatMap((set) => [...set]));
}

function isEquality({ operator }: Term, isNegated: boolean): boolean {
  return operator === (isNegated ? '!=' : '=');
}

function impliedTgids(term: Term, isNegated: boolean): ReadonlySet<number> | undefined {
  if (term.field !== 'pid' || !isEquality(term, isNegated)) return undefined;
  // A traced machine is the only host, so a number with a host matches nothing.
  return new Set(term.values.filter((value) => typeof value === 'number'));
}

function impliedOps(term: Term, isNegated: boolean): ReadonlySet<OpClass> | undefined {
  if (term.field !== 'op') return undefined;
  const isWanted = isEquality(term, isNegated);
  return new Set(OP_CLASSES.filter((name) => term.values.includes(name) === isWanted));
}

/**
 * The device numbers that a term requires. A name that no disk has now may be given to one later, so it implies none.
 */
function impliedDevs(
  term: Term,
  isNegated: boolean,
  disks: readonly DeviceInfo[],
): ReadonlySet<number> | undefined {
  if (term.field !== 'disk' || !isEquality(term, isNegated)) return undefined;
  const devs = term.values.map((value) => devOf(String(value), disks));
  return devs.every((dev) => dev !== undefined) ? new Set(devs) : undefined;
}

function devOf(word: string, disks: readonly DeviceInfo[]): number | undefined {
  const isMeant = ({ name, kernelName }: DeviceInfo): boolean =>
    name === word || kernelName === word;
  return parseDeviceNumber(word) ?? disks.find(isMeant)?.dev;
}
