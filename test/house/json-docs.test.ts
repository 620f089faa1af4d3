import { describe, expect, it } from 'vitest';
import { reportJson } from '../../src/export/report/report-json.ts';
import { runDoctor } from '../../src/kernel/doctor/run-doctor.ts';
import { createReport, doctorJson } from '../../src/kernel/doctor/report.ts';
import { BARE, FULL, UNKNOWN_IN_FLIGHT } from '../export/report/fixtures/reports.ts';
import { describedMachine } from '../kernel/fixtures/machines.ts';
import { blockOf, documentText } from './documents.ts';

type Json = Readonly<Record<string, unknown>>;

interface Field {
  readonly name: string;
  /** `integer or null`, `list of objects`, `text or absent`. */
  readonly type: string;
}

function documented(block: string): readonly Field[] {
  const { block: text } = blockOf(documentText('docs/json.md'), `json ${block}`);
  return [...text.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, name, type]) => ({
    name: name!,
    type: type!,
  }));
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  text: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  absent: (value) => value === undefined,
  object: (value) => isObject(value),
  'list of objects': (value) => Array.isArray(value) && value.every(isObject),
  'list of text': (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
};

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is wrong with objects that a block describes, and which of its types none of them has. */
function differences(block: string, objects: readonly Json[]): string[] {
  const fields = documented(block);
  const types = fields.map(({ name, type }) => ({ name, all: type.split(' or ') }));
  const names = new Set(objects.flatMap((one) => Object.keys(one)));
  const order = [...names].join(' ') === fields.map(({ name }) => name).join(' ') ? [] : [...names];
  const isOf = (name: string, type: string) => (one: Json) => TYPES[type]?.(one[name]) ?? false;
  const wrong = types.flatMap(({ name, all }) =>
    objects
      .filter((one) => !all.some((type) => isOf(name, type)(one)))
      .map(() => `not so: ${name}`),
  );
  const unused = types.flatMap(({ name, all }) =>
    all.filter((type) => !objects.some(isOf(name, type))).map((type) => `never ${type}: ${name}`),
  );
  return [...order, ...wrong, ...unused];
}

const REPORTS = [FULL, BARE, UNKNOWN_IN_FLIGHT].map(
  (report) => JSON.parse(reportJson(report)) as Json,
);

const listsOf = (name: string): Json[] =>
  REPORTS.flatMap((report) => (report[name] ?? []) as readonly Json[]);
const objectsIn = (all: readonly Json[], name: string): Json[] =>
  all.map((one) => one[name]).filter(isObject);

const FIGURE_NAMES = new Set(documented('figures').map(({ name }) => name));
const GROUPS = ['disks', 'processes', 'cgroups'].flatMap(listsOf);

/** The part of an object that `figures` describes, or the rest. */
function part(all: readonly Json[], isFigures: boolean): Json[] {
  return all.map((one) =>
    Object.fromEntries(
      Object.entries(one).filter(([name]) => FIGURE_NAMES.has(name) === isFigures),
    ),
  );
}

const FIGURE_OBJECTS = [...objectsIn(REPORTS, 'totals'), ...part(GROUPS, true)];

const DESCRIBED: Readonly<Record<string, readonly Json[]>> = {
  report: REPORTS,
  trace: objectsIn(REPORTS, 'trace'),
  devices: objectsIn(REPORTS, 'trace').flatMap(({ devices }) => devices as readonly Json[]),
  figures: FIGURE_OBJECTS,
  latency: ['queue_latency', 'device_latency', 'total_latency'].flatMap((name) =>
    objectsIn(FIGURE_OBJECTS, name),
  ),
  disks: part(listsOf('disks'), false),
  processes: part(listsOf('processes'), false),
  cgroups: part(listsOf('cgroups'), false),
  stalled: [...objectsIn(REPORTS, 'stalled'), ...objectsIn(listsOf('cgroups'), 'stalled')],
  worst: inDocumentedOrder(listsOf('worst')),
  in_flight: listsOf('in_flight'),
  errors: listsOf('errors'),
  losses: objectsIn(REPORTS, 'losses'),
  by_disk: objectsIn(REPORTS, 'losses').flatMap(({ by_disk: lost }) => lost as readonly Json[]),
  gaps: listsOf('gaps'),
  notes: listsOf('notes'),
  problems: listsOf('problems'),
};

/** The order of members has no meaning; the page has that of the columns of exports. */
function inDocumentedOrder(objects: readonly Json[]): Json[] {
  const names = documented('worst').map(({ name }) => name);
  return objects.map((one) =>
    Object.fromEntries(Object.entries(one).sort(([a], [b]) => names.indexOf(a) - names.indexOf(b))),
  );
}

describe('docs/json.md', () => {
  it.each(Object.entries(DESCRIBED))(
    'describes every field of "%s" of report --json, with all types that it can have',
    (block, objects) => {
      expect(objects).not.toEqual([]);
      expect(differences(block, objects)).toEqual([]);
    },
  );

  it('describes every field of doctor --json, and every check', async () => {
    const { checks } = await runDoctor(describedMachine());
    const lossy = { ...checks[0]!, status: 'warn', lost: 'a thing', remedy: 'a command' } as const;
    const reports = [createReport([...checks, lossy])];
    const printed = reports.map((report) => JSON.parse(doctorJson(report)) as Json);
    expect(differences('doctor', printed)).toEqual([]);
    const all = printed.flatMap(({ checks: found }) => found as readonly Json[]);
    expect(differences('checks', all)).toEqual([]);
    const { block } = blockOf(documentText('docs/json.md'), 'json check ids');
    const described = [...block.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, id]) => id);
    const ids = checks.map(({ id }) => id.replace(/^(tracepoint)-.*/, '$1-NAME'));
    expect(described).toEqual([...new Set(ids)]);
  });
});
