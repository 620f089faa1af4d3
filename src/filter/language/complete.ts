import { naturalOrder } from '../../base/natural-order.ts';
import { layerOf } from '../../model/layer.ts';
import { cgroupKey, numberAtHost } from '../../model/identity-names.ts';
import type { IdentityNames } from '../../model/identity-names.ts';
import { userText } from '../../model/known-processes.ts';
import { deviceName, hostOf } from '../../model/device.ts';
import { FILTER_FIELDS, findField, operatorsOf } from '../fields.ts';
import type { Choice, FieldName, FilterField } from '../fields.ts';
import { connectiveOf } from './parse.ts';
import { formatWord, readTokens } from './words.ts';
import type { Token } from './words.ts';
import { cgroupOf, commandIsKnown, ownerIsKnown } from '../../model/identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';

/** Candidates for the text at the cursor: one replaces [from, cursor). */
export interface Completion {
  readonly from: number;
  readonly candidates: readonly Choice[];
}

/** Values seen so far, by field. */
export type KnownTexts = Readonly<Partial<Record<FieldName, readonly Choice[]>>>;

/** Candidates for the word at the cursor, the best first; empty if nothing fits. Positions are in UTF-16 units. */
export function completeFilter(text: string, cursor: number, known: KnownTexts): Completion {
  const tokens = readTokens(text.slice(0, cursor));
  const last = tokens.at(-1);
  const isTyping = last !== undefined && isUnfinished(last, cursor);
  const typed = isTyping ? last.text : '';
  const place = tokens.slice(0, isTyping ? -1 : undefined).reduce(after, START);
  return { from: isTyping ? last.column : cursor, candidates: candidatesAt(place, typed, known) };
}

function isUnfinished({ kind, column, length, isOpen }: Token, cursor: number): boolean {
  return (kind === 'word' && column + length === cursor) || isOpen === true;
}

/**
 * What is expected at the cursor: a condition, another condition, the operator or a value of a field, or nothing that
 * is known.
 */
interface Place {
  readonly expects: 'condition' | 'more' | 'operator' | 'value' | 'unknown';
  readonly field?: FilterField;
}

const START: Place = { expects: 'condition' };
const LOST: Place = { expects: 'unknown' };

function after(place: Place, token: Token): Place {
  const { expects, field } = place;
  if (expects === 'operator')
    return token.kind === 'operator' ? { ...place, expects: 'value' } : LOST;
  if (expects === 'value') return isWord(token) ? { ...place, expects: 'more' } : LOST;
  if (token.kind === ',') return field === undefined ? LOST : { ...place, expects: 'value' };
  if (token.kind === ')') return { expects: 'more' };
  if (token.kind === '(' || connectiveOf(token) !== undefined) return START;
  const named = token.kind === 'word' ? findField(token.text) : undefined;
  return named === undefined ? LOST : { expects: 'operator', field: named };
}

function isWord({ kind }: Token): boolean {
  return kind === 'word' || kind === 'quoted';
}

function candidatesAt({ expects, field }: Place, typed: string, known: KnownTexts): Choice[] {
  switch (expects) {
    case 'condition':
      return [...fieldCandidates(typed), ...beginning(typed, NEGATION)];
    case 'more':
      return [...fieldCandidates(typed), ...beginning(typed, [...NEGATION, ...CONNECTIVES])];
    case 'operator':
      return field === undefined || typed !== '' ? [] : operatorCandidates(field, '');
    case 'value':
      return field === undefined ? [] : valueCandidates(field, typed, known);
    case 'unknown':
      return [];
  }
}

const NEGATION: readonly Choice[] = [{ text: 'not ', description: 'negates the next condition' }];
const CONNECTIVES: readonly Choice[] = [
  { text: 'or ', description: 'either condition' },
  { text: 'and ', description: 'both conditions (same as a space)' },
];

/** For a complete name, its operators are offered; for an alias, the name. */
function fieldCandidates(typed: string): Choice[] {
  const named = findField(typed);
  if (named !== undefined) return operatorCandidates(named, named.name);
  const wanted = typed.toLowerCase();
  return FILTER_FIELDS.filter(({ name, aliases }) =>
    [name, ...aliases].some((word) => word.startsWith(wanted)),
  ).map(({ name, usual, description }) => ({ text: `${name}${usual}`, description }));
}

