import { describe, expect, it } from 'vitest';
import { IdentityMark } from '../../../src/model/identity.ts';
import { RequestFlag } from '../../../src/model/operation.ts';
import { importText } from './fixtures/import-text.ts';
import type { ImportedRow } from './fixtures/import-text.ts';
import { fixtureText, seenRows } from './fixtures/seen-io.ts';
import type { SeenRow, Tool } from './fixtures/seen-io.ts';

/*
 * Each fixture is what a tool wrote while ioheat traced the same I/O (test/tools/make-import-fixtures).
 * Both take their times at the same tracepoints, but one after the other, and the tool's are rounded:
 * half of them may differ by the rounding and 1.5 µs, none by more than 0.1 ms, for which a virtual
 * machine may stand still in between.
 */
const MEDIAN_NS = 1500;
const MOST_NS = 100e3;

const LETTERS = Object.values(RequestFlag).reduce((all, bit) => all | bit, 0xff);
/** No tool has a letter for it. */
const TOLD = LETTERS & ~RequestFlag.background;
const FLUSH_FLAGS = RequestFlag.fua | RequestFlag.preflush;

interface Pair {
  readonly row: ImportedRow;
  readonly seen: SeenRow;
}

/** The first imported I/O of an operation, place and size with the first that ioheat saw, and so on. */
function paired(rows: readonly ImportedRow[], seen: readonly SeenRow[]): Pair[] {
  const left = [...seen];
  return rows.map((row) => {
    const at = left.findIndex(
      ({ op, sector, bytes }) =>
        op === row.op && Object.is(sector, row.sector) && bytes === row.bytes,
    );
    const [found] = at < 0 ? [] : left.splice(at, 1);
    if (found === undefined) throw new Error(`ioheat saw no ${row.op} at ${row.sector}`);
    return { row, seen: found };
  });
}

function expectClose(differences: readonly number[], roundingNs: number): void {
  const sizes = differences.map(Math.abs).sort((a, b) => a - b);
  expect(sizes[sizes.length >> 1]).toBeLessThanOrEqual(MEDIAN_NS + roundingNs);
  expect(sizes.at(-1)).toBeLessThanOrEqual(MOST_NS + roundingNs);
}

/** Clocks begin at different moments. */
function centred(differences: readonly number[]): number[] {
  const middle = [...differences].sort((a, b) => a - b)[differences.length >> 1] ?? 0;
  return differences.map((difference) => difference - middle);
}

const known = (value: number) => !Number.isNaN(value);

interface Case {
  readonly tool: Tool;
  readonly writer: string;
  readonly unknown: readonly string[];
  /** Of its times, and of when it says a completion was. */
  readonly roundingNs: number;
  readonly stampNs: number;
  /** Tells of the end of a whole flush sequence, too. */
  readonly hasSequences: boolean;
}

const CASES: readonly Case[] = [
  {
    tool: 'biosnoop-libbpf-queued',
    writer: 'biosnoop (libbpf-tools)',
    unknown: ['tid', 'error'],
    roundingNs: 1e3,
    stampNs: 1e3,
    hasSequences: false,
  },
  {
    tool: 'biosnoop-libbpf-timestamp',
    writer: 'biosnoop (libbpf-tools)',
    unknown: ['queue', 'tid', 'error'],
    roundingNs: 1e3,
    // Whole ms of the moment when it printed, after up to one poll.
    stampNs: 101e6,
    hasSequences: false,
  },
  {
    tool: 'blkparse',
    writer: 'blkparse',
    unknown: ['pid', 'comm'],
    roundingNs: 0,
    stampNs: 0,
    hasSequences: true,
  },
  ...(['ftrace-blk', 'ftrace-trace', 'perf-script', 'trace-cmd-report'] as const).map((tool) => ({
    tool,
    writer: {
      'ftrace-blk': 'ftrace (blk)',
      'ftrace-trace': 'ftrace',
      'perf-script': 'perf script',
      'trace-cmd-report': 'trace-cmd report',
    }[tool],
    unknown: tool === 'ftrace-trace' ? [] : ['pid'],
    roundingNs: 1e3,
    stampNs: 1e3,
    hasSequences: true,
  })),
  {
    tool: 'perf-script-ns',
    writer: 'perf script',
    unknown: ['queue'],
    roundingNs: 0,
    stampNs: 0,
    hasSequences: false,
  },
];

