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
import { privilegeOf } from '../../src/kernel/privilege/receive-handover.ts';

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

const unprivileged: ThreadRights = {
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
  it('parseThreadRights reads the rights of a status file', () => {
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

  it('parseThreadRights reads the status of every thread of this process', () => {
    expect(parseThreadRights(readFileSync('/proc/self/status', 'utf8'))).toBeDefined();
  });

  it.each(['Uid', 'Gid', 'CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb', 'NoNewPrivs'])(
    'parseThreadRights never takes a missing %s for the lack of a right',
    (field) => {
      expect(parseThreadRights(STATUS.replace(new RegExp(`^${field}:.*\n`, 'm'), ''))).toBe(
        undefined,
      );
    },
  );
});

describe('canTrace', () => {
  it('CAP_BPF with CAP_PERFMON, or CAP_SYS_ADMIN, is enough to trace', () => {
    const sets = [BPF | PERFMON, SYS_ADMIN, BPF, PERFMON, 0n];
    expect(sets.map(grantsTracing)).toEqual([true, true, false, false, false]);
  });

  it('capabilities of a user namespace do not count as rights to trace, but are trusted where that cannot be told', () => {
    const rights = { ...unprivileged, effective: SYS_ADMIN };
    expect([true, false, undefined].map((initial) => canTrace(rights, initial))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('the first namespaces are recognized by their fixed inode numbers', () => {
    const link = (text: string | undefined) => () => text;
    expect(inInitialNamespace('pid', link('pid:[4026531836]'))).toBe(true);
    expect(inInitialNamespace('user', link('user:[4026532200]'))).toBe(false);
    expect(inInitialNamespace('user', link(undefined))).toBeUndefined();
  });
});

describe('privilegeOf', () => {
  const expected = { uid: 1000, gid: 100, boundingDropped: true, isExecuted: true };

  it('an unprivileged thread has no privilege left', () => {
    expect(privilegeOf(unprivileged, expected)).toBeUndefined();
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
  ])('a remaining privilege is named: %s', (left, message) => {
    expect(privilegeOf({ ...unprivileged, ...left }, expected)).toBe(message);
  });

  it('a bounding set that could not be dropped is accepted', () => {
    const kept = { ...unprivileged, bounding: 8n };
    expect(privilegeOf(kept, { ...expected, boundingDropped: false })).toBeUndefined();
  });

  it('without an exec, a thread is asked only for what another thread can take away', () => {
    const inThreads = { ...expected, isExecuted: false };
    const ofAnother = { ...unprivileged, bounding: 8n, noNewPrivs: false };
    expect(privilegeOf(ofAnother, inThreads)).toBeUndefined();
    expect(privilegeOf({ ...ofAnother, permitted: BPF }, inThreads)).toMatch(/permitted/);
    expect(privilegeOf({ ...ofAnother, uids: [1000, 1000, 0, 1000] }, inThreads)).toMatch(
      /is user/,
    );
  });
});

describe('explainRights', () => {
  it('the command to type has full paths after sudo, because its PATH may lack node', () => {
    expect(explainRights(situation)).toMatchObject({
      exitCode: 3,
      remedy: 'run: sudo /opt/node/bin/node /opt/bin/ioheat',
    });
  });

  it('the command to type repeats options of node and is quoted for the shell', () => {
    const args = ['/opt/bin/ioheat', '--filter', "comm = 'x y'", '--disk=sda'];
    expect(rootCommand({ ...start, execArgv: ['--max-old-space-size=64'], args }, true)).toBe(
      'sudo /opt/node/bin/node --max-old-space-size=64 /opt/bin/ioheat --filter ' +
        "'comm = '\\''x y'\\''' --disk=sda",
    );
  });

  it('the command to type uses su where there is no sudo', () => {
    expect(explainRights({ ...situation, hasSudo: false }).remedy).toBe(
      "run: su -c '/opt/node/bin/node /opt/bin/ioheat'",
    );
  });

  it('root is not advised to use sudo', () => {
    expect(explainRights({ ...situation, euid: 0 }).remedy).toContain('--cap-add BPF');
  });

  it('a user namespace is not advised to use sudo', () => {
    const inside = { ...situation, euid: 0, effective: SYS_ADMIN, inInitialUserNamespace: false };
    expect(explainRights(inside).remedy).toContain('on the host');
  });

  it('programs are found in PATH and only there', () => {
    expect(isOnPath('sh', '/nowhere:/bin')).toBe(true);
    expect(isOnPath('sh', '/nowhere:')).toBe(false);
    expect(isOnPath('etc', '/')).toBe(false);
  });
});

describe('shellQuote', () => {
  it('shellQuote does not change plain words', () => {
    expect(['a', '/x/y-1.z', '--k=v', 'a,b:c@d%+'].map(shellQuote)).toEqual([
      'a',
      '/x/y-1.z',
      '--k=v',
      'a,b:c@d%+',
    ]);
  });

  it('shellQuote shows control characters instead of printing them', () => {
    expect(shellQuote("\x1b[2J\x9b'\\")).toBe("$'\\x1b[2J\\xc2\\x9b\\'\\\\'");
  });

  it('shellQuote shows zero-width and bidirectional characters, which hide what would be run', () => {
    expect(shellQuote('a\u202eb\u200b')).toBe("$'a\\xe2\\x80\\xaeb\\xe2\\x80\\x8b'");
  });

  it('words from shellQuote are read back unchanged by bash', () => {
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
