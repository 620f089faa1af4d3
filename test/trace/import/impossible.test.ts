import { expect, test } from 'vitest';
import { importText } from './fixtures/import-text.ts';

const UNREAD = 'lines that could not be read';

/** A log of good lines around one damaged line must have the good ones, and count the other. */
function expectUnread(good: string, damaged: string): void {
  const { rows, problems } = importText([good, damaged, good].join('\n'));
  const unread = problems.filter(({ what }) => what === UNREAD);
  expect({ damaged, rows: rows.length, unread: unread.map(({ count }) => count) }).toEqual({
    ...{ damaged, rows: 2, unread: [1] },
  });
}

const BIOSNOOP = '0.000004 fio 1950 nvme0n1 R 13092560 4096 0.50 0.74';

test.each([
  '0.000004 fio 1950 nvme0n1 R 13092560 -4096 0.50 0.74',
  '0.000004 fio 1950 nvme0n1 R 13092560 4294967296 0.50 0.74',
  '0.000004 fio 1950 nvme0n1 R 13092560 NaN 0.50 0.74',
  '0.000004 fio 1950 nvme0n1 R -7 4096 0.50 0.74',
  '0.000004 fio 1950 nvme0n1 R 36893488147419103232 4096 0.50 0.74',
  '0.000004 fio 1950 nvme0n1 R 9007199254740992 4096 0.50 0.74',
  '0.000004 fio 1950 nvme0n1 R 13092560 4096 0.50 18446744073709.55',
  '0.000004 fio 1950 nvme0n1 R 13092560 4096 31536000000.00 0.74',
  '0.000004 fio 1950 nvme0n1 R 13092560 4096 0.50 -0.74',
  '0.000004 fio 1950 nvme0n1 R 13092560 4096 -3.00 0.74',
  '0.000004 fio 99999999999 nvme0n1 R 13092560 4096 0.50 0.74',
  '99999999999999999999.000004 fio 1950 nvme0n1 R 13092560 4096 0.50 0.74',
])('biosnoop import counts %j as unread: no I/O has such numbers', (damaged) => {
  expectUnread(BIOSNOOP, damaged);
});

test('biosnoop import takes -1, -1.000 and 2^64 - 1 for unknown, which the tools print', () => {
  const unknown = [
    '0.000004 fio 1950 nvme0n1 R -1 4096 -1.00 0.74',
    '0.000004 fio 1950 nvme0n1 F 18446744073709551615 0 -1.000 0.740',
  ];
  const { rows, problems } = importText([BIOSNOOP, ...unknown].join('\n'));
  expect(problems).toEqual([]);
  expect(rows.map(({ sector, queueNs }) => [sector, queueNs])).toEqual([
    ...[[13092560, 0.5e6], ...unknown.map(() => [NaN, NaN])],
  ]);
});

const issue = (at: string) =>
  `  dd-700 [001] ..... ${at}: block_rq_issue: 8,0 R 4096 () 800 + 8 [dd]`;
const done = (at: string, dev = '8,0', place = '800 + 8', error = '0') =>
  `  dd-700 [001] ..... ${at}: block_rq_complete: ${dev} R () ${place} [${error}]`;

test.each([
  done('9.000000', '8,0', '800 + 99999999'),
  done('9.000000', '8,0', '36893488147419103232 + 8'),
  done('9.000000', '8,0', '9007199254740992 + 8'),
  done('9.000000', '4096,0'),
  done('9.000000', '8,9999999'),
  done('9.000000', '8,0', '800 + 8', '99999999999'),
  done('9.000000', '8,0', '800 + 8', ''),
  done('99999999999999.000000'),
  issue('99999999999999.000000'),
])('tracepoints import counts %j as unread: no request has such numbers', (damaged) => {
  const good = [issue('5.000000'), done('5.001000')].join('\n');
  expectUnread(good, damaged);
});

test('tracepoints import counts a request of months as unread', () => {
  const log = [issue('1.000000'), done('1.001000'), issue('2.000000'), done('3000000.000000')];
  const { rows, problems } = importText(log.join('\n'));
  expect([rows.length, problems.map(({ what, count }) => [what, count])]).toEqual([
    1,
    [[UNREAD, 1]],
  ]);
});

test('blkparse import counts impossible numbers as unread', () => {
  const line = (action: string, rest: string, time = '0.000001') =>
    `  8,0    1        1     ${time}   700  ${action}   R ${rest}`;
  const good = [line('D', '800 + 8 [dd]'), line('C', '800 + 8 [0]', '0.000009')].join('\n');
  expectUnread(good, line('C', '36893488147419103232 + 8 [0]'));
  expectUnread(good, line('D', '800 + 99999999 [dd]'));
  expectUnread(good, line('C', '800 + 8 []'));
});

test('bpftrace import counts a latency of years as unread', () => {
  const heading = 'TIME(ms)     DISK     COMM             PID    LAT(ms)';
  const { rows, problems } = importText(
    `${heading}\n611 nvme0n1 dd 700 1\n612 nvme0n1 dd 700 99999999999\n`,
  );
  expect([rows.length, problems.map(({ count }) => count)]).toEqual([1, [1]]);
});

const ACTION = '  dd-700 [001] ..... 3.100000:   8,0    Q  R 800 + 8 [dd]';
const ENDED = '  dd-700 [001] ..... 3.200000:   8,0    C  R 800 + 8 [0]';

test.each([
  ['biosnoop', [BIOSNOOP, BIOSNOOP], BIOSNOOP.replace('0.000004', '99999999999.000004'), 2],
  ['biosnoop', [BIOSNOOP], BIOSNOOP.replace('0.000004', '99999999999.000004'), 1],
  ['tracepoint', [issue('3.100000'), done('3.200000')], issue('99999999999999.000000'), 1],
  ['blk tracer', [ACTION, ENDED], ACTION.replace('3.1', '99999999999999.1'), 1],
  ['trace2heatmap', ['1000 20', '2000 30'], '9999999999999999 20', 2],
])(
  '%s import reads all lines after a first one with an impossible time',
  (_, good, damaged, count) => {
    const head = damaged.includes(' Q ') ? ['# tracer: blk'] : [];
    const { rows, problems } = importText([...head, damaged, ...good].join('\n'));
    const unread = problems.filter(({ what }) => what === UNREAD);
    expect([rows.length, unread.map((one) => one.count)]).toEqual([count, [1]]);
    expect(rows[0]!.completeNs).toBeLessThan(1e9);
  },
);