describe.each(CASES)('$tool', ({ tool, writer, unknown, roundingNs, stampNs, hasSequences }) => {
  const { header, rows, problems, counters } = importText(fixtureText(tool));
  const all = seenRows(tool);
  const seen = hasSequences ? all : all.filter(({ deviceNs }) => known(deviceNs));
  const pairs = paired(rows, seen);
  // Of data with a flush around them some tools tell the end of the data alone.
  const timed = pairs.filter(
    ({ seen: { cmdFlags } }) => hasSequences || (cmdFlags & FLUSH_FLAGS) === 0,
  );
  const differences = (field: 'deviceNs' | 'queueNs' | 'completeNs') =>
    timed.map((pair) => pair.row[field] - pair.seen[field]).filter(known);

  it('the log of another tool is imported with its name and what it lacks', () => {
    expect(header).toMatchObject({ writer, unknown });
  });

  it('the log of another tool has all the I/Os that ioheat saw', () => {
    expect(rows).toHaveLength(seen.length);
    expect(problems).toEqual([]);
    expect(counters).toMatchObject({ delivered: rows.length, lost: 0 });
  });

  it('the log of another tool has the device latencies that ioheat saw', () => {
    const times = timed.filter(({ seen: { deviceNs } }) => known(deviceNs));
    expect(times.filter(({ row }) => !known(row.deviceNs))).toEqual([]);
    expectClose(differences('deviceNs'), roundingNs);
  });

  it('the log of another tool has the queue latencies that ioheat saw, or none', () => {
    if (unknown.includes('queue')) expect(rows.filter(({ queueNs }) => known(queueNs))).toEqual([]);
    // biosnoop counts from the insertion into the scheduler, ioheat from before it.
    else if (tool === 'biosnoop-libbpf-queued')
      expect(Math.max(...differences('queueNs'))).toBeLessThanOrEqual(roundingNs);
    else expectClose(differences('queueNs'), roundingNs);
  });

  it('the log of another tool has the completion times that ioheat saw', () => {
    expectClose(centred(differences('completeNs')), stampNs);
  });

  it('the log of another tool has the owners and flags that ioheat saw, where it contains them', () => {
    for (const { row, seen: io } of pairs) {
      // Flushes are issued by a kernel worker, and so is what a scheduler held back.
      const isWorkers = (row.key.marks & IdentityMark.indirect) !== 0;
      if (row.op === 'flush' || (tool === 'perf-script-ns' && isWorkers)) continue;
      expect(row.key.tid).toBe(io.tid);
      expect(row.key.marks & IdentityMark.ownerUnknown).toBe(0);
      expect(row.key.comm).toBe(unknown.includes('comm') ? '' : io.comm);
      const told = hasSequences ? TOLD : TOLD & ~FLUSH_FLAGS;
      expect(row.key.cmdFlags & told).toBe(io.cmdFlags & told);
    }
  });
});

describe('biosnoop-bpftrace', () => {
  const { header, rows, problems } = importText(fixtureText('biosnoop-bpftrace'));
  const seen = seenRows('biosnoop-bpftrace').filter(({ op }) => op !== 'flush');

  it('biosnoop.bt has the I/Os that were submitted, with their total latency in whole ms', () => {
    const unknown = ['op', 'device', 'queue', 'sector', 'bytes', 'tid', 'flags', 'error'];
    expect(header.unknown).toEqual(unknown);
    expect(header.latency).toBe('total');
    const count = seen.length;
    expect(problems).toEqual([
      { what: 'latencies below 1ms, which the log has as 0', where: 'line 4', count },
    ]);
    expect(rows).toHaveLength(seen.length);
    rows.forEach((row, index) => {
      const io = seen[index]!;
      const totalNs = io.queueNs + (known(io.deviceNs) ? io.deviceNs : 0);
      // As in layers without a queue.
      expect(row.queueNs).toBe(0);
      expect(Math.abs(row.deviceNs - totalNs)).toBeLessThanOrEqual(1e6 + MOST_NS);
      expect(row.key).toMatchObject({ tgid: io.tid, comm: io.comm });
      expect(row.op).toBe('other');
    });
    const moments = rows.map((row, index) => row.completeNs - seen[index]!.completeNs);
    expectClose(centred(moments), 1e6);
  });
});
