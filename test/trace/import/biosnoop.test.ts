import { describe, expect, it, vi } from 'vitest';
import { IdentityMark } from '../../../src/model/identity.ts';
import { RequestFlag } from '../../../src/model/operation.ts';
import { importAll, importText, textInput } from './fixtures/import-text.ts';

/** What its lines never tell. */
const BCC = IdentityMark.flagsUnknown | IdentityMark.errorUnknown;

const first = (text: string) => importText(text).rows[0]!;

describe('biosnoop of bcc', () => {
  it('biosnoop of bcc 0.8 (2018) with its wide columns is imported', () => {
    const { header, rows, problems } = importText(
      'TIME(s)        COMM           PID    DISK    T  SECTOR    BYTES   LAT(ms)\n' +
        '0.000004001    supervise      1950   xvda1   W  13092560  4096       0.74\n' +
        '0.001469001    xfsaild/md0    456    xvdb    R  62901512  512        1.24\n',
    );
    expect(header).toMatchObject({
      kind: 'import',
      writer: 'biosnoop (bcc)',
      hasWallClock: false,
      unknown: ['queue', 'flags', 'tid', 'error'],
    });
    expect(rows[0]).toMatchObject({
      completeNs: 0,
      deviceNs: 740_000,
      queueNs: NaN,
      sector: 13092560,
      bytes: 4096,
      disk: 'xvda1',
      op: 'write',
      key: { tgid: 1950, comm: 'supervise', marks: BCC },
    });
    expect(rows[1]).toMatchObject({ completeNs: 1_465_000, disk: 'xvdb', op: 'read', bytes: 512 });
    expect(problems).toEqual([]);
  });

  it('a name in biosnoop whose last letter ends with the byte of a no-break space keeps it', () => {
    const text =
      'TIME(s)     COMM           PID    DISK    T SECTOR     BYTES  LAT(ms)\n' +
      '0.000000    Ṡ              1950   vda     R 13092560   4096      0.74\n';
    expect(first(text).key.comm).toBe('Ṡ');
  });

  it('biosnoop of bcc 0.10 (2019) with the time in the queue is imported', () => {
    const { header, rows } = importText(
      'TIME(s)     COMM           PID    DISK    T SECTOR     BYTES  QUE(ms) LAT(ms)\n' +
        '0.000000    kworker/u72:1  13379  nvme1n1 W 1142400    4096      0.01    0.55\n',
    );
    expect(header.unknown).not.toContain('queue');
    expect(rows[0]).toMatchObject({ queueNs: 10_000, deviceNs: 550_000 });
    expect(rows[0]?.key.marks).toBe(BCC | IdentityMark.indirect);
  });

  it('biosnoop of bcc 0.26 (2022) with the pattern of access is imported', () => {
    const { rows, problems } = importText(
      'TIME(s)     COMM           PID     DISK      T SECTOR     BYTES  P QUE(ms) LAT(ms)\n' +
        '0.000000    dd             24680   vda       R 1142400    4096   ?    0.01    0.55\n' +
        '0.000771    dd             24680   vda       R 1142408    4096   S    0.11    0.47\n',
    );
    expect(rows.map(({ queueNs, deviceNs }) => [queueNs, deviceNs])).toEqual([
      [10_000, 550_000],
      [110_000, 470_000],
    ]);
    expect(problems).toEqual([]);
  });

  it('a biosnoop row whose submission was missed has no owner and no sector', () => {
    const heading = 'TIME(s)        COMM           PID    DISK    T  SECTOR    BYTES   LAT(ms)\n';
    const old = first(
      `${heading}0.000004001    ?              0              R  -1        8190       0.10\n`,
    );
    expect(old).toMatchObject({ sector: NaN, bytes: 8190, disk: 'unknown' });
    expect(old.key.marks).toBe(BCC | IdentityMark.ownerUnknown);
    const fresh = first(
      '0.000004    ?              0       <unknown> R 0          8192      0.10\n',
    );
    expect(fresh).toMatchObject({ sector: NaN, bytes: 8192 });
    expect(fresh.key.marks).toBe(BCC | IdentityMark.ownerUnknown);
  });

  it('a biosnoop row without sector and size is a flush', () => {
    const line =
      '0.000004    jbd2/vda1-8    210     vda       R 18446744073709551615 0          0.10\n';
    expect(first(line)).toMatchObject({ op: 'flush', sector: NaN, bytes: 0 });
  });

  it.each(['Web Content', 'a 12 sda R 8 8', 'x  ', '1 2', 'kworker/0:1H'])(
    'biosnoop import keeps the process name "%s" whole',
    (comm) => {
      const line = `0.000004    ${comm.padEnd(14)} 1950    vda       W 13092560   4096       0.74\n`;
      expect(first(line)).toMatchObject({
        sector: 13092560,
        key: { tgid: 1950, comm: comm.trim() },
      });
    },
  );

  it('biosnoop import decodes a process name that was split between two reads', () => {
    const line = '0.000004    größer         1950    vda       W 13092560   4096       0.74\n';
    expect(first(line).key.comm).toBe('größer');
  });

  it('biosnoop import escapes what is not UTF-8 in a process name, as live tracing does', () => {
    const line =
      '0.000004    gr\xf6\xdfer\xc3\xa9       1950    vda       W 13092560   4096       0.74\n';
    expect(importText(Buffer.from(line, 'latin1')).rows[0]?.key.comm).toBe('gr\\366\\337eré');
  });
});

