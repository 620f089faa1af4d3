import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { wantedCalls, callTable } from '../../src/kernel/attach/storage-calls.ts';
import { CallBits } from '../../src/kernel/abi/layout.ts';
import { callOf, CALLS } from '../../src/model/call.ts';
import { isKnownFile } from '../../src/model/file.ts';
import { OPEN_FLAGS, openFlagsOf, READ_ONLY } from '../../src/model/open-flags.ts';
import { errorText, flagsText } from '../../src/model/request-text.ts';
import { needs } from '../needs.ts';
import { useCallTrace, type FioCalls } from './fixtures/call-trace.ts';
import type { SeenIo } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const FIO: FioCalls = { engine: 'psync', clock: 'clat_ns', read: 'pread64', write: 'pwrite64' };

function inCall(calls: readonly SeenIo[], call: string): SeenIo[] {
  return calls.filter(({ key }) => callOf(key) === call);
}

/** What strace must list: all that is traced, by its name. */
function tracedNames(): string[] {
  const entries = callTable(process.arch);
  return [...wantedCalls(process.arch)].flatMap((wanted, number) =>
    wanted === 0 ? [] : [CALLS[(entries[number]! >>> CallBits.idShift) & CallBits.idMask]!],
  );
}

const LINE = /^(\w+)\((.*)\)\s+= (-?\d+)(?:<.*>)?(?: (E\w+) .*)?$/;
/** A descriptor of something that is no file: `3<pipe:[1]>`, `2</dev/null>`. */
const ELSEWHERE = /^\d+<(?:pipe|socket|anon_inode|\/dev\/)/;

/** `openat=3`, `unlink=ENOENT`: of one process, in the order in which they ended. */
function listed(log: string): string[] {
  return log.split('\n').flatMap((line) => {
    const [, name, given = '', result, error] = LINE.exec(line) ?? [];
    return name === undefined || ELSEWHERE.test(given) ? [] : [`${name}=${error ?? result}`];
  });
}

