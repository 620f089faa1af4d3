import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openImport } from '../../../src/trace/import/open-import.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { importText, textInput } from './fixtures/import-text.ts';
import type { ImportedRow } from './fixtures/import-text.ts';

/* One load as perf, trace-cmd and ftrace print it (test/tools/make-import-variants). */

function textOf(name: string): string {
  const path = resolve(import.meta.dirname, 'fixtures/variants', `${name}.txt`);
  return readFileSync(path, 'latin1');
}

const imported = (name: string) => importText(Buffer.from(textOf(name), 'latin1'));

function refusal(text: string) {
  const opened = openImport(textInput(text), new IdentityTable());
  if (opened.ok) throw new Error(`opened as a log of ${opened.value.header.writer}`);
  return opened.error;
}

/** Six reads of 4 KiB, four writes of 8 KiB, what fsync sends. */
const PLACES = [
  ...Array.from({ length: 6 }, (_, i) => `read ${128 + i * 8} 4096`),
  ...Array.from({ length: 4 }, (_, i) => `write ${144 + i * 16} 8192`),
];

const placesOf = (rows: readonly ImportedRow[]) =>
  rows.filter(({ bytes }) => bytes > 0).map(({ op, sector, bytes }) => `${op} ${sector} ${bytes}`);

const timesOf = (rows: readonly ImportedRow[]) =>
  rows.map(({ completeNs, deviceNs, queueNs }) => [completeNs, deviceNs, queueNs]);

describe('perf script', () => {
  const plain = imported('perf-plain');

  it.each([
    'perf-fields-comm',
    'perf-fields-bare',
    'perf-wrapped',
    'perf-quoted',
    'perf-quoted-wrapped',
    'perf-encoded',
  ])('perf script: %s gives the same I/Os at the same times', (name) => {
    const { rows, problems } = imported(name);
    expect(problems).toEqual([]);
    expect(placesOf(rows)).toEqual(PLACES);
    expect(timesOf(rows)).toEqual(timesOf(plain.rows));
  });

  it.each(['perf-callchain', 'perf-fields-ip'])(
    'perf script: %s with a long start of call chains gives queue latencies and no unread line',
    (name) => {
      const { header, rows, problems } = imported(name);
      expect(header.unknown).toEqual(['pid']);
      expect(rows.length).toBeGreaterThan(3);
      expect(timesOf(rows)).toEqual(timesOf(plain.rows.slice(0, rows.length)));
      const unread = problems.filter(({ what }) => what.startsWith('lines'));
      expect(unread).toEqual([]);
    },
  );

  it('perf script --reltime gives the same times to the µs that it rounds to', () => {
    const { rows } = imported('perf-reltime');
    expect(placesOf(rows)).toEqual(PLACES);
    const wanted = timesOf(plain.rows).flat();
    timesOf(rows)
      .flat()
      .forEach((ns, i) => {
        if (!Number.isNaN(ns)) expect(Math.abs(ns - wanted[i]!)).toBeLessThanOrEqual(1000);
      });
  });

  it('perf script without thread IDs gives the process name alone', () => {
    const { header, rows } = imported('perf-fields-comm');
    expect(header.unknown).toEqual(['pid', 'tid']);
    expect(rows[0]?.key).toMatchObject({ comm: 'dd', marks: IdentityMark.processUnknown });
  });

  it('perf script --deltatime is refused with what to do, because it sums rounded steps', () => {
    const error = refusal(textOf('perf-deltatime'));
    expect(error.why).toContain('--deltatime');
    expect(error.remedy).toBe('run perf script again without --deltatime');
  });

  it('perf script without times is refused with what to do', () => {
    expect(refusal(textOf('perf-fields-no-time'))).toMatchObject({
      what: 'the log has no times',
      remedy: expect.stringContaining('time,event') as string,
    });
  });

  it('perf script gives queue latencies though its first 64 KB have none', () => {
    const lines = textOf('perf-plain').split('\n');
    const issues = lines.filter((line) => /rq_(?:issue|complete)/.test(line)).join('\n');
    const long = `${issues}\n`.repeat(60);
    expect(long.length).toBeGreaterThan(1 << 16);
    const { header, rows } = importText(Buffer.from(`${long}${textOf('perf-plain')}`, 'latin1'));
    expect(header.unknown).toEqual(['pid']);
    expect(rows[0]?.queueNs).toBeNaN();
    expect(rows.slice(-10).filter(({ queueNs }) => queueNs >= 0).length).toBeGreaterThan(5);
  });
});

