import { sanitizeText } from '../../base/sanitize.ts';
import { deviceName, hostOf, isSharedDevice, unknownDeviceName } from '../../model/device.ts';
import { cgroupNumber } from '../../model/cgroup-names.ts';
import { cgroupKey, numberAtHost } from '../../model/identity-names.ts';
import type { IdentityNames } from '../../model/identity-names.ts';
import { callOf } from '../../model/call.ts';
import type { Condition, Term, TermValue } from '../filter.ts';
import { FLAG_BITS } from '../fields.ts';
import type { FieldName } from '../fields.ts';
import {
  cgroupOf,
  commandIsKnown,
  IdentityMark,
  operationIsUnknown,
  ownerIsKnown,
  submitterOf,
  threadKind,
} from '../../model/identity.ts';
import type { ProcessFacts } from '../../model/known-processes.ts';
import type { Identity } from '../../model/identity.ts';
import { isOfPrograms, layerOf } from '../../model/layer.ts';
import { openFlagsOf } from '../../model/open-flags.ts';
import { isThrottled, THROTTLED } from '../../model/request-text.ts';
import { opClass } from '../../model/operation.ts';
import { both, either, opposite, Verdict } from '../verdict.ts';
import { errnoOf } from '../../model/request-text.ts';

/** Whether I/O of an identity matches a term; `maybe` for terms on values of single I/Os. */
export function judgeTerm(term: Term, identity: Identity, names: IdentityNames): Verdict {
  const facts = FACTS[term.field];
  if (facts === undefined || isFolded(term.field, identity)) return Verdict.maybe;
  const found = facts(identity, names);
  if (isOfAnyDisk(term, identity) && !found.some((name) => term.values.includes(name)))
    return Verdict.maybe;
  return meets(term, found) ? Verdict.yes : Verdict.no;
}

/** A condition of several terms, each judged on its own. */
export function judgeCondition(condition: Condition, judge: (term: Term) => Verdict): Verdict {
  const judged = (one: Condition): Verdict => judgeCondition(one, judge);
  switch (condition.kind) {
    case 'term':
      return judge(condition);
    case 'not':
      return opposite(judged(condition.condition));
    case 'and':
      return condition.conditions.map(judged).reduce(both);
    case 'or':
      return condition.conditions.map(judged).reduce(either);
  }
}

/** Returns the values of a field for an identity: several if it has several names, none if it has no value. */
type Facts = (identity: Identity, names: IdentityNames) => readonly TermValue[];

const FACTS: Partial<Record<FieldName, Facts>> = {
  disk: ({ dev }, names) => [
    ...[deviceName(names, dev), unknownDeviceName(dev)],
    ...[names.device(dev)?.kernelName].filter((name) => name !== undefined),
  ],
  host: ({ dev }, names) => [hostOf(names, dev)].filter((host) => host !== undefined),
  op: operations,
  pid: (identity, names) => numbersOf(identity, identity.tgid, names),
  tid: (identity, names) => numbersOf(identity, identity.tid, names),
  comm: (identity) => (commandIsKnown(identity) ? [identity.comm] : []),
  cgroup: (identity, names) => (commandIsKnown(identity) ? cgroupTexts(identity, names) : []),
  cmd: (identity, names) => [factsOf(identity, names)?.command].filter((one) => one !== undefined),
  user: (identity, names) => userTexts(factsOf(identity, names)),
  mount: ({ dev }, names) => names.device(dev)?.mounts ?? [],
  volume: (identity, names) => volumeTexts(identity, names),
  flag: flagNames,
  error: results,
  owner: (identity) => ownerKinds(identity),
  layer: (identity) => [layerOf(identity)],
  call: (identity) => [callOf(identity)].filter((call) => call !== undefined),
  via: (identity) => (commandIsKnown(identity) ? viaTexts(submitterOf(identity)) : []),
};

/** In the layer of volumes, the name of the volume alone: those on it have the same bytes again. */
function volumeTexts(identity: Identity, names: IdentityNames): readonly string[] {
  if (layerOf(identity) === 'volumes') return [deviceName(names, identity.dev)];
  return names.device(identity.dev)?.volumes ?? [];
}

function numbersOf(identity: Identity, number: number, names: IdentityNames): readonly TermValue[] {
  if (!ownerIsKnown(identity)) return [];
  const host = names.device(identity.dev)?.host;
  return host === undefined ? [number] : [number, numberAtHost(number, host)];
}

function cgroupTexts(identity: Identity, names: IdentityNames): readonly string[] {
  const cgroup = cgroupOf(identity);
  if (cgroup === undefined) return [];
  return [cgroupKey(cgroup, identity.dev, names), String(cgroupNumber(cgroup))];
}

function factsOf(identity: Identity, { processes }: IdentityNames): ProcessFacts | undefined {
  if (!ownerIsKnown(identity)) return undefined;
  return processes?.facts(identity.tgid, identity.comm);
}

function userTexts(facts: ProcessFacts | undefined): readonly string[] {
  return [facts?.user, facts?.uid?.toString()].filter((one) => one !== undefined);
}

function operations(identity: Identity): readonly string[] {
  return operationIsUnknown(identity) ? [] : [opClass(identity.cmdFlags)];
}

