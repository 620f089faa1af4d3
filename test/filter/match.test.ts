import fc from 'fast-check';
import { ProcessBook } from '../../src/model/known-processes.ts';
import { describe, expect, it } from 'vitest';
import { UNKNOWN_FILE } from '../../src/model/file.ts';
import { CALL_SHIFT, callFlags, CALLS } from '../../src/model/call.ts';
import { createColumns, resultsOf } from '../../src/model/completion-columns.ts';
import type { CompletionColumns } from '../../src/model/completion-columns.ts';
import {
  deviceName,
  OTHER_DISKS,
  packDevice,
  UNKNOWN_DEVICE,
  unknownDeviceName,
} from '../../src/model/device.ts';
import type { DeviceInfo } from '../../src/model/device.ts';
import { group, negate, NO_FILTER, termsOf } from '../../src/filter/filter.ts';
import type { Filter, Term, TermValue } from '../../src/filter/filter.ts';
import { compileFilter, compileInLayer } from '../../src/filter/match/match.ts';
import type { KnownRange } from '../../src/filter/match/match.ts';
import { asksFile, quantityOf } from '../../src/filter/fields.ts';
import type { Quantity } from '../../src/filter/fields.ts';
import { matches } from '../../src/filter/match/identity-facts.ts';
import { nextAbove } from '../../src/filter/match/value-set.ts';
import { otherIdentity } from '../../src/model/folded-identity.ts';
import { IdentityMark, OTHER_COMM } from '../../src/model/identity.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import type { Identity } from '../../src/model/identity.ts';
import { layerOf } from '../../src/model/layer.ts';
import { openFlagsOf } from '../../src/model/open-flags.ts';
import { Op, OP_CLASSES, OP_UNKNOWN, RequestFlag, opClass } from '../../src/model/operation.ts';
import { Verdict } from '../../src/filter/verdict.ts';
import { anyCondition, anyFilter, anyTerm, parsed } from './fixtures.ts';
import { errnoOf } from '../../src/model/request-text.ts';

const SDA = packDevice(8, 0);
const SDB = packDevice(8, 16);
const KEY: Identity = {
  dev: SDA,
  cmdFlags: Op.write | RequestFlag.sync,
  tgid: 812,
  tid: 813,
  comm: 'mysqld',
  cgroup: 1,
  error: 0,
  marks: 0,
};

const NAMES = new Map<number, string>([
  [SDA, 'sda'],
  [SDB, 'sdb'],
]);
const names = {
  device: (dev: number): DeviceInfo | undefined => {
    const name = NAMES.get(dev);
    if (name === undefined) return undefined;
    return {
      dev,
      name,
      ...(dev === SDB && { host: 'web1', mounts: ['/', '/srv'], volumes: ['vg0-data'] }),
    };
  },
  processes: {
    version: 0,
    facts: (tgid: number, comm: string) =>
      tgid < 5 ? { command: `${comm} --id ${tgid}`, user: 'web', uid: 33 } : undefined,
  },
};

interface Row {
  readonly deviceNs: number;
  readonly queueNs: number;
  readonly sector: number;
  readonly bytes: number;
  readonly key: Identity;
  /** Of a call; undefined: it has none. */
  readonly result?: number | undefined;
  /** Of a file its path; undefined: unknown. */
  readonly path?: string | undefined;
}

const ROW: Row = { deviceNs: 1e6, queueNs: 5e5, sector: 8, bytes: 4096, key: KEY };

function table(rows: readonly Row[]): { identities: IdentityTable; columns: CompletionColumns } {
  const identities = new IdentityTable();
  const columns = createColumns(rows.length);
  rows.forEach((row, i) => {
    columns.deviceNs[i] = row.deviceNs;
    columns.queueNs[i] = row.queueNs;
    columns.sector[i] = row.sector;
    columns.bytes[i] = row.bytes;
    columns.identity[i] = identities.intern(row.key);
    columns.file[i] = numberOf(row.path, identities);
    if (row.result !== undefined) resultsOf(columns)[i] = row.result;
  });
  columns.length = rows.length;
  return { identities, columns };
}

function numberOf(path: string | undefined, { files }: IdentityTable): number {
  if (path === undefined) return UNKNOWN_FILE;
  return files.intern({ kind: 'file', dev: SDA, inode: path.length, generation: 0, path });
}

function verdictOf(text: string, changes: Partial<Row> = {}): Verdict {
  const { identities, columns } = table([{ ...ROW, ...changes }]);
  return compileFilter(parsed(text), identities, names).judgeRows(columns, 0, 1)[0] as Verdict;
}

