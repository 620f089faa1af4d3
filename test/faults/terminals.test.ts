import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { useSessions } from '../e2e/support/sessions.ts';
import { isGone } from '../e2e/support/processes.ts';
import { isWhole } from '../e2e/support/screens.ts';
import { needs } from '../needs.ts';
import { programExists } from '../load/bpf.ts';

const { ioheat } = useSessions();

describe('terminals of odd sizes', () => {
  test.each([
    [1, 1],
    [2, 30],
    [300, 1],
    [20, 5],
  ])('ioheat keeps running at %i columns and %i rows, and can be quit', async (columns, rows) => {
    const session = ioheat(['demo'], { columns, rows });
    await session.waitUntil(
      () => session.screen().some((row) => row.trim() !== ''),
      'waiting for anything',
    );
    session.resize(100, 30);
    await session.waitUntil(() => isWhole(session), 'waiting for a whole frame');
    session.resize(columns, rows);
    session.type('q');
    expect(await session.exit).toEqual({ code: 0, signal: undefined });
  });

  test('the screen fills 500 columns and 200 rows', async () => {
    const session = ioheat(['demo'], { columns: 500, rows: 200 });
    await session.waitUntil(() => isWhole(session), 'waiting for a whole frame');
    session.type('q');
    expect(await session.exit).toEqual({ code: 0, signal: undefined });
  });

  test('after many resizes, the screen is a complete frame of the last size', async () => {
    const session = ioheat(['demo'], { columns: 80, rows: 24 });
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    for (let i = 0; i < 300; i++) session.resize(1 + ((i * 37) % 220), 1 + ((i * 17) % 70));
    session.resize(120, 40);
    await session.waitUntil(() => isWhole(session), 'waiting for a frame of the last size');
    expect(session.screen()).toHaveLength(40);
    session.type('q');
    expect(await session.exit).toEqual({ code: 0, signal: undefined });
  });
});

describe('a terminal that knows no UTF-8', () => {
  test('a terminal without UTF-8 gets only ASCII', async () => {
    const session = ioheat(['demo'], { env: { LANG: 'C', LC_ALL: 'C' } });
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    expect(session.output).toMatch(/^[\x00-\x7f]*$/);
  });
});

/** Numbers of the BPF programs that a process holds. */
function programsOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/fdinfo`).flatMap((fd) => {
    const path = `/proc/${pid}/fdinfo/${fd}`;
    const id = existsSync(path)
      ? /^prog_id:\s*(\d+)/m.exec(readFileSync(path, 'latin1'))?.[1]
      : undefined;
    return id === undefined ? [] : [Number(id)];
  });
}

describe('killed', needs('tracing'), () => {
  test('killed by SIGKILL, ioheat leaves no program in the kernel and no process', async () => {
    const session = ioheat([]);
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    const programs = [...new Set(programsOf(session.pid))];
    expect(programs.length).toBeGreaterThanOrEqual(4);
    expect(programs.map(programExists)).toEqual(programs.map(() => true));
    const children = readFileSync(`/proc/${session.pid}/task/${session.pid}/children`, 'utf8');
    const guardian = Number(children.trim().split(' ')[0]);
    session.kill('SIGKILL');
    expect((await session.exit).signal).toBe(9);
    await isGone(guardian);
    await vi.waitFor(
      () => {
        expect(programs.map(programExists)).toEqual(programs.map(() => false));
      },
      { timeout: 10_000 },
    );
  });
});