function results({ error, marks }: Identity): readonly TermValue[] {
  if ((marks & IdentityMark.errorUnknown) !== 0) return [];
  return error === 0 ? ['none'] : ['any', errnoOf(error)];
}

const FLAGS = Object.entries(FLAG_BITS);

function flagNames(identity: Identity): readonly string[] {
  if (isOfPrograms(layerOf(identity))) {
    const open = (openFlagsOf(identity) ?? []).map((name) => name.toLowerCase());
    return isThrottled(identity) ? [...open, THROTTLED] : open;
  }
  return FLAGS.filter(([, bit]) => (identity.cmdFlags & bit) !== 0).map(([name]) => name);
}

function ownerKinds(identity: Identity): readonly string[] {
  const { marks, via } = identity;
  if (!commandIsKnown(identity)) return ['unknown'];
  if (via !== undefined) {
    const writes = opClass(identity.cmdFlags) === 'write' ? ['writeback'] : [];
    const shared = (marks & IdentityMark.severalWriters) === 0 ? [] : ['shared'];
    return ['through', ...writes, ...shared];
  }
  return [(marks & IdentityMark.indirect) === 0 ? 'own' : 'indirect'];
}

function viaTexts(thread: string | undefined): readonly string[] {
  return thread === undefined ? [] : [thread, threadKind(thread)];
}

const OF_EVERY_IDENTITY: readonly FieldName[] = [
  ...(['disk', 'host', 'mount', 'volume', 'op', 'layer'] as const),
];
const OF_THE_COMMAND: readonly FieldName[] = ['comm', 'cgroup', 'owner', 'via'];
const OF_THE_OWNER: readonly FieldName[] = [...OF_THE_COMMAND, 'pid', 'cmd', 'user'];

/**
 * Aggregated I/O, and I/O whose identity was merged with others, has only its disk and operation; aggregates by
 * process also have the owner, and merged processes of one command its name and cgroup. The rest differed from I/O to
 * I/O, so a filter on it may match. An owner that was never seen is different: nothing will ever reveal it, so such I/O
 * has no process, and matches `pid!=1`. I/O in flight may still fail.
 */
function isFolded(field: FieldName, identity: Identity): boolean {
  const { marks } = identity;
  if (OF_EVERY_IDENTITY.includes(field)) return false;
  if (field === 'call' && !isOfPrograms(layerOf(identity))) return false;
  if (field === 'error') return (marks & (IdentityMark.noDetail | IdentityMark.inFlight)) !== 0;
  if (OF_THE_OWNER.includes(field) && ownerIsKnown(identity)) return false;
  const isOfCommand = OF_THE_COMMAND.includes(field) && commandIsKnown(identity);
  if (isOfCommand && (field !== 'cgroup' || cgroupOf(identity) !== undefined)) return false;
  return (marks & (IdentityMark.noDetail | IdentityMark.other)) !== 0;
}

const OF_THE_DISK: readonly FieldName[] = ['disk', 'mount', 'volume'];

/**
 * Whether the disk is asked for of aggregates that may be of any: calls are counted for all disks together, and so is
 * the I/O of disks for whose counts there was no room. Only the name of all of them, such as `other disks`, matches.
 */
function isOfAnyDisk({ field }: Term, identity: Identity): boolean {
  if (!OF_THE_DISK.includes(field) || ownerIsKnown(identity)) return false;
  return (identity.marks & IdentityMark.noDetail) !== 0 && isSharedDevice(identity.dev);
}

/** `found` has the values that the term compares; it is empty if there are none. */
export function meets({ operator, values }: Term, found: readonly TermValue[]): boolean {
  const isAny = (test: (one: TermValue, value: TermValue) => boolean): boolean =>
    found.some((one) => values.some((value) => test(one, value)));
  switch (operator) {
    case '=':
      return isAny((one, value) => one === value);
    case '!=':
      return !isAny((one, value) => one === value);
    case '~':
      return isAny((one, value) => matchesShown(String(value), String(one)));
    case '!~':
      return !isAny((one, value) => matchesShown(String(value), String(one)));
    case '<':
      return isAny((one, value) => one < value);
    case '<=':
      return isAny((one, value) => one <= value);
    case '>':
      return isAny((one, value) => one > value);
    case '>=':
      return isAny((one, value) => one >= value);
  }
}

/** Whether the text matches as it is, or as it is on the screen. */
function matchesShown(pattern: string, text: string): boolean {
  return matches(pattern, text) || matches(pattern, sanitizeText(text));
}

/** Whether the text contains the pattern; a pattern with `*` or `?` has to match the whole text. Ignores case. */
export function matches(pattern: string, text: string): boolean {
  const [glob, word] = [pattern.toLowerCase(), text.toLowerCase()];
  return /[*?]/.test(glob) ? matchesGlob(glob, word) : word.includes(glob);
}

/**
 * Backtracks only to the last `*`, never to an earlier one: the last can match whatever an earlier one would. So the
 * time is at most the product of both lengths, which a regular expression does not guarantee.
 */
function matchesGlob(glob: string, word: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let i = 0; i < word.length;) {
    if (glob[at] === '*') {
      star = at++;
      resume = i;
    } else if (at < glob.length && (glob[at] === '?' || glob[at] === word[i])) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++resume;
    } else return false;
  }
  while (glob[at] === '*') at++;
  return at === glob.length;
}