const OPERATOR_MEANINGS = {
  '=': 'is, or one of a list',
  '!=': 'is not',
  '~': 'contains, or matches a pattern with * and ?',
  '!~': 'does not contain',
  '<': 'less than',
  '<=': 'at most',
  '>': 'more than',
  '>=': 'at least',
} as const;

function operatorCandidates(field: FilterField, before: string): Choice[] {
  const rest = operatorsOf(field).filter((one) => one !== field.usual);
  return [field.usual, ...rest].map((operator) => ({
    text: `${before}${operator}`,
    description: `${field.description}: ${OPERATOR_MEANINGS[operator]}`,
  }));
}

function valueCandidates(field: FilterField, typed: string, known: KnownTexts): Choice[] {
  const seen = known[field.name as FieldName] ?? [];
  const words = [
    ...seen,
    ...field.choices.filter(({ text }) => seen.every((s) => s.text !== text)),
  ];
  return fitting(typed, words).map(({ text, description }) => ({
    text: formatWord(text),
    description,
  }));
}

/** Candidates that start with `typed`, then those that contain it. */
function fitting(typed: string, choices: readonly Choice[]): Choice[] {
  const wanted = typed.toLowerCase();
  const containing = choices.filter(({ text }) => text.toLowerCase().indexOf(wanted) > 0);
  return [...beginning(typed, choices), ...containing];
}

function beginning(typed: string, choices: readonly Choice[]): Choice[] {
  const wanted = typed.toLowerCase();
  return choices.filter(({ text }) => text.toLowerCase().startsWith(wanted));
}

/** The values that occur in the identities of a session. */
export function knownTexts(identities: IdentityTable, names: IdentityNames): KnownTexts {
  const disk = new Texts();
  const host = new Texts();
  const comm = new Texts();
  const pid = new Texts();
  const tid = new Texts();
  const cgroup = new Texts();
  const cmd = new Texts();
  const user = new Texts();
  const mount = new Texts();
  const volume = new Texts();
  for (let index = 0; index < identities.size; index++) {
    const identity = identities.get(index);
    const { dev } = identity;
    const device = names.device(dev);
    const diskName = deviceName(names, dev);
    disk.add(diskName, device?.model ?? '');
    for (const point of device?.mounts ?? []) mount.add(point, diskName);
    for (const name of device?.volumes ?? []) volume.add(name, `on ${diskName}`);
    if (layerOf(identity) === 'volumes') volume.add(diskName, '');
    const machine = hostOf(names, dev);
    if (machine !== undefined) host.add(machine, '');
    if (!commandIsKnown(identity)) continue;
    const id = cgroupOf(identity);
    if (id !== undefined) cgroup.add(cgroupKey(id, dev, names), identity.comm);
    if (!ownerIsKnown(identity)) {
      comm.add(identity.comm, 'many processes');
      continue;
    }
    comm.add(identity.comm, `pid ${identity.tgid}`);
    pid.add(String(numberAtHost(identity.tgid, device?.host)), identity.comm);
    tid.add(String(numberAtHost(identity.tid, device?.host)), identity.comm);
    const facts = names.processes?.facts(identity.tgid, identity.comm);
    const owner = userText(facts);
    if (facts?.command !== undefined) cmd.add(facts.command, `pid ${identity.tgid}`);
    if (owner !== undefined) user.add(owner, identity.comm);
  }
  const found = { disk, host, comm, pid, tid, cgroup, cmd, user, mount, volume };
  return Object.fromEntries(Object.entries(found).map(([field, texts]) => [field, texts.sorted()]));
}

/** Collects texts, each with all of its descriptions. */
class Texts {
  private readonly meanings = new Map<string, Set<string>>();

  add(text: string, meaning: string): void {
    const known = this.meanings.get(text);
    if (known === undefined) this.meanings.set(text, new Set([meaning]));
    else if (known.size < MOST_MEANINGS) known.add(meaning);
  }

  sorted(): Choice[] {
    return [...this.meanings]
      .map(([text, meanings]) => ({ text, description: [...meanings].join(', ') }))
      .sort((a, b) => naturalOrder(a.text, b.text));
  }
}

const MOST_MEANINGS = 3;
