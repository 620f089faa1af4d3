import { deviceName, hostOf, unknownDeviceName } from '../../model/device.ts';
import type { DeviceNames } from '../../model/device.ts';
import type { Term, TermValue } from '../filter.ts';
import { FLAG_BITS } from '../fields.ts';
import type { FieldName } from '../fields.ts';
import { KeyMark, ownerIsKnown } from '../../model/key-table.ts';
import type { CompletionKey } from '../../model/key-table.ts';
import { opClass } from '../../model/operation.ts';
import { Verdict } from '../verdict.ts';
import { errnoOf } from '../../model/request-text.ts';

/** A row of the identity table. */
export type Identity = CompletionKey;

/** Whether I/O of a key meets a term that asks about keys; a value of single I/Os is `maybe` here. */
export function judgeTerm(term: Term, key: CompletionKey, names: DeviceNames): Verdict {
  const facts = FACTS[term.field];
  if (facts === undefined || isFolded(term.field, key)) return Verdict.maybe;
  const found = facts(key, names);
  return meets(term, found) ? Verdict.yes : Verdict.no;
}

/** What a field of a key is: several texts or numbers when it has several names, none when absent. */
type Facts = (key: CompletionKey, names: DeviceNames) => readonly TermValue[];

const FACTS: Partial<Record<FieldName, Facts>> = {
  disk: ({ dev }, names) => [deviceName(names, dev), unknownDeviceName(dev)],
  host: ({ dev }, names) => [hostOf(names, dev)].filter((host) => host !== undefined),
  op: ({ cmdFlags }) => [opClass(cmdFlags)],
  pid: (key) => (ownerIsKnown(key) ? [key.tgid] : []),
  tid: (key) => (ownerIsKnown(key) ? [key.tid] : []),
  comm: (key) => (ownerIsKnown(key) ? [key.comm] : []),
  cgroup: (key) => (ownerIsKnown(key) ? [key.cgroup] : []),
  flag: ({ cmdFlags }) => FLAGS.filter(([, bit]) => (cmdFlags & bit) !== 0).map(([name]) => name),
  error: ({ error }) => (error === 0 ? ['none'] : ['any', errnoOf(error)]),
  owner: (key) => [ownerKind(key)],
};

const FLAGS = Object.entries(FLAG_BITS);

function ownerKind(key: CompletionKey): string {
  if (!ownerIsKnown(key)) return 'unknown';
  return (key.marks & KeyMark.indirect) === 0 ? 'own' : 'indirect';
}

const OF_EVERY_KEY: readonly FieldName[] = ['disk', 'host', 'op'];
const OF_THE_OWNER: readonly FieldName[] = ['pid', 'comm', 'cgroup', 'owner'];

/**
 * Of I/O that was only counted, or folded into one key with others, a key keeps the disk and the
 * operation, and of sums by process the owner; the rest differed from I/O to I/O. An owner that was
 * never seen is different: no later look would find it, so such I/O has no process, and passes
 * `pid!=1`.
 */
function isFolded(field: FieldName, key: CompletionKey): boolean {
  const { marks } = key;
  if (OF_EVERY_KEY.includes(field)) return false;
  if (field === 'error') return (marks & KeyMark.noDetail) !== 0;
  if (OF_THE_OWNER.includes(field) && ownerIsKnown(key)) return false;
  return (marks & (KeyMark.noDetail | KeyMark.other)) !== 0;
}

function meets({ operator, values }: Term, found: readonly TermValue[]): boolean {
  switch (operator) {
    case '=':
      return found.some((one) => values.includes(one));
    case '!=':
      return !found.some((one) => values.includes(one));
    case '~':
      return found.some((one) => values.some((value) => matches(String(value), String(one))));
    case '!~':
      return !found.some((one) => values.some((value) => matches(String(value), String(one))));
    case '<':
      return found.some((one) => one < values[0]!);
    case '<=':
      return found.some((one) => one <= values[0]!);
    case '>':
      return found.some((one) => one > values[0]!);
    case '>=':
      return found.some((one) => one >= values[0]!);
  }
}

/** Whether the pattern is a part of the text, or with `*` and `?` all of it; case is ignored. */
export function matches(pattern: string, text: string): boolean {
  const [glob, word] = [pattern.toLowerCase(), text.toLowerCase()];
  return /[*?]/.test(glob) ? matchesGlob(glob, word) : word.includes(glob);
}

/**
 * Goes back to the last `*` only, never to one before: what that one took can be taken by the last.
 * So the time is at most the product of both lengths, which a regular expression does not promise.
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
