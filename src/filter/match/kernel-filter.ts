import { parseDeviceNumber } from '../../model/device.ts';
import type { DeviceInfo } from '../../model/device.ts';
import type { Condition, Filter, Term } from '../filter.ts';
import { OP_CLASSES } from '../../model/operation.ts';
import type { OpClass } from '../../model/operation.ts';

/**
 * The part of a filter that the kernel programs can evaluate: values of which each matching I/O has one, or, of
 * excluded ones, none. At most one list per field, not empty; absent if any value can match. The kernel programs drop
 * all other I/O before it costs anything.
 */
export interface KernelPart {
  readonly devs?: readonly number[];
  readonly excludedDevs?: readonly number[];
  readonly tgids?: readonly number[];
  readonly excludedTgids?: readonly number[];
  readonly opClasses?: readonly OpClass[];
}

/** The kernel's part of a filter; empty if nothing can be dropped. `disks` are the disks that names can refer to. */
export function kernelPart(filter: Filter, disks: readonly DeviceInfo[]): KernelPart {
  if (filter.kind === 'everything') return {};
  const devs = implied(filter, false, (term, isNegated) => impliedDevs(term, isNegated, disks));
  const tgids = implied(filter, false, impliedTgids);
  const ops = implied(filter, false, impliedOps);
  const opClasses = OP_CLASSES.filter((name) => has(ops, name));
  return {
    ...(isList(devs) && { [devs.isExcluded ? 'excludedDevs' : 'devs']: [...devs.values] }),
    ...(isList(tgids) && { [tgids.isExcluded ? 'excludedTgids' : 'tgids']: [...tgids.values] }),
    ...(isList(ops) && opClasses.length > 0 && { opClasses }),
  };
}

/** The values that a condition lets pass: these, or all but these. */
interface Passing<T> {
  readonly values: ReadonlySet<T>;
  readonly isExcluded: boolean;
}

const ANY: Passing<never> = { values: new Set(), isExcluded: true };

/** To the kernel, an empty list means no condition; a filter that can never match is left to user space. */
function isList({ values }: Passing<unknown>): boolean {
  return values.size > 0;
}

function has<T>({ values, isExcluded }: Passing<T>, value: T): boolean {
  return values.has(value) !== isExcluded;
}

/** Returns at least the values of I/O that matches a term. */
type TermImplies<T> = (term: Term, isNegated: boolean) => Passing<T>;

function implied<T>(condition: Condition, isNegated: boolean, ofTerm: TermImplies<T>): Passing<T> {
  if (condition.kind === 'term') return ofTerm(condition, isNegated);
  if (condition.kind === 'not') return implied(condition.condition, !isNegated, ofTerm);
  const parts = condition.conditions.map((one) => implied(one, isNegated, ofTerm));
  // Not (a and b) is (not a) or (not b).
  return parts.reduce((condition.kind === 'and') !== isNegated ? intersection : union);
}

function intersection<T>(a: Passing<T>, b: Passing<T>): Passing<T> {
  if (a.isExcluded && b.isExcluded)
    return { values: new Set([...a.values, ...b.values]), isExcluded: true };
  const [list, other] = a.isExcluded ? [b, a] : [a, b];
  return {
    values: new Set([...list.values].filter((value) => has(other, value))),
    isExcluded: false,
  };
}

function union<T>(a: Passing<T>, b: Passing<T>): Passing<T> {
  return opposite(intersection(opposite(a), opposite(b)));
}

function opposite<T>({ values, isExcluded }: Passing<T>): Passing<T> {
  return { values, isExcluded: !isExcluded };
}

/** Whether the term has what it excludes; undefined if it compares in another way. */
function excludes({ operator }: Term, isNegated: boolean): boolean | undefined {
  if (operator !== '=' && operator !== '!=') return undefined;
  return (operator === '!=') !== isNegated;
}

function impliedTgids(term: Term, isNegated: boolean): Passing<number> {
  const isExcluded = excludes(term, isNegated);
  if (term.field !== 'pid' || isExcluded === undefined) return ANY;
  // A traced machine is the only host, so a number with a host matches nothing.
  const numbers = term.values.filter((value) => typeof value === 'number');
  // The kernel programs give an unknown owner the number 0, which matches `pid!=0`.
  const values = new Set(numbers.filter((number) => !isExcluded || number !== 0));
  return { values, isExcluded };
}

function impliedOps(term: Term, isNegated: boolean): Passing<OpClass> {
  const isExcluded = excludes(term, isNegated);
  if (term.field !== 'op' || isExcluded === undefined) return ANY;
  return { values: new Set(OP_CLASSES.filter((name) => term.values.includes(name))), isExcluded };
}

/** A name that no disk has now may be given to one later: so it excludes none, and another one may be required. */
function impliedDevs(
  term: Term,
  isNegated: boolean,
  disks: readonly DeviceInfo[],
): Passing<number> {
  const isExcluded = excludes(term, isNegated);
  if (term.field !== 'disk' || isExcluded === undefined) return ANY;
  const devs = term.values.map((value) => devsOf(String(value), disks));
  const isUnknown = devs.some((found) => found.length === 0);
  return isUnknown && !isExcluded ? ANY : { values: new Set(devs.flat()), isExcluded };
}

/** Several disks may have had a name, one after the other. */
function devsOf(word: string, disks: readonly DeviceInfo[]): readonly number[] {
  const number = parseDeviceNumber(word);
  const named = disks.flatMap(({ name, kernelName, dev, callsDev }) => {
    if (name === word) return [dev, callsDev];
    return kernelName === word ? [dev] : [];
  });
  return [number, ...named].filter((dev) => dev !== undefined);
}
