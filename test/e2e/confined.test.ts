import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseThreadRights } from '../../src/kernel/privilege/capabilities.ts';
import { describeTracing } from '../kernel/fixtures/needs-tracing.ts';
import type { PtySession } from './pty.ts';
import { isWhole } from './support/screens.ts';
import { useSessions } from './support/sessions.ts';

const { ioheat } = useSessions();

/** 0 off, 2 filter; of every thread. */
function filters(pid: number): (number | undefined)[] {
  return readdirSync(`/proc/${pid}/task`).map((tid) => {
    const status = readFileSync(`/proc/${pid}/task/${tid}/status`, 'utf8');
    return parseThreadRights(status)?.seccomp;
  });
}

async function start(args: readonly string[]): Promise<PtySession> {
  const session = ioheat(args, { columns: 120, rows: 40 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  return session;
}

describe('a drawn session without power', () => {
  test('is confined on every thread', async () => {
    const session = await start(['demo']);
    const found = filters(session.pid);
    expect(found.length).toBeGreaterThan(4);
    expect(new Set(found)).toEqual(new Set([2]));
  });

  test('says at its end that it was', async () => {
    const session = await start(['demo', '--verbose']);
    session.type('q');
    expect(await session.exit).toEqual({ code: 0, signal: undefined });
    expect(session.output).toContain('system calls filtered\r\n');
  });
});

describeTracing('a live session', () => {
  test('is confined on every thread after the drop', async () => {
    const session = await start([]);
    const found = filters(session.pid);
    expect(found.length).toBeGreaterThan(4);
    expect(new Set(found)).toEqual(new Set([2]));
  });

  test('that keeps its privileges is not, and says so', async () => {
    const session = await start(['--stay-root', '--verbose']);
    expect(new Set(filters(session.pid))).toEqual(new Set([0]));
    session.type('q');
    await session.exit;
    expect(session.output).toContain('system calls not filtered: privileges are kept\r\n');
  });
});