/** `O_WRONLY|O_CREAT` of each call that opened, without flags that do not matter to storage. */
function openedIn(log: string): string[] {
  const known: readonly string[] = [READ_ONLY, ...OPEN_FLAGS];
  return [...log.matchAll(/^open(?:at)?\(.*?, (O_[A-Z_|]+)/gm)].map(([, flags]) => {
    const named = flags!.split('|');
    return known.filter((name) => named.includes(name)).join('|');
  });
}

function seenText({ key, result }: SeenIo): string {
  return `${callOf(key)}=${errorText(key.error) ?? result}`;
}

describe('system calls on files', needs('tracing'), () => {
  const trace = useCallTrace();

  it(
    'of fio, past the page cache, are as many and take as long as it says',
    needs({ program: 'fio' }),
    () => {
      trace().compareWithFio(FIO, '--direct=1', MIB);
    },
  );

  it(
    'from the page cache are seen as well, though no disk sees them',
    needs({ program: 'fio' }),
    () => {
      trace().compareWithFio(FIO, '--invalidate=0', MIB);
    },
  );

  it(
    'of a scripted program are those that strace lists: none is missing, none invented',
    needs({ program: 'strace' }),
    () => {
      const script = [
        'dd if=/dev/zero of=a bs=4k count=3 conv=fsync',
        'mv a b; ln b c; ln -s c d; rm b; cat c missing d; truncate -s 100 c; mkdir e; rmdir e',
        'rmdir e; chmod 600 c; touch c; stat c; ls -l .; rm -f c d',
      ].join('; ');
      trace().run(
        `rm -rf logs; mkdir logs; strace -ff -y -e trace=${tracedNames().join(',')} -o logs/log sh -c '${script}' > out 2> out2 < /dev/null || true`,
      );
      const seen = trace()
        .session.takeAll()
        .filter(({ key }) => key.layer === 'calls');
      const logs = trace().run('cd logs; for i in log.*; do echo "== $i"; cat $i; done');
      const processes = logs.split('== log.').slice(1);
      expect(processes.length).toBeGreaterThan(15);
      for (const process of processes) {
        const pid = Number.parseInt(process, 10);
        // Before it runs the script, the first process is strace().
        const own = seen.filter(({ key }) => key.tid === pid && key.comm !== 'strace');
        expect(own.map(seenText), process).toEqual(listed(process));
      }
      trace().run('rm -r logs out out2');
    },
  );

  it('that open a file have the flags that strace lists', needs({ program: 'strace' }), () => {
    const script = [
      'dd if=/dev/zero of=f bs=4k count=1 oflag=direct,dsync; echo more >> f; echo new > f; cat f',
      'dd if=f of=g conv=excl,nocreat; dd if=f of=g conv=excl; cp f h; ls .; cat missing',
      'python3 -c "import os; os.open(chr(102), os.O_RDWR | os.O_SYNC | os.O_NOFOLLOW); os.open(chr(46), os.O_TMPFILE | os.O_WRONLY)"',
      'rm f g h',
    ].join('; ');
    trace().run(
      `rm -rf logs; mkdir logs; strace -ff -e trace=open,openat,openat2,creat -o logs/log sh -c '${script}' > out 2> out2 < /dev/null || true`,
    );
    const seen = trace().session.takeAll();
    const logs = trace().run('cd logs; for i in log.*; do echo "== $i"; cat $i; done');
    const processes = logs.split('== log.').slice(1);
    const all = new Set<string>();
    for (const process of processes) {
      const pid = Number.parseInt(process, 10);
      const own = seen.filter(
        ({ key }) => key.tid === pid && key.comm !== 'strace' && openFlagsOf(key) !== undefined,
      );
      const shown = own.map(({ key }) => flagsText(key));
      expect(shown, process).toEqual(openedIn(process));
      for (const text of shown) all.add(text);
    }
    for (const flags of [
      'O_WRONLY|O_CREAT|O_TRUNC',
      'O_RDWR|O_SYNC|O_NOFOLLOW',
      'O_WRONLY|O_TMPFILE',
    ])
      expect([...all]).toContain(flags);
    trace().run('rm -r logs out out2');
  });

  it('have the position of each read and write, also at the end of a file', () => {
    trace().run('dd if=file of=copy bs=10 count=3 skip=2; printf 12345 >> copy; cat copy; rm copy');
    const copied = trace().take('dd');
    const at = (call: string): number[][] =>
      inCall(copied, call)
        .filter(({ file }) => file.path?.startsWith(call === 'read' ? '/file' : '/copy'))
        .map(({ fileOffset, result }) => [fileOffset, result!]);
    expect(at('read')).toEqual([
      [20, 10],
      [30, 10],
      [40, 10],
    ]);
    expect(at('write')).toEqual([
      [0, 10],
      [10, 10],
      [20, 10],
    ]);
    expect(inCall(copied, 'read').every(({ bytes, result }) => bytes === result)).toBe(true);
  });

  it('tell a file from the next one of the same name', () => {
    const printed = trace().run(
      'echo one > log; stat -c %i log; rm log; echo three > log; stat -c %i log; cat log; rm log',
    );
    const inodes = printed
      .split('\n')
      .filter((line) => /^\d+$/.test(line))
      .map(Number);
    const opened = trace()
      .session.takeAll()
      .filter(({ key, file }) => callOf(key) === 'write' && file.path?.startsWith('/log') === true)
      .map(({ file }) => file);
    const [first, second] = opened;
    expect([first!.inode, second!.inode]).toEqual(inodes);
    expect([second!.inode, second!.generation]).not.toEqual([first!.inode, first!.generation]);
  });

  it('that name a file have the name as it was given, whether or not there is one', () => {
    trace().run('rm -f ./nothing; mkdir made; rmdir made');
    const programs = ['rm', 'mkdir', 'rmdir'];
    const named = trace()
      .session.takeAll()
      .filter(({ key }) => key.layer === 'calls' && programs.includes(key.comm));
    const texts = named
      .filter(({ key }) => ['unlinkat', 'unlink', 'mkdir', 'rmdir'].includes(callOf(key)!))
      .map(({ key, file }) => [callOf(key), file.path, errorText(key.error)]);
    expect(texts).toContainEqual(['mkdir', 'made', undefined]);
    expect(texts).toContainEqual(['rmdir', 'made', undefined]);
    const failed = named.filter(({ file }) => file.path === './nothing');
    expect(failed.map(({ key }) => errorText(key.error))).toContain('ENOENT');
    expect(failed.every(({ file }) => !isKnownFile(file))).toBe(true);
  });

  it('of pipes are none, and those of the tracer itself are left out', () => {
    execFileSync('sh', ['-c', 'echo text | cat | cat']);
    readFileSync('/etc/hostname');
    const all = trace()
      .session.takeAll()
      .filter(({ key }) => key.layer === 'calls');
    const written = all.filter(({ key }) => callOf(key) === 'write' && key.comm === 'cat');
    expect(written).toEqual([]);
    expect(all.filter(({ key }) => key.tgid === process.pid)).toEqual([]);
    expect(inCall(all, 'openat').length).toBeGreaterThan(0);
  });

  it('that find the ring full are counted, and none is lost', () => {
    trace().expectCounted('dd if=file of=/dev/null bs=512 count=20000', 20_000);
  });
});