describe('trace-cmd report', () => {
  it.each(['trace-cmd-latency', 'trace-cmd-ts-diff', 'trace-cmd-raw'])(
    'trace-cmd report: %s gives the same I/Os at the same times',
    (name) => {
      const { header, rows, problems } = imported(name);
      expect([header.writer, problems]).toEqual(['trace-cmd report', []]);
      expect(placesOf(rows)).toEqual(PLACES);
      expect(timesOf(rows)).toEqual(timesOf(imported('trace-cmd-local').rows));
    },
  );

  it.each([
    ['trace-cmd-counter', '"counter" only numbers the events'],
    ['trace-cmd-x86-tsc', '"x86-tsc"'],
    ['trace-cmd-boot', 'plain numbers'],
    ['trace-cmd-uptime', '"uptime" in steps of 10 s'],
  ])('trace-cmd report: %s is refused, and the clock named', (name, clock) => {
    const error = refusal(textOf(name));
    expect(error.why).toContain(clock);
    expect(error.remedy).toBe('record again with another clock (trace-cmd record -C mono)');
  });
});

describe('ftrace', () => {
  it.each(['ftrace-latency', 'ftrace-latency-verbose', 'ftrace-blk-latency', 'ftrace-local'])(
    'ftrace: %s gives the same I/Os, with times to 1 µs',
    (name) => {
      const { header, rows, problems } = imported(name);
      expect([header.writer.slice(0, 6), problems]).toEqual(['ftrace', []]);
      expect(placesOf(rows)).toEqual(PLACES);
      for (const { deviceNs, bytes } of rows) {
        if (bytes > 0) expect(deviceNs).toBeGreaterThan(1000);
        expect(deviceNs % 1000 === 0 || Number.isNaN(deviceNs)).toBe(true);
      }
    },
  );

  it('ftrace stack traces are not counted as unread lines', () => {
    const { rows, problems } = imported('ftrace-stack');
    expect(placesOf(rows)).toEqual(PLACES.slice(0, placesOf(rows).length));
    expect(problems.filter(({ what }) => what.startsWith('lines'))).toEqual([]);
  });

  it('ftrace with the clock "uptime" has times in steps of 10 ms, and a note says so', () => {
    const { header, rows } = imported('ftrace-uptime');
    expect(header.writer).toBe('ftrace (clock uptime, in steps of 10 ms)');
    expect(placesOf(rows)).toEqual(PLACES);
    for (const { deviceNs, bytes } of rows) if (bytes > 0) expect(deviceNs % 10e6).toBe(0);
  });

  it.each([
    ['ftrace-counter', '"counter"'],
    ['ftrace-x86-tsc', '"x86-tsc"'],
  ])('ftrace: %s is refused, and the clock named', (name, clock) => {
    expect(refusal(textOf(name)).why).toContain(clock);
  });
});

describe('a log of a known kind', () => {
  it('a log of a known kind without a readable line is refused, and a line quoted', () => {
    const error = refusal('cpus=2\n dd-1 [000] 1.5: block_rq_issue: 8,0 R what 1 + 8 [dd]\n');
    expect(error.what).toBe('no line of the log is in a recognized format');
    expect(error.why).toContain('block_rq_issue');
  });

  it('a log may be followed by one of its kind with other columns', () => {
    const { header, rows, problems } = importText(
      'TIME(s)     COMM           PID    DISK    T SECTOR     BYTES  LAT(ms)\n' +
        '0.000000    dd             42     vda     R 8          4096      0.55\n' +
        'TIME(s)     COMM           PID    DISK    T SECTOR     BYTES  QUE(ms) LAT(ms)\n' +
        '1.000000    dd             42     vda     R 16         4096      0.01    0.55\n' +
        'TIME(s)     COMM           PID     DISK    T    SECTOR     BYTES   QUE(ms) LAT(ms)\n' +
        '2.000000    dd             42      vda     RAM  24         4096      0.000   0.550\n',
    );
    expect(problems).toEqual([]);
    expect(rows.map(({ queueNs }) => queueNs)).toEqual([NaN, 10_000, NaN]);
    expect(rows.map(({ key }) => (key.marks & IdentityMark.flagsUnknown) === 0)).toEqual([
      false,
      false,
      true,
    ]);
    expect(header.unknown).toEqual(['tid', 'error']);
  });
});
