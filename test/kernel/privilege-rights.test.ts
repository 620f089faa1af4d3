import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canTrace,
  grantsTracing,
  inInitialNamespace,
  parseThreadRights,
  type ThreadRights,
} from '../../src/kernel/privilege/capabilities.ts';
import {
  explainRights,
  isOnPath,
  rootCommand,
  shellQuote,
  type RightsSituation,
} from '../../src/kernel/privilege/explain.ts';
import { powerOf } from '../../src/kernel/privilege/receive-handover.ts';

const BPF = 1n << 39n;
const PERFMON = 1n << 38n;
const SYS_ADMIN = 1n << 21n;

const STATUS = `Name:\tnode
Uid:\t1000\t1000\t1000\t1000
Gid:\t100\t100\t100\t100
CapInh:\t0000000000000000
CapPrm:\t000000c000000000
CapEff:\t000000c000000000
CapBnd:\t000001ffffffffff
CapAmb:\t0000000000000000
NoNewPrivs:\t0
Seccomp:\t2
`;

const powerless: ThreadRights = {
  uids: [1000, 1000, 1000, 1000],
  gids: [100, 100, 100, 100],
  inheritable: 0n,
  permitted: 0n,
  effective: 0n,
  bounding: 0n,
  ambient: 0n,
  noNewPrivs: true,
  seccomp: 0,
};

const start = { execPath: '/opt/node/bin/node', execArgv: [], args: ['/opt/bin/ioheat'] };
const situation: RightsSituation = {
  euid: 1000,
  effective: 0n,
  inInitialUserNamespace: true,
  hasSudo: true,
  start,
};

describe('parseThreadRights', () => {
  it('reads the rights of a status file', () => {
    expect(parseThreadRights(STATUS)).toEqual({
      uids: [1000, 1000, 1000, 1000],
      gids: [100, 100, 100, 100],
      inheritable: 0n,
      permitted: BPF | PERFMON,
      effective: BPF | PERFMON,
      bounding: 0x1ffffffffffn,
      ambient: 0n,
      noNewPrivs: false,
      seccomp: 2,
    });
  });

  it('understands the status of every thread of this process', () => {
    expect(parseThreadRights(readFileSync('/proc/self/status', 'utf8'))).toBeDefined();
  });

  it.each(['Uid', 'Gid', 'CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb', 'NoNewPrivs'])(
    'never takes a missing %s for the lack of a right',
    (field) => {
      expect(parseThreadRights(STATUS.replace(new RegExp(`^${field}:.*\n`, 'm'), ''))).toBe(
        undefined,
      );
    },
  );
});

