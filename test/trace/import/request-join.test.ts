import { describe, expect, it } from 'vitest';
import { IdentityMark } from '../../../src/model/identity.ts';
import { opClass, OP_MASK, RequestFlag } from '../../../src/model/operation.ts';
import { importText } from './fixtures/import-text.ts';

/** blkparse 1.2: device, processor, sequence, seconds, process, action, letters, the rest. */
function blkparse(...lines: readonly string[]): string {
  return lines
    .map((line, index) => {
      const [ms = '', pid = '', action = '', letters = '', ...rest] = line.split(' ');
      const [seconds, us] = [Math.floor(Number(ms) / 1e3), (Number(ms) % 1e3) * 1e6];
      const time = `${seconds}.${String(us).padStart(9, '0')}`;
      const place = `  8,0    1 ${String(index).padStart(8)} ${time.padStart(15)}`;
      return `${place} ${pid.padStart(5)} ${action.padStart(2)} ${letters.padStart(3)} ${rest.join(' ')}`;
    })
    .join('\n');
}

const times = (text: string) =>
  importText(text).rows.map(({ completeNs, deviceNs, queueNs, sector, bytes }) => {
    return [completeNs / 1e6, deviceNs / 1e6, queueNs / 1e6, sector, bytes];
  });

describe('blkparse', () => {
  it('blkparse import joins submission, issue and completion', () => {
    const { header, rows } = importText(
      blkparse(
        '1 700 Q R 800 + 8 [Web Content]',
        '2 700 G R 800 + 8 [Web Content]',
        '3 700 I R 800 + 8 [Web Content]',
        '5 44 D R 800 + 8 [kworker/0:1H]',
        '9 0 C R 800 + 8 [0]',
      ),
    );
    expect(header).toMatchObject({ writer: 'blkparse', hasWallClock: false, unknown: ['pid'] });
    expect(rows).toMatchObject([
      {
        completeNs: 9e6,
        deviceNs: 4e6,
        queueNs: 3e6,
        sector: 800,
        bytes: 4096,
        disk: '8:0',
        key: { tid: 700, comm: 'Web Content', marks: IdentityMark.processUnknown },
      },
    ]);
  });

  it('blkparse import counts from the first issue when a request is issued again', () => {
    const text = blkparse(
      '1 700 G R 800 + 8 [dd]',
      '2 700 D R 800 + 8 [dd]',
      '3 0 R R 800 + 8 [0]',
      '5 44 D R 800 + 8 [kworker/0:1H]',
      '9 0 C R 800 + 8 [0]',
    );
    expect(times(text)).toEqual([[9, 7, 1, 800, 4096]]);
  });

  it('blkparse import follows merges at both ends', () => {
    const text = blkparse(
      '1 700 Q W 808 + 8 [dd]',
      '1 700 G W 808 + 8 [dd]',
      '2 701 Q W 816 + 8 [two]',
      '2 701 M W 816 + 8 [two]',
      '3 702 Q W 800 + 8 [three]',
      '3 702 F W 800 + 8 [three]',
      '4 44 D W 800 + 24 [kworker/0:1H]',
      '9 0 C W 800 + 24 [0]',
    );
    expect(times(text)).toEqual([[9, 5, 3, 800, 12288]]);
    expect(importText(text).rows[0]?.key.comm).toBe('dd');
  });

  it('blkparse import follows splits', () => {
    const text = blkparse(
      '1 700 Q W 800 + 16 [dd]',
      '1 700 X W 800 / 808 [dd]',
      '2 700 D W 800 + 8 [dd]',
      '3 700 D W 808 + 8 [dd]',
      '5 0 C W 800 + 8 [0]',
      '9 0 C W 808 + 8 [0]',
    );
    expect(times(text)).toEqual([
      [5, 3, 1, 800, 4096],
      [9, 6, 2, 808, 4096],
    ]);
  });

  it('blkparse import makes one row of partial completions, when the last has come', () => {
    const text = blkparse('2 700 D W 800 + 16 [dd]', '5 0 C W 800 + 8 [0]', '9 0 C W 808 + 8 [0]');
    expect(times(text)).toEqual([[9, 7, NaN, 800, 8192]]);
  });

  it('blkparse import lets the oldest of requests for the same place complete first', () => {
    const text = blkparse(
      '1 700 D R 800 + 8 [dd]',
      '4 701 D R 800 + 8 [two]',
      '5 0 C R 800 + 8 [0]',
      '9 0 C R 800 + 8 [0]',
    );
    expect(times(text)).toEqual([
      [5, 4, NaN, 800, 4096],
      [9, 5, NaN, 800, 4096],
    ]);
  });

  it('blkparse import does not confuse reads and writes of the same place', () => {
    const text = blkparse(
      '1 700 D R 800 + 8 [dd]',
      '4 701 D W 800 + 8 [two]',
      '5 0 C W 800 + 8 [0]',
      '9 0 C R 800 + 8 [0]',
    );
    expect(importText(text).rows.map(({ op, deviceNs }) => [op, deviceNs])).toEqual([
      ['write', 1e6],
      ['read', 8e6],
    ]);
  });

  it('blkparse import ends a FUA write when its flush is done', () => {
    const { rows } = importText(
      blkparse(
        '1 700 Q WFS 800 + 8 [dd]',
        '2 700 D WS 800 + 8 [dd]',
        '3 0 C WS 800 + 8 [0]',
        '4 44 D FN [kworker/0:1H]',
        '6 0 C FN 0 [0]',
        '7 0 C WS 800 [0]',
      ),
    );
    expect(rows.map(({ op, deviceNs }) => [op, deviceNs])).toEqual([
      ['flush', 2e6],
      ['write', 5e6],
    ]);
    expect(rows[0]).toMatchObject({
      sector: NaN,
      bytes: 0,
      key: { marks: IdentityMark.indirect | IdentityMark.processUnknown },
    });
    expect(rows[1]?.key.cmdFlags).toBe(1 | RequestFlag.fua | RequestFlag.sync);
  });

  it('blkparse import takes no flags from the letters of zone operations', () => {
    const letters = ['ZA', 'ZAS', 'ZF', 'ZR', 'ZRA', 'ZRAS', 'ZO', 'ZC', 'NS', 'WZS', 'WFSM', 'RA'];
    const text = blkparse(
      ...letters.flatMap((one, i) => [
        `${i * 2 + 1} 7 D ${one} ${i * 8} + 8 [dd]`,
        `${i * 2 + 2} 0 C ${one} ${i * 8} + 8 [0]`,
      ]),
    );
    const { sync, fua, meta, readAhead } = RequestFlag;
    const flags = importText(text).rows.map(({ key }) => key.cmdFlags & ~OP_MASK);
    const [noFlag, write] = [0, fua | sync | meta];
    expect(flags).toEqual([
      ...[noFlag, sync, noFlag, noFlag, noFlag, sync, noFlag, noFlag, sync, sync],
      ...[write, readAhead],
    ]);
    const ops = importText(text).rows.map(({ key }) => opClass(key.cmdFlags));
    expect(ops).toEqual([...Array.from({ length: 9 }, () => 'other'), 'write', 'write', 'read']);
  });

  it('blkparse import reads errors, which blkparse prints without their sign', () => {
    const text = blkparse('1 700 D R 800 + 8 [dd]', '5 0 C R 800 + 8 [65531]');
    expect(importText(text).rows[0]?.key.error).toBe(-5);
  });

  it('blkparse import counts completions issued before the log, and issues that never completed', () => {
    const { rows, problems, counters } = importText(
      blkparse('1 0 C R 800 + 8 [0]', '2 700 D R 808 + 8 [dd]', '3 0 C R 816 + 8 [0]'),
    );
    expect(rows).toEqual([]);
    expect(counters).toMatchObject({ lost: 2, losses: { 'completion without issue': 2 } });
    expect(problems).toMatchObject([
      { what: 'completions of requests whose issue is not in the log', count: 2, where: 'line 1' },
      { what: 'requests whose completion is not in the log', count: 1 },
    ]);
  });

  it('blkparse import measures devices without a queue from the submission, and says so', () => {
    const text = blkparse('1 700 Q R 800 + 8 [dd]', '5 0 C R 800 + 8 [0]');
    expect(times(text)).toEqual([[5, 4, NaN, 800, 4096]]);
    expect(importText(text).problems).toMatchObject([{ count: 1 }]);
  });

  it('blkparse import drops the oldest of too many requests that never complete', () => {
    const lines = Array.from({ length: 70_000 }, (_, at) => `1 700 D R ${at * 8} + 8 [dd]`);
    const { rows, problems } = importText(
      blkparse(...lines, '2 0 C R 0 + 8 [0]', '3 0 C R 559992 + 8 [0]'),
    );
    expect(rows).toHaveLength(1);
    expect(problems.map(({ what, count }) => [what, count])).toEqual([
      ['requests whose completion is not in the log', 69_999],
      ['completions of requests whose issue is not in the log', 1],
    ]);
  });

  it('blkparse import skips notes, remaps, plugs and the summary', () => {
    const text = `${blkparse(
      '1 700 A R 800 + 8 <- (8,1) 768',
      '1 700 P N [dd]',
      '1 700 U N [dd] 1',
      '1 700 m N cfq700 slice expired',
      '1 700 D R 800 + 8 [dd]',
      '5 0 C R 800 + 8 [0]',
    )}\nCPU0 (8,0):\n Reads Queued:  44,  1028KiB\n\nThroughput (R/W): 1KiB/s / 0KiB/s\n`;
    expect(importText(text)).toMatchObject({ rows: [{ deviceNs: 4e6 }], problems: [] });
  });
});