function passes(text: string, changes: Partial<Row> = {}): boolean {
  return verdictOf(text, changes) === Verdict.yes;
}

function passesKey(text: string, changes: Partial<Identity>): boolean {
  return passes(text, { key: { ...KEY, ...changes } });
}

/** The meaning of a filter, as plainly as it can be put; undefined: it cannot be told. */
function plainly(filter: Filter, row: Row): boolean | undefined {
  switch (filter.kind) {
    case 'everything':
      return true;
    case 'not':
      return inverse(plainly(filter.condition, row));
    case 'and':
      return conjunction(filter.conditions.map((one) => plainly(one, row)));
    case 'or':
      return inverse(conjunction(filter.conditions.map((one) => inverse(plainly(one, row)))));
    case 'term':
      return plainTerm(filter, row);
  }
}

function inverse(answer: boolean | undefined): boolean | undefined {
  return answer === undefined ? undefined : !answer;
}

function conjunction(answers: readonly (boolean | undefined)[]): boolean | undefined {
  if (answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}

function plainTerm(term: Term, row: Row): boolean | undefined {
  const found = plainFacts(term, row);
  if (found === undefined) return undefined;
  const { operator, values } = term;
  const one = values[0]!;
  switch (operator) {
    case '=':
      return values.some((value) => found.includes(value));
    case '!=':
      return !values.some((value) => found.includes(value));
    case '~':
      return found.some((text) => values.some((value) => plainMatch(String(value), String(text))));
    case '!~':
      return !found.some((text) => values.some((value) => plainMatch(String(value), String(text))));
    case '<':
      return found.some((value) => value < one);
    case '<=':
      return found.some((value) => value <= one);
    case '>':
      return found.some((value) => value > one);
    case '>=':
      return found.some((value) => value >= one);
  }
}

function plainFacts({ field }: Term, { key, ...row }: Row): readonly TermValue[] | undefined {
  const { marks, cmdFlags } = key;
  const isFolded = (marks & (IdentityMark.noDetail | IdentityMark.other)) !== 0;
  const isOwned = (marks & (IdentityMark.ownerUnknown | IdentityMark.other)) === 0;
  const isOfCommand = (marks & IdentityMark.other) !== 0 && key.comm !== OTHER_COMM;
  const hasCommand = isOwned || isOfCommand;
  const ifKnown = <T>(isKnown: boolean, values: readonly T[]): readonly T[] | undefined =>
    isKnown ? values : isFolded ? undefined : [];
  const owned = <T>(...values: readonly T[]): readonly T[] | undefined => ifKnown(isOwned, values);
  const host = names.device(key.dev)?.host;
  const atHost = (number: number): readonly string[] =>
    host === undefined ? [] : [`${number}@${host}`];
  const measured = (value: number): readonly number[] => (Number.isNaN(value) ? [] : [value]);
  const isDivided = layerOf(key) === 'disks';
  const [deviceNs, queueNs] = [Math.fround(row.deviceNs), Math.fround(row.queueNs)];
  switch (field) {
    case 'disk':
      return [deviceName(names, key.dev), unknownDeviceName(key.dev)];
    case 'host':
      return host === undefined ? [] : [host];
    case 'op':
      return [OP_CLASSES[[0, 1, 2, 3].indexOf(cmdFlags & 0xff)] ?? 'other'];
    case 'pid':
      return owned<TermValue>(key.tgid, ...atHost(key.tgid));
    case 'tid':
      return isFolded ? undefined : owned<TermValue>(key.tid, ...atHost(key.tid));
    case 'comm':
      return ifKnown(hasCommand, [key.comm]);
    case 'cmd':
      return key.tgid < 5
        ? owned(`${key.comm} --id ${key.tgid}`)
        : isOwned || !isFolded
          ? []
          : undefined;
    case 'user':
      return isOwned ? (key.tgid < 5 ? ['web', '33'] : []) : isFolded ? undefined : [];
    case 'mount':
      return names.device(key.dev)?.mounts ?? [];
    case 'volume': {
      const on = names.device(key.dev)?.volumes ?? [];
      return key.layer === 'volumes' ? [deviceName(names, key.dev), ...on] : on;
    }
    case 'cgroup':
      return ifKnown(
        isOwned || (isOfCommand && key.cgroup > 0),
        key.cgroup === 0 ? [] : [String(key.cgroup), ...atHost(key.cgroup)],
      );
    case 'fileoffset':
      return [];
    case 'file':
      return row.path === undefined ? ['(unknown)', 'unknown'] : [row.path];
    case 'folder': {
      const folder = row.path?.replace(/[^/]*$/, '');
      if (folder === undefined) return [];
      return folder === '/' ? [folder] : [folder, folder.slice(0, -1)];
    }
    case 'flag':
      return isFolded ? undefined : plainFlags(key);
    case 'error':
      if ((marks & IdentityMark.noDetail) !== 0) return undefined;
      return key.error === 0 ? ['none'] : ['any', errnoOf(key.error)];
    case 'owner':
      if (!hasCommand) return isFolded ? undefined : ['unknown'];
      if (key.via !== undefined)
        return [
          'through',
          ...(opClass(cmdFlags) === 'write' ? ['writeback'] : []),
          ...((marks & IdentityMark.severalWriters) === 0 ? [] : ['shared']),
        ];
      return [(marks & IdentityMark.indirect) !== 0 ? 'indirect' : 'own'];
    case 'via': {
      if (!hasCommand) return isFolded ? undefined : [];
      const thread = key.via ?? ((marks & IdentityMark.indirect) === 0 ? undefined : key.comm);
      return thread === undefined ? [] : [thread, thread.replace(/[/].*/s, '')];
    }
    case 'layer':
      return [key.layer ?? 'disks'];
    case 'call':
      if (key.layer !== 'waits' && key.layer !== 'calls') return [];
      return isFolded ? undefined : [cmdFlags === FSYNC ? 'fsync' : 'other'];
    case 'ret':
      return row.result === undefined ? [] : [row.result];
    case 'lat':
      return measured(deviceNs + queueNs);
    case 'dlat':
      return isDivided ? measured(deviceNs) : [];
    case 'qlat':
      return isDivided ? measured(queueNs) : [];
    case 'size':
      return row.bytes > 0 ? [row.bytes] : [];
    case 'offset':
      return measured(row.sector * 512);
    case 'sector':
      return measured(row.sector);
  }
}

function plainFlags(identity: Identity): string[] {
  if (identity.layer === 'waits' || identity.layer === 'calls')
    return (openFlagsOf(identity) ?? []).map((name) => name.toLowerCase());
  return Object.entries(RequestFlag)
    .filter(([, bit]) => (identity.cmdFlags & bit) !== 0)
    .map(([name]) => name.toLowerCase());
}

function plainMatch(pattern: string, text: string): boolean {
  const [p, t] = [pattern.toLowerCase(), text.toLowerCase()];
  if (!/[*?]/.test(p)) return t.includes(p);
  const source = p
    .replace(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replaceAll('?', '[^]')
    .replaceAll('*', '[^]*');
  return new RegExp(`^${source}$`).test(t);
}

const FSYNC = (CALLS.indexOf('fsync') << CALL_SHIFT) | 2;

const anyKey: fc.Arbitrary<Identity> = fc.record({
  dev: fc.constantFrom(SDA, SDB, packDevice(7, 1)),
  cmdFlags: fc.constantFrom(0, 1, 2, 3, 34, 1 | RequestFlag.fua, RequestFlag.meta, 1 << 19, FSYNC),
  tgid: fc.nat(9),
  tid: fc.nat(9),
  comm: fc.constantFrom('mysqld', 'kworker/u8:1', 'MyISAM', 'or', 'k1', '', OTHER_COMM),
  cgroup: fc.nat(9),
  error: fc.constantFrom(0, 0, -5, 28),
  marks: fc.constantFrom(
    0,
    0,
    0,
    IdentityMark.indirect,
    IdentityMark.ownerUnknown,
    IdentityMark.other | 1,
    5,
    IdentityMark.indirect | IdentityMark.severalWriters,
  ),
  via: fc.constantFrom(undefined, undefined, 'kworker/u8:1', 'k1'),
  layer: fc.constantFrom(undefined, 'volumes' as const, 'waits' as const, 'calls' as const),
});

const anyRow: fc.Arbitrary<Row> = fc.record({
  deviceNs: fc.oneof(fc.constantFrom(NaN, 0, 1e3, 1.5e6, 10e6), fc.nat(20e6)),
  queueNs: fc.oneof(fc.constantFrom(NaN, 0, 1e3, 1.5e6), fc.nat(20e6)),
  sector: fc.oneof(fc.constantFrom(NaN, 0, 8, 2 ** 20), fc.nat(2 ** 12), fc.nat(2 ** 40)),
  bytes: fc.oneof(fc.constantFrom(0, 512, 4096, 65536), fc.nat(2 ** 20)),
  key: anyKey,
  path: fc.constantFrom(undefined, '/or', '/var/log/k1', '/srv/MyISAM/orders'),
  result: fc.constantFrom(undefined, undefined, -3, -2, 0, 1, 4096),
});

function verdict(answer: boolean | undefined): Verdict {
  if (answer === undefined) return Verdict.maybe;
  return answer ? Verdict.yes : Verdict.no;
}

describe('a compiled filter', () => {
  it('a compiled filter decides on every row as the plain definition does, in any block sizes', () => {
    const rows = fc.array(anyRow, { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(anyFilter, rows, fc.nat(), (filter, some, cut) => {
        const { identities, columns } = table(some);
        const compiled = compileFilter(filter, identities, names);
        const at = cut % (some.length + 1);
        const first = [...compiled.judgeRows(columns, 0, at)];
        const rest = [...compiled.judgeRows(columns, at, some.length)];
        const wanted = some.map((row) => verdict(plainly(filter, row)));
        expect([...first, ...rest]).toEqual(wanted);
        expect(compiled.passesAll).toBe(filter.kind === 'everything');
      }),
      { numRuns: 2000 },
    );
  });

  it('long compiled filters with extreme values decide as the plain definition does', () => {
    const values = anyTerm.filter(({ field }) => quantityOf(field) !== undefined);
    const anyPart = fc
      .tuple(fc.array(values, { minLength: 10, maxLength: 15 }), fc.boolean(), anyCondition)
      .map(([[first, ...rest], isInverse, other]) => {
        const part = group('or', [group('and', [first!, other]), ...rest]);
        return isInverse ? negate(part) : part;
      });
    const parts = fc.tuple(anyPart, anyPart, anyPart, anyPart);
    const extreme = fc.constantFrom(Infinity, 0, NaN, 1e-40, 2 ** 42, 4e12);
    const anyExtreme = fc.record({ deviceNs: extreme, queueNs: extreme });
    const rows = fc.array(
      fc.oneof(
        anyRow,
        fc.tuple(anyRow, anyExtreme).map(([row, some]) => ({ ...row, ...some })),
        anyRow.map((row) => ({ ...row, bytes: 2 ** 32 - 512 })),
      ),
      { minLength: 20, maxLength: 80 },
    );
    fc.assert(
      fc.property(
        parts,
        fc.constantFrom('and' as const, 'or' as const),
        rows,
        (all, kind, some) => {
          const filter = group(kind, all);
          const { identities, columns } = table(some);
          const judged = compileFilter(filter, identities, names).judgeRows(
            columns,
            0,
            some.length,
          );
          expect([...judged]).toEqual(some.map((row) => verdict(plainly(filter, row))));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('a compiled filter decides as the plain definition does on many rows', () => {
    const rows = fc.sample(anyRow, { numRuns: 5000, seed: 1 });
    const { identities, columns } = table(rows);
    for (const filter of fc.sample(anyFilter, { numRuns: 20, seed: 1 })) {
      const compiled = compileFilter(filter, identities, names);
      const wanted = rows.map((row) => verdict(plainly(filter, row)));
      expect([...compiled.judgeRows(columns, 3, 5000)]).toEqual(wanted.slice(3));
    }
  });

  it('a filter never answers yes or no for an aggregate when one of its rows disagrees', () => {
    const rows = fc.array(anyRow, { minLength: 1, maxLength: 4 });
    const known = fc.subarray<Quantity>(['device', 'queue', 'total', 'size', 'offset']);
    fc.assert(
      fc.property(anyFilter, rows, known, (filter, some, quantities) => {
        const alike = some.map((row) => ({ ...row, key: some[0]!.key }));
        const { identities, columns } = table(alike);
        const compiled = compileFilter(filter, identities, names);
        const judged = compiled.judge(0, (quantity) =>
          quantities.includes(quantity) ? rangeOf(quantity, columns) : undefined,
        );
        const verdicts = [...compiled.judgeRows(columns, 0, alike.length)];
        if (judged !== Verdict.maybe) {
          expect(new Set(verdicts)).toEqual(new Set([judged]));
        }
        const isKeyEnough = !compiled.asksSingleIo;
        if (isKeyEnough) expect(judged).toBe(verdicts[0]);
        if (compiled.judge(0) !== Verdict.maybe) expect(judged).toBe(compiled.judge(0));
      }),
      { numRuns: 2000 },
    );
  });

  it('a filter answers for an aggregate of one I/O as for that I/O', () => {
    fc.assert(
      fc.property(anyFilter, anyRow, (filter, row) => {
        fc.pre(
          filter.kind === 'everything' || !termsOf(filter).some(({ field }) => asksFile(field)),
        );
        const { identities, columns } = table([row]);
        const compiled = compileFilter(filter, identities, names);
        const judged = compiled.judge(0, (quantity) => rangeOf(quantity, columns));
        expect(judged).toBe(compiled.judgeRows(columns, 0, 1)[0]);
      }),
      { numRuns: 2000 },
    );
  });

  it('an empty filter passes everything', () => {
    const { identities, columns } = table([ROW]);
    const compiled = compileFilter(NO_FILTER, identities, names);
    expect(compiled.passesAll).toBe(true);
    expect([...compiled.judgeRows(columns, 0, 1)]).toEqual([Verdict.yes]);
    expect(compiled.judge(0)).toBe(Verdict.yes);
  });

  it('a compiled filter knows which fields it needs', () => {
    const asked = (text: string): readonly Quantity[] =>
      compileFilter(parsed(text), new IdentityTable(), names).quantities;
    expect(asked('disk=sda or not op=read')).toEqual([]);
    expect(asked('disk=sda (lat>1ms or not sector<9) offset>1k')).toEqual(['total', 'offset']);
  });

  it('a compiled filter matches identities that were interned after it was compiled', () => {
    const identities = new IdentityTable();
    const compiled = compileFilter(parsed('pid=5'), identities, names);
    for (let tgid = 0; tgid < 1000; tgid++) {
      const key = identities.intern({ ...KEY, tgid });
      expect(compiled.judge(key)).toBe(tgid === 5 ? Verdict.yes : Verdict.no);
    }
  });

  it('a filter on a cgroup matches its number, and its name as soon as that is known', () => {
    const late = new Map<number, string>();
    const cgroups = { name: (id: number) => late.get(id) };
    const owners = [7, 8].map((cgroup) => ({ ...ROW, key: { ...KEY, cgroup } }));
    const { identities, columns: rows } = table(owners);
    const compiled = compileFilter(parsed('cgroup~WEB'), identities, { ...names, cgroups });
    expect([...compiled.judgeRows(rows, 0, 2)]).toEqual([Verdict.no, Verdict.no]);
    late.set(7, 'docker web');
    expect([...compiled.judgeRows(rows, 0, 2)]).toEqual([Verdict.yes, Verdict.no]);
    expect(compiled.judge(0)).toBe(Verdict.yes);
    const exact = parsed('cgroup="docker web",8');
    const byName = compileFilter(exact, identities, { ...names, cgroups });
    expect([...byName.judgeRows(rows, 0, 2)]).toEqual([Verdict.yes, Verdict.yes]);
  });

  it('comm~ takes a name as the screen shows it, with ? for what terminals do not draw alike', () => {
    const shown = { 'esc\x1b[2Jx': 'esc?[2Jx', '😀wide': '?wide', 'e\u0301t': 'ét', 'a\tb': 'a b' };
    const escaped = String.raw`caf\351`;
    for (const [comm, text] of [...Object.entries(shown), [escaped, escaped]] as const) {
      const identities = new IdentityTable();
      const [its, other] = [comm, 'other'].map((one) => identities.intern({ ...KEY, comm: one }));
      const judge = (filter: string) => {
        const compiled = compileFilter(parsed(filter), identities, names);
        return [compiled.judge(its!), compiled.judge(other!)];
      };
      expect(judge(`comm~"${text}"`), text).toEqual([Verdict.yes, Verdict.no]);
      expect(judge(`comm!~"${text}"`), text).toEqual([Verdict.no, Verdict.yes]);
    }
    const identities = new IdentityTable();
    const key = identities.intern({ ...KEY, comm: escaped });
    expect(compileFilter(parsed(`comm=${escaped}`), identities, names).judge(key)).toBe(
      Verdict.yes,
    );
  });

  it('a filter on a command line, a user or a mount point matches as soon as these are known', () => {
    const book = new ProcessBook(9);
    const mounts: string[] = [];
    const identities = new IdentityTable();
    const key = identities.intern(KEY);
    const late = { device: () => ({ dev: SDA, name: 'sda', mounts }), processes: book };
    const [cmd, user, uid, mount] = ['cmd~"app db"', 'user=web', 'uid=33', 'mount=/srv'].map(
      (text) => compileFilter(parsed(text), identities, late),
    );
    for (const one of [cmd, user, uid, mount]) expect(one!.judge(key)).toBe(Verdict.no);
    book.add(KEY.tgid, 'another', { command: 'postgres: app db', user: 'web', uid: 33 });
    for (const one of [cmd, user, uid]) expect(one!.judge(key)).toBe(Verdict.no);
    book.add(KEY.tgid, KEY.comm, { command: 'postgres: app db', user: 'web', uid: 33 });
    mounts.push('/srv');
    for (const one of [cmd, user, uid, mount]) expect(one!.judge(key)).toBe(Verdict.yes);
  });

  it('a filter on a mount point matches once it is one of several, and afterwards', () => {
    let mounts = ['/'];
    const identities = new IdentityTable();
    const key = identities.intern(KEY);
    const names = { device: () => ({ dev: SDA, name: 'sda', mounts, volumes: mounts }) };
    const ofMount = compileFilter(parsed('mount=/srv'), identities, names);
    const ofVolume = compileFilter(parsed('volume=/srv'), identities, names);
    for (const [then, verdict] of [
      [['/'], Verdict.no],
      [['/', '/srv'], Verdict.yes],
      [['/'], Verdict.yes],
    ] as const) {
      mounts = [...then];
      expect([ofMount.judge(key), ofVolume.judge(key)]).toEqual([verdict, verdict]);
    }
  });

  it('a filter on a disk name matches a disk as soon as it gets that name', () => {
    const late = new Map<number, DeviceInfo>();
    const identities = new IdentityTable();
    const key = identities.intern(KEY);
    const compiled = compileFilter(parsed('disk=sda'), identities, {
      device: (dev) => late.get(dev),
    });
    expect(compiled.judge(key)).toBe(Verdict.no);
    late.set(SDA, { dev: SDA, name: 'sda' });
    expect(compiled.judge(key)).toBe(Verdict.yes);
  });

  it.each(['volumes', 'waits', 'calls'] as const)(
    'in %s, of which only the total latency is known, the parts match as unknown',
    (layer) => {
      const key: Identity = { ...KEY, layer };
      const isMet = (text: string): boolean => passes(text, { key, queueNs: 0, deviceNs: 2e6 });
      expect(['qlat<1ms', 'qlat=0ms', 'dlat>1ms'].filter(isMet)).toEqual([]);
      expect(
        ['qlat!=0ms', 'not dlat>1ms', 'lat>1ms', 'lat=2ms'].filter((text) => !isMet(text)),
      ).toEqual([]);
      const { identities, columns } = table([{ ...ROW, key, queueNs: 0 }]);
      const inLayer = compileInLayer(parsed('qlat<1ms'), layer, identities, names);
      expect([...inLayer.judgeRows(columns, 0, 1)]).toEqual([Verdict.no]);
    },
  );

  it('of disks, too, the parts match as unknown in a log with total latencies alone', () => {
    const { identities, columns } = table([{ ...ROW, queueNs: 0 }]);
    const known = { ...names, origin: { latency: 'total' } } as const;
    const verdict = (text: string): number =>
      compileInLayer(parsed(text), 'disks', identities, known).judgeRows(columns, 0, 1)[0]!;
    expect([
      verdict('qlat<1ms'),
      verdict('dlat=1ms'),
      verdict('lat=1ms'),
      verdict('qlat!=0ms'),
    ]).toEqual([...[Verdict.no, Verdict.no, Verdict.yes, Verdict.yes]]);
  });

  it('a filter on a volume matches I/O of the volume as soon as it gets its name, also if nothing lies on it', () => {
    const late = new Map<number, DeviceInfo>();
    const identities = new IdentityTable();
    const key = identities.intern({ ...KEY, layer: 'volumes' });
    const compiled = compileFilter(parsed('volume=vg0-data'), identities, {
      device: (dev) => late.get(dev),
    });
    expect(compiled.judge(key)).toBe(Verdict.no);
    late.set(SDA, { dev: SDA, name: 'vg0-data' });
    expect(compiled.judge(key)).toBe(Verdict.yes);
  });
});

function rangeOf(quantity: Quantity, rows: CompletionColumns): KnownRange {
  const values = Array.from({ length: rows.length }, (_, i) => valueOf(quantity, rows, i));
  const known = values.filter((value) => !Number.isNaN(value));
  return {
    low: Math.min(...known),
    high: known.length === 0 ? -Infinity : nextAbove(Math.max(...known)),
    someLackIt: known.length < values.length,
  };
}

function valueOf(quantity: Quantity, rows: CompletionColumns, i: number): number {
  const deviceNs = rows.deviceNs[i]!;
  const queueNs = rows.queueNs[i]!;
  const size = rows.bytes[i]! === 0 ? NaN : rows.bytes[i]!;
  const offset = rows.sector[i]! * 512;
  const times = { device: deviceNs, queue: queueNs, total: deviceNs + queueNs };
  return {
    ...times,
    size,
    offset,
    'file-offset': rows.fileOffset[i]!,
    result: rows.result[i] ?? NaN,
  }[quantity];
}

describe('a term', () => {
  it('a filter term with several values matches any of them', () => {
    expect(passes('disk=sdb,sda')).toBe(true);
    expect(passes('disk=8:0')).toBe(true);
    expect(passes('disk=sdb')).toBe(false);
    expect(passes('op=read,write')).toBe(true);
    expect(passes('op=read')).toBe(false);
    expect(passes('pid=812 tid=813 cgroup=1')).toBe(true);
    expect(passes('comm=MYSQLD')).toBe(false);
    expect(passes('comm~SQL')).toBe(true);
    expect(passes('comm~my*d comm~mysql? comm!~my')).toBe(false);
    expect(passes('flag=fua,sync')).toBe(true);
    expect(passes('flag=fua')).toBe(false);
    expect(passesKey('error=any error=5 error!=none', { error: -5 })).toBe(true);
    expect(passesKey('owner=indirect', { marks: IdentityMark.indirect })).toBe(true);
    const written = { marks: IdentityMark.indirect, via: 'kworker/u8:1' };
    expect(passesKey('owner=writeback owner!=shared owner!=indirect', written)).toBe(true);
    const shared = { ...written, marks: written.marks | IdentityMark.severalWriters };
    expect(passesKey('owner=writeback owner=shared', shared)).toBe(true);
    expect(passesKey('volume=vg0-data', { dev: SDB })).toBe(true);
    expect(passesKey('volume=vg0-data', {})).toBe(false);
    expect(passesKey('volume=sda', {})).toBe(false);
    expect(passesKey('volume=sda', { layer: 'volumes' })).toBe(true);
    // A volume below another one has the same bytes again.
    expect(passesKey('volume=vg0-data', { dev: SDB, layer: 'volumes' })).toBe(false);
    expect(passesKey('via=kworker via=kworker/u8:1 via~u8 comm=mysqld', written)).toBe(true);
    expect(passesKey('via=jbd2', { marks: IdentityMark.indirect, comm: 'jbd2/sda1-8' })).toBe(true);
    expect(passes('via~k')).toBe(false);
  });

  it('a filter on values compares each I/O', () => {
    expect(passes('lat=1500us lat>1ms lat<=1.5ms dlat=1ms qlat=500us')).toBe(true);
    expect(passes('lat>1.5ms')).toBe(false);
    expect(passes('size=4k offset=4k sector=8 sector<9')).toBe(true);
    expect(passes('size=512,4k')).toBe(true);
  });

  it('a term does not match an I/O without the value, unless it is negated', () => {
    const flush = { bytes: 0, sector: NaN, deviceNs: NaN };
    for (const text of ['size=0', 'size<1k', 'offset>=0', 'lat>=0ns', 'dlat<1s']) {
      expect(passes(text, flush)).toBe(false);
      expect(passes(`not ${text}`, flush)).toBe(true);
    }
    expect(passes('size!=4k', flush)).toBe(true);
  });

  it('an unknown result or operation matches no filter on it, unless it is negated', () => {
    const asLogged = { error: 0, cmdFlags: OP_UNKNOWN, marks: IdentityMark.errorUnknown };
    const folded = otherIdentity({ ...KEY, ...asLogged });
    for (const key of [asLogged, folded]) {
      for (const text of ['error=none', 'error=any', 'op=other', 'op=read'])
        expect(passesKey(text, key), text).toBe(false);
      for (const text of ['error!=none', 'error!=any', 'op!=other', 'not op=read'])
        expect(passesKey(text, key), text).toBe(true);
    }
    // Those that kernel programs counted together.
    const counted = { ...KEY, cmdFlags: OP_UNKNOWN, marks: IdentityMark.noDetail };
    expect(verdictOf('op=other', { key: counted })).toBe(Verdict.yes);
    expect(verdictOf('op=read', { key: counted })).toBe(Verdict.no);
  });

  it('an unknown owner matches no process filter, not even PID 0', () => {
    const unseen = { tgid: 0, comm: '', marks: IdentityMark.ownerUnknown };
    expect(passesKey('pid=0', unseen)).toBe(false);
    expect(passesKey('pid!=812', unseen)).toBe(true);
    expect(passesKey('comm=""', unseen)).toBe(false);
    expect(passesKey('owner=unknown', unseen)).toBe(true);
  });

  it('for aggregates a filter on disks answers yes or no, a filter on owners maybe', () => {
    for (const marks of [IdentityMark.noDetail | IdentityMark.ownerUnknown, IdentityMark.other]) {
      const key = { ...KEY, tgid: 0, comm: '(other)', marks };
      expect(verdictOf('pid=812', { key })).toBe(Verdict.maybe);
      expect(verdictOf('pid!=812', { key })).toBe(Verdict.maybe);
      expect(verdictOf('disk=sdb pid=812', { key })).toBe(Verdict.no);
      expect(verdictOf('op=write or pid=812', { key })).toBe(Verdict.yes);
    }
  });

  it('processes that are known by their command only match its name and cgroup, and maybe a process', () => {
    const { other, ownerUnknown } = IdentityMark;
    const key = { ...KEY, tgid: 0, tid: 0, comm: 'cc1', cgroup: 42, marks: other | ownerUnknown };
    for (const text of ['comm=cc1', 'cgroup=42', 'comm!=ld', 'owner=own', 'not owner=unknown'])
      expect(verdictOf(text, { key }), text).toBe(Verdict.yes);
    for (const text of ['comm=ld', 'cgroup=7', 'owner=unknown'])
      expect(verdictOf(text, { key }), text).toBe(Verdict.no);
    expect(verdictOf('cgroup=7', { key: { ...key, cgroup: 0 } })).toBe(Verdict.maybe);
    for (const text of ['pid=812', 'tid!=812', 'user=root', 'cmd~cc1', 'flag=sync'])
      expect(verdictOf(text, { key }), text).toBe(Verdict.maybe);
  });

  it('aggregates of several disks may be of each of them, or on each mount or volume', () => {
    const marks = IdentityMark.noDetail | IdentityMark.ownerUnknown;
    const counted = { ...KEY, cmdFlags: callFlags('read'), layer: 'calls', marks } as const;
    for (const dev of [UNKNOWN_DEVICE, OTHER_DISKS]) {
      const key = { ...counted, dev };
      for (const text of [
        'disk=sda',
        'disk!=sda',
        'disk~sd',
        'not disk=sda',
        'mount=/',
        'volume=v',
      ])
        expect(verdictOf(text, { key }), text).toBe(Verdict.maybe);
      expect(verdictOf('disk=sda layer=disks', { key })).toBe(Verdict.no);
    }
    expect(verdictOf('disk="other disks"', { key: { ...counted, dev: OTHER_DISKS } })).toBe(
      Verdict.yes,
    );
    expect(verdictOf('disk!=unknown', { key: { ...counted, dev: UNKNOWN_DEVICE } })).toBe(
      Verdict.no,
    );
  });

  it('calls without a disk, as on NFS, are of none, whether they are rows or aggregates of their process', () => {
    const call = {
      ...KEY,
      dev: UNKNOWN_DEVICE,
      cmdFlags: callFlags('read'),
      layer: 'calls',
    } as const;
    for (const key of [call, { ...call, marks: IdentityMark.noDetail }])
      expect(verdictOf('disk=sda', { key })).toBe(Verdict.no);
  });
});

describe('a pattern', () => {
  it('a text pattern matches anywhere in a name, or the whole name when it has * or ?', () => {
    expect(matches('sql', 'MySQLd')).toBe(true);
    expect(matches('', 'x')).toBe(true);
    expect(matches('*sql', 'mysqld')).toBe(false);
    expect(matches('*SQL*', 'mysqld')).toBe(true);
    expect(matches('m?sql*d', 'mysqld')).toBe(true);
    expect(matches('kworker/u*:?-flush', 'kworker/u16:2-flush')).toBe(true);
    expect(matches('a**b', 'ab')).toBe(true);
  });

  it('a text pattern with 1,000 stars is matched without exponential backtracking', () => {
    expect(matches(`${'*a'.repeat(1000)}b`, 'a'.repeat(10_000))).toBe(false);
  });
});
