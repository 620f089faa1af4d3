import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { needs } from '../needs.ts';
import { isWhole } from './support/screens.ts';
import { useSessions } from './support/sessions.ts';

const { ioheat } = useSessions();

/** What the program on screen holds, by what `/proc/PID/fd` calls it, and why. */
const REASONS: readonly (readonly [target: RegExp, why: string])[] = [
  [/^anon_inode:bpf_link$/, 'the kernel detaches a program when its last link is closed'],
  [/^anon_inode:bpf-prog$/, 'of one program: /proc/self/fdinfo says how often it was skipped'],
  [/^\/dev\/(pts\/\d+|tty)$/, 'the terminal: drawing, keys, and as it was for the end'],
  [/^socket:/, 'to the shell that restores the terminal'],
  [/^pipe:/, 'libuv: signals and its own threads'],
  [/^anon_inode:\[(eventfd|eventpoll|io_uring)\]$/, 'libuv: waiting'],
  [/^\/dev\/null$/, 'libuv: to be closed when descriptors run out'],
];

function descriptorsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    const link = `/proc/${pid}/fd/${fd}`;
    // Of this process itself, what the list was read with is gone.
    return existsSync(`/proc/${pid}/fdinfo/${fd}`) ? [readlinkSync(link)] : [];
  });
}

describe('descriptors of a live session', needs('tracing'), () => {
  async function held(): Promise<string[]> {
    const session = ioheat([]);
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    return descriptorsOf(session.pid);
  }

  test('a live session keeps descriptors of links and one program: no map, no type information, no object', async () => {
    const bpf = (await held()).filter((target) => /bpf|btf/.test(target));
    const count = (kind: string): number => bpf.filter((target) => target === kind).length;
    expect(count('anon_inode:bpf_link')).toBeGreaterThanOrEqual(4);
    expect(count('anon_inode:bpf-prog')).toBe(1);
    expect(bpf).toHaveLength(count('anon_inode:bpf_link') + 1);
  });

  test('each descriptor that a live session keeps has a reason', async () => {
    // What whoever started the tests has left open is open everywhere.
    const inherited = new Set(descriptorsOf(process.pid).filter((target) => target.includes('[')));
    const own = (await held()).filter(
      (target) => target.startsWith('anon_inode:') || !inherited.has(target),
    );
    const unexplained = own.filter((target) => !REASONS.some(([known]) => known.test(target)));
    expect(unexplained).toEqual([]);
    const idle = REASONS.filter(([known]) => !own.some((target) => known.test(target)));
    expect(idle).toEqual([]);
  });
});