describe('block tracepoints', () => {
  it('block tracepoints of kernels without I/O priorities (perf 4.19) are imported', () => {
    const { header, rows, problems } = importText(
      '# hostname : server\n# os release : 4.19.0-18-amd64\n' +
        'Web Content  1200 [001]  5021.100000: block:block_rq_insert: 8,0 RM 4096 () 800 + 8 [Web Content]\n' +
        'Web Content  1200 [001]  5021.100250: block:block_rq_issue: 8,0 RM 4096 () 800 + 8 [Web Content]\n' +
        '    swapper     0 [001]  5021.101250: block:block_rq_complete: 8,0 RM () 800 + 8 [-5]\n',
    );
    expect(header).toMatchObject({ host: 'server', kernel: '4.19.0-18-amd64', unknown: ['pid'] });
    expect(header.clockBase.monotonicNs).toBe(5_021_100_000_000n);
    expect(rows).toMatchObject([
      {
        completeNs: 1_250_000,
        deviceNs: 1e6,
        queueNs: 250e3,
        key: { cmdFlags: RequestFlag.meta, tid: 1200, comm: 'Web Content', error: -5 },
      },
    ]);
    expect(problems).toEqual([]);
  });

  it('block tracepoints of trace-cmd 2.6 without flags, ns and lost events are imported', () => {
    const { header, rows, counters } = importText(
      'cpus=2\n' +
        '              dd-1200  [001] 5021.100000001: block_rq_issue:       8,0 W 4096 () 800 + 8 [dd]\n' +
        'CPU:1 [LOST 12 EVENTS]\n' +
        '          <idle>-0     [001] 5021.101000002: block_rq_complete:    8,0 W () 800 + 8 [0]\n',
    );
    expect(header).toMatchObject({ writer: 'trace-cmd report', unknown: ['queue', 'pid'] });
    expect(rows).toMatchObject([{ deviceNs: 1_000_001, queueNs: NaN, op: 'write' }]);
    expect(counters?.lost).toBe(12);
  });

  it('block_io_done is the completion where no other event reports it', () => {
    const { header, rows } = importText(
      '  dd  1200 [001]  5021.100000: block:block_io_start: 8,0 R 4096 () 800 + 8 be,0,4 [dd]\n' +
        '  dd  1200 [001]  5021.101000: block:block_io_done: 8,0 R 0 () 800 + 0 be,0,4 [dd]\n',
    );
    expect(header.unknown).toEqual(['queue', 'pid', 'error']);
    expect(rows).toMatchObject([{ deviceNs: 1e6, queueNs: NaN, bytes: 4096 }]);
  });

  it('imported times are exact on machines that are up for years', () => {
    const { rows } = importText(
      '  dd  1 [001] 94608000.000000001: block:block_rq_issue: 8,0 R 4096 () 800 + 8 [dd]\n' +
        '  dd  1 [001] 94608000.000000008: block:block_rq_complete: 8,0 R () 800 + 8 [0]\n',
    );
    expect(rows).toMatchObject([{ completeNs: 7, deviceNs: 7 }]);
  });

  it('block tracepoint import skips remaps, which every I/O to a partition has', () => {
    const { rows, problems } = importText(
      'dd  1200 [001]  21.100000: block:block_bio_remap: 8,0 WS 2848 + 8 <- (8,1) 800\n' +
        'dd  1200 [001]  21.100001: block:block_bio_queue: 8,0 WS 2848 + 8 [dd]\n' +
        'dd  1200 [001]  21.100002: block:block_rq_issue: 8,0 WS 4096 () 2848 + 8 [dd]\n' +
        'dd  1200 [001]  21.100003: block:block_rq_remap: 8,0 WS 2848 + 8 <- (252,0) 2848 1\n' +
        'swapper  0 [001]  21.101002: block:block_rq_complete: 8,0 WS () 2848 + 8 [0]\n',
    );
    expect(rows).toMatchObject([{ deviceNs: 1e6, sector: 2848 }]);
    expect(problems).toEqual([]);
  });

  it('block tracepoint import skips other events and call chains', () => {
    const { rows, problems } = importText(
      '  dd  1 [001] 5021.1000: sched:sched_switch: prev_comm=dd prev_pid=1\n' +
        '  dd  1 [001] 5021.1000: block:block_rq_issue: 8,0 R 4096 () 800 + 8 [dd]\n' +
        '        ffffffff8149a4f1 blk_mq_start_request+0x91 ([kernel.kallsyms])\n\n' +
        '  dd  1 [001] 5021.2000: block:block_rq_complete: 8,0 R () 800 + 8 [0]\n',
    );
    expect(rows).toHaveLength(1);
    expect(problems).toEqual([]);
  });
});