describe('biosnoop of libbpf-tools', () => {
  const HEADING =
    'TIME(s)     COMM           PID     DISK    T    SECTOR     BYTES   QUE(ms) LAT(ms)\n';

  it('biosnoop of libbpf-tools 0.27 (2023) with flags and the time in the queue is imported', () => {
    const { header, rows } = importText(
      HEADING +
        '0.000000    fio            1950    vda     RAM  13092560   4096      0.012   0.740\n' +
        '0.000010    jbd2/vda1-8    210     vda     FWFS 13092560   4096      0.012   0.740\n',
    );
    expect(header).toMatchObject({ writer: 'biosnoop (libbpf-tools)', unknown: ['tid', 'error'] });
    expect(rows[0]).toMatchObject({ queueNs: 12_000, deviceNs: 740_000, op: 'read' });
    expect(rows[0]?.key.cmdFlags).toBe(RequestFlag.readAhead | RequestFlag.meta);
    expect(rows[1]?.key.cmdFlags).toBe(
      1 | RequestFlag.preflush | RequestFlag.fua | RequestFlag.sync,
    );
  });

  it('biosnoop import has no queue latency where the disk has no scheduler', () => {
    const line = (queue: string) =>
      `${HEADING}0.000000    fio            1950    vda     R    13092560   4096     ${queue}   0.740\n`;
    expect(first(line(' 0.000')).queueNs).toBeNaN();
    expect(first(line('-1.000')).queueNs).toBeNaN();
  });

  it('biosnoop of libbpf-tools 0.28 (2023) with the time of day is imported over midnight', () => {
    const text =
      'TIMESTAMP    COMM           PID     DISK    T    SECTOR     BYTES   LAT(ms)\n' +
      '23:59:59.900 fio            1950    vda     R    13092560   4096      0.740\n' +
      '00:00:00.100 fio            1950    vda     R    13092560   4096      0.740\n';
    const written = new Date(2024, 4, 2, 7, 0, 0).getTime();
    const { header, rows } = importAll(textInput(text, 1 << 16, written));
    expect(header.hasWallClock).toBe(true);
    const start = new Date(2024, 4, 1, 23, 59, 59, 900).getTime();
    expect(header.clockBase.wallNs).toBe(BigInt(start) * 1_000_000n);
    expect(rows.map(({ completeNs }) => completeNs)).toEqual([0, 200e6]);
  });

  const timesOfDay = (...times: readonly string[]) =>
    'TIMESTAMP    COMM           PID     DISK    T    SECTOR     BYTES   LAT(ms)\n' +
    times.map((at) => `${at} fio  1950  vda  R  13092560  4096  0.740\n`).join('');

  it('biosnoop import finds the day of times of day on a disk that is rarely used', () => {
    const hours = (...times: readonly string[]) =>
      importText(timesOfDay(...times)).rows.map(({ completeNs }) => completeNs / 3600e9);
    expect(hours('20:00:00.000', '10:00:00.000', '22:30:00.000')).toEqual([0, 14, 26.5]);
    expect(hours('23:30:00.000', '00:30:00.000', '13:00:00.000')).toEqual([0, 1, 13.5]);
    expect(hours('23:30:00.000', '00:00:00.000', '23:45:00.000')).toEqual([0, 0.5, 0.25]);
  });

  it.each([
    ['2026-03-29', '2026-03-29T14:02:01.500+02:00'],
    ['2026-10-25', '2026-10-25T14:02:01.500+01:00'],
  ])('biosnoop import reads the time of day where clocks changed on %s', (_, start) => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    try {
      const startMs = Date.parse(start);
      const input = textInput(timesOfDay('14:02:01.500'), 1 << 16, startMs + 60_000);
      const { header } = importAll(input);
      expect(header.clockBase.wallNs).toBe(BigInt(startMs) * 1_000_000n);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it.each([
    ['2026-03-29T01:59:59+01:00', ['01:59:59', '03:00:00', '01:59:59', '03:00:02'], [0, 1, 0, 3]],
    ['2026-10-25T02:59:58+02:00', ['02:59:58', '02:00:00', '02:59:59', '02:00:01'], [0, 2, 1, 3]],
    [
      '2026-10-25T02:30:00+02:00',
      ['02:30:00', '02:29:30', '02:20:00', '03:10:00'],
      [0, -30, 3e3, 6e3],
    ],
    ['2026-10-24T23:00:00+02:00', ['23:00:00', '02:10:00', '02:05:00'], [0, 11400, 14700]],
  ])(
    'biosnoop import goes on where clocks change, in a log from %s on',
    (start, times, seconds) => {
      vi.stubEnv('TZ', 'Europe/Berlin');
      try {
        const text = timesOfDay(...times.map((time) => `${time}.500`));
        const { header, rows } = importAll(
          textInput(text, 1 << 16, Date.parse(start) + 20 * 3600e3),
        );
        expect(header.clockBase.wallNs).toBe(BigInt(Date.parse(start) + 500) * 1_000_000n);
        expect(rows.map(({ completeNs }) => completeNs / 1e9)).toEqual(seconds);
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );

  it('biosnoop import counts the events that the tool says it lost', () => {
    const { counters, problems } = importText(
      '0.000000    fio            1950    vda     R    13092560   4096      0.740\n' +
        'lost 17 events on CPU #1\n',
    );
    expect(counters).toMatchObject({ delivered: 1, lost: 17 });
    expect(problems).toEqual([]);
  });
});

describe('the log of the article', () => {
  it('biosnoop import reads the published log with the time of day first', () => {
    const { header, rows, problems } = importText(
      'TIME           PID COMM           DISK T  SECTOR    BYTES   LAT(ms)\n' +
        '19:02:01.123   892 mysqld         sdb  W  88172664  4096    47.92\n' +
        '19:02:01.124   892 mysqld         sdb  W  88172672  4096    48.11\n' +
        '...\n',
    );
    expect(header).toMatchObject({ writer: 'biosnoop', hasWallClock: true });
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({
      completeNs: 1e6,
      deviceNs: 48_110_000,
      disk: 'sdb',
      sector: 88172672,
      key: { tgid: 892, comm: 'mysqld' },
    });
    expect(problems).toEqual([
      { what: 'lines that could not be read', where: 'line 4', count: 1, quote: '...' },
    ]);
  });
});