describe('canTrace', () => {
  it('takes CAP_BPF with CAP_PERFMON, or CAP_SYS_ADMIN', () => {
    const sets = [BPF | PERFMON, SYS_ADMIN, BPF, PERFMON, 0n];
    expect(sets.map(grantsTracing)).toEqual([true, true, false, false, false]);
  });

  it('does not count capabilities of a user namespace, but trusts them where it cannot tell', () => {
    const rights = { ...powerless, effective: SYS_ADMIN };
    expect([true, false, undefined].map((initial) => canTrace(rights, initial))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('tells the first namespaces from others by their fixed inode numbers', () => {
    const link = (text: string | undefined) => () => text;
    expect(inInitialNamespace('pid', link('pid:[4026531836]'))).toBe(true);
    expect(inInitialNamespace('user', link('user:[4026532200]'))).toBe(false);
    expect(inInitialNamespace('user', link(undefined))).toBeUndefined();
  });
});

describe('powerOf', () => {
  const expected = { uid: 1000, gid: 100, boundingDropped: true, isExecuted: true };

  it('finds nothing in a thread without power', () => {
    expect(powerOf(powerless, expected)).toBeUndefined();
  });

  it.each([
    [{ effective: 1n }, 'has effective capabilities 1'],
    [{ permitted: BPF }, 'has permitted capabilities 8000000000'],
    [{ inheritable: 2n }, 'has inheritable capabilities 2'],
    [{ ambient: 4n }, 'has ambient capabilities 4'],
    [{ bounding: 8n }, 'has bounding capabilities 8'],
    [{ noNewPrivs: false }, 'may gain privileges by exec'],
    [{ uids: [1000, 1000, 0, 1000] }, 'is user 1000,1000,0,1000'],
    [{ gids: [0, 100, 100, 100] }, 'is of group 0,100,100,100'],
  ])('names what is left: %s', (left, message) => {
    expect(powerOf({ ...powerless, ...left }, expected)).toBe(message);
  });

  it('lets a bounding set pass that could not be dropped', () => {
    const kept = { ...powerless, bounding: 8n };
    expect(powerOf(kept, { ...expected, boundingDropped: false })).toBeUndefined();
  });

  it('without an exec, asks of a thread only what another thread can take away from it', () => {
    const inThreads = { ...expected, isExecuted: false };
    const ofAnother = { ...powerless, bounding: 8n, noNewPrivs: false };
    expect(powerOf(ofAnother, inThreads)).toBeUndefined();
    expect(powerOf({ ...ofAnother, permitted: BPF }, inThreads)).toMatch(/permitted/);
    expect(powerOf({ ...ofAnother, uids: [1000, 1000, 0, 1000] }, inThreads)).toMatch(/is user/);
  });
});

describe('explainRights', () => {
  it('gives the full paths after sudo, because its PATH may lack node', () => {
    expect(explainRights(situation)).toMatchObject({
      exitCode: 3,
      remedy: 'run: sudo /opt/node/bin/node /opt/bin/ioheat',
    });
  });

  it('repeats options of node and quotes what a shell would take apart', () => {
    const args = ['/opt/bin/ioheat', '--filter', "comm = 'x y'", '--disk=sda'];
    expect(rootCommand({ ...start, execArgv: ['--max-old-space-size=64'], args }, true)).toBe(
      'sudo /opt/node/bin/node --max-old-space-size=64 /opt/bin/ioheat --filter ' +
        "'comm = '\\''x y'\\''' --disk=sda",
    );
  });

  it('falls back to su where sudo is missing', () => {
    expect(explainRights({ ...situation, hasSudo: false }).remedy).toBe(
      "run: su -c '/opt/node/bin/node /opt/bin/ioheat'",
    );
  });

  it('does not send root to sudo', () => {
    expect(explainRights({ ...situation, euid: 0 }).remedy).toContain('--cap-add BPF');
  });

  it('does not send a user namespace to sudo', () => {
    const inside = { ...situation, euid: 0, effective: SYS_ADMIN, inInitialUserNamespace: false };
    expect(explainRights(inside).remedy).toContain('on the host');
  });

  it('finds programs in PATH and only there', () => {
    expect(isOnPath('sh', '/nowhere:/bin')).toBe(true);
    expect(isOnPath('sh', '/nowhere:')).toBe(false);
    expect(isOnPath('etc', '/')).toBe(false);
  });
});

describe('shellQuote', () => {
  it('leaves plain words alone', () => {
    expect(['a', '/x/y-1.z', '--k=v', 'a,b:c@d%+'].map(shellQuote)).toEqual([
      'a',
      '/x/y-1.z',
      '--k=v',
      'a,b:c@d%+',
    ]);
  });

  it('shows control characters instead of letting a terminal obey them', () => {
    expect(shellQuote("\x1b[2J\x9b'\\")).toBe("$'\\x1b[2J\\xc2\\x9b\\'\\\\'");
  });

  it('shows what has no width, or turns text around, which hides what would be run', () => {
    expect(shellQuote('a\u202eb\u200b')).toBe("$'a\\xe2\\x80\\xaeb\\xe2\\x80\\x8b'");
  });

  it('gives words that bash reads back unchanged', () => {
    const word = fc.string({ unit: 'grapheme-composite' }).map((text) => text.replaceAll('\0', ''));
    const control = fc.string({
      unit: fc.constantFrom(...Array.from('\x01\x1b\x7f\x9b\u202e\u2028\n\'"\\$`! a~*')),
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(word, control), { minLength: 1, maxLength: 20 }), (words) => {
        const script = `printf '%s\\0' ${words.map(shellQuote).join(' ')}`;
        const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8' });
        expect(printed).toBe(`${words.join('\0')}\0`);
      }),
      { numRuns: 25, seed: 1 },
    );
  });
});
