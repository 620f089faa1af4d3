import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Dimension } from '../../src/kernel/abi/layout.ts';
import { fineBin } from '../../src/model/fine-bins.ts';
import type { Identity } from '../../src/model/identity.ts';
import { opClass, type OpClass } from '../../src/model/operation.ts';
import type { CompletionSummary } from '../../src/trace/completion-summary.ts';
import { needs } from '../needs.ts';
import { useCallTrace } from './fixtures/call-trace.ts';
import type { SeenIo, TraceSession } from './fixtures/trace-session.ts';

const NEVER_NS = 2 ** 50;
const ONE_IN = 64;

/** Calls of one class of operations, individually and counted. */
interface Calls {
  readonly rows: readonly SeenIo[];
  readonly counted: readonly CompletionSummary[];
}

const BLOCK_BYTES = 200;

const AT_ONE_PLACE = join(import.meta.dirname, '../load/calls-at-one-place.py');

/** Those of the size that only dd reads, however many others there are. */
function ofBlocks({ rows, counted }: Calls): number {
  const single = rows.filter(({ bytes }) => bytes === BLOCK_BYTES).length;
  return single + counted.reduce((sum, { size }) => sum + size[fineBin(BLOCK_BYTES)]!, 0);
}

function sample(session: TraceSession, slowNs = NEVER_NS): void {
  session.callDetail.slowFrom(slowNs);
  session.callDetail.sample(ONE_IN);
}

function takeCalls(session: TraceSession, op: OpClass): Calls {
  const isMeant = (key: Identity): boolean => key.layer === 'calls' && opClass(key.cmdFlags) === op;
  const { identities } = session.source.info;
  const rows = session.takeAll().filter(({ key }) => isMeant(key));
  const summaries = session.takeCallSummaries();
  const counted = summaries.filter(({ identity }) => isMeant(identities.get(identity)));
  return { rows, counted };
}

/** Those that are, or are counted as, of processes of this name. */
function callsOf(session: TraceSession, { rows, counted }: Calls, comm: string): Calls {
  const { identities } = session.source.info;
  return {
    rows: rows.filter(({ key }) => key.comm === comm),
    counted: counted.filter(({ identity }) => identities.get(identity).comm === comm),
  };
}

function countOf({ rows, counted }: Calls): number {
  return rows.length + counted.reduce((sum, { count }) => sum + count, 0);
}

function failedOf({ rows, counted }: Calls): number {
  const single = rows.filter(({ key }) => key.error !== 0).length;
  return single + counted.reduce((sum, { errors = 0 }) => sum + errors, 0);
}

function sumOf(bins: Uint32Array): number {
  return bins.reduce((a, b) => a + b, 0);
}

describe('system calls of which most are only counted', needs('tracing'), () => {
  const trace = useCallTrace();

  it('sampled system calls have the number and size that dd was told, and nearly all are its own', () => {
    const { session } = trace();
    sample(session);
    takeCalls(session, 'read');
    trace().run(`dd if=file of=/dev/null bs=${BLOCK_BYTES} count=20000 2> /dev/null`);
    const calls = callsOf(session, takeCalls(session, 'read'), 'dd');
    const { rows, counted } = calls;
    expect(rows.length).toBeGreaterThan(20_000 / ONE_IN / 2);
    expect(rows.length).toBeLessThan((20_000 / ONE_IN) * 2);
    expect(counted.reduce((sum, { total }) => sum + sumOf(total), 0)).toBe(
      countOf(calls) - rows.length,
    );
    // By a sample of 300: a tenth is two standard deviations where it is a half.
    expect(ofBlocks(calls)).toBeGreaterThan(18_000);
    expect(ofBlocks(calls)).toBeLessThanOrEqual(20_000);
  });

  it('sampled system calls are all counted, and none is lost', () => {
    const { session } = trace();
    session.source.setFilter({ devs: [trace().dev] });
    sample(session);
    takeCalls(session, 'read');
    trace().run(`dd if=file of=/dev/null bs=${BLOCK_BYTES} count=30000 2> /dev/null`);
    expect(ofBlocks(takeCalls(session, 'read'))).toBe(30_000);
    expect(session.source.counters().losses['calls']).toBeUndefined();
  });

  it('none is lost where two threads, which are noted at the same place, call at once', () => {
    const { session } = trace();
    session.source.setFilter({ devs: [trace().dev] });
    sample(session);
    takeCalls(session, 'read');
    trace().run(`python3 ${AT_ONE_PLACE} file ${BLOCK_BYTES} 200000 ${Dimension.callSets}`);
    expect(ofBlocks(takeCalls(session, 'read'))).toBe(400_000);
    expect(session.source.counters().losses['calls']).toBeUndefined();
  });

  it('failed system calls are counted as failed, and some of them come individually', () => {
    const { session } = trace();
    sample(session);
    takeCalls(session, 'other');
    trace().run('i=0; while [ $i -lt 8000 ]; do [ -e missing-$i ] || :; i=$((i+1)); done; true');
    const all = takeCalls(session, 'other');
    expect(failedOf(all)).toBeGreaterThanOrEqual(8000);
    const ofShell = callsOf(session, all, 'sh');
    expect(failedOf(ofShell)).toBeGreaterThan(7000);
    const named = ofShell.rows.filter(({ file }) => file.path?.includes('missing-'));
    expect(named.length).toBeGreaterThan(100);
    expect(named.length).toBeLessThan(4000);
    expect(named.every(({ key }) => key.error !== 0)).toBe(true);
  });

  it('the first system call of each file comes individually', () => {
    const { session } = trace();
    const names = Array.from({ length: 40 }, (_, i) => `first-${i}`);
    trace().run(`for name in ${names.join(' ')}; do head -c 65536 file > $name; done`);
    sample(session);
    session.takeAll();
    trace().run(
      `for name in ${names.join(' ')}; do dd if=$name of=/dev/null bs=512; done 2> /dev/null`,
    );
    const seen = session.takeAll().map(({ file }) => /first-\d+/.exec(file.path ?? '')?.[0]);
    expect(names.filter((name) => !seen.includes(name))).toEqual([]);
  });

  it('slow system calls come individually', () => {
    const { session } = trace();
    const slowNs = 100_000;
    sample(session, slowNs);
    const read = 'dd if=file of=/dev/null bs=4k count=3000 2> /dev/null';
    trace().run(`${read}; dd if=file of=/dev/null bs=4M count=16 iflag=direct 2> /dev/null`);
    const { rows, counted } = callsOf(session, takeCalls(session, 'read'), 'dd');
    expect(rows.filter(({ deviceNs }) => deviceNs >= slowNs).length).toBeGreaterThanOrEqual(16);
    expect(Math.max(...counted.map(({ maxDeviceNs }) => maxDeviceNs))).toBeLessThan(slowNs);
  });
});