describe('biosnoop.bt', () => {
  it('biosnoop.bt 0.9 (2019) without disks is imported', () => {
    const { rows, problems } = importText(
      'Attaching 4 probes...\nTIME(ms)     COMM             PID    LAT(ms)\n' +
        '611          bash             4179        10\n614          Web Content      4180         0\n',
    );
    expect(problems).toMatchObject([
      { what: 'latencies below 1ms, which the log has as 0', where: 'line 4', count: 1 },
    ]);
    expect(rows).toMatchObject([
      { completeNs: 611e6, deviceNs: 10e6, sector: NaN, op: 'other', key: { comm: 'bash' } },
      { completeNs: 614e6, deviceNs: 0, key: { tgid: 4180, comm: 'Web Content' } },
    ]);
  });

  it('biosnoop.bt 0.12 (2021) with names of disks is imported', () => {
    const { rows, problems } = importText(
      'TIME(ms)     DISK    COMM             PID    LAT(ms)\n' +
        '611          nvme0n1 Web Content      4179        10\n',
    );
    expect(problems).toEqual([]);
    expect(rows).toMatchObject([{ disk: 'nvme0n1', key: { tgid: 4179, comm: 'Web Content' } }]);
  });
});

describe('zone appends', () => {
  const event = (us: number, name: string, rest: string) =>
    `  fio-700 [001] ..... 1.${String(us).padStart(6, '0')}: ${name}: 259,0 ${rest}`;

  it.each(['N', 'ZA', 'ZAS'])(
    'a zone append is issued at the start of its zone and completes where it was written (%s)',
    (letters) => {
      const { rows, problems, counters } = importText(
        [
          event(1, 'block_rq_issue', `${letters} 4096 () 0 + 8 [fio]`),
          event(2, 'block_rq_issue', `${letters} 8192 () 0 + 16 [fio]`),
          event(3, 'block_rq_issue', `${letters} 4096 () 524288 + 8 [fio]`),
          event(4, 'block_rq_issue', `${letters} 4096 () 0 + 8 [fio]`),
          event(11, 'block_rq_complete', `${letters} () 524296 + 8 [0]`),
          event(12, 'block_rq_complete', `${letters} () 1024 + 16 [0]`),
          event(13, 'block_rq_complete', `${letters} () 1040 + 8 [0]`),
          event(14, 'block_rq_complete', `${letters} () 1048 + 8 [0]`),
        ].join('\n'),
      );
      expect(problems).toEqual([]);
      expect(counters?.lost).toBe(0);
      expect(rows.map(({ sector, bytes, deviceNs }) => [sector, bytes, deviceNs / 1e3])).toEqual([
        [524296, 4096, 8],
        [1024, 8192, 10],
        [1040, 4096, 12],
        [1048, 4096, 10],
      ]);
    },
  );
});
