import fc from 'fast-check';
import type { ReactElement } from 'react';
import { describe, expect, it } from 'vitest';
import { term } from '../../../src/filter/filter.ts';
import type { SingleIo } from '../../../src/query/slowest/single-io.ts';
import type { BoxReport } from '../../../src/query/box/drill-down.ts';
import { Counting, DrillDown } from '../../../src/ui/dialogs/drill-down.tsx';
import {
  EMPTY_BOX,
  ESTIMATED,
  EXACT,
  GROUP,
  SINGLE,
  SUMMARY_ONLY,
} from '../fixtures/box-report.ts';
import type { Layer } from '../../../src/model/layer.ts';
import { drillDownScroll } from '../../../src/ui/dialogs/drill-down-lists.ts';
import { CLOCK_BASE, HOSTILE_NAMES } from '../fixtures/chrome-state.ts';
import { shownLines, shownText } from '../fixtures/shown-dialog.tsx';

const CASES = { exact: EXACT, estimated: ESTIMATED, summary: SUMMARY_ONLY, empty: EMPTY_BOX };
const HEIGHTS: Record<number, number> = { 40: 9, 80: 21, 120: 21, 200: 24 };

function dialog(
  report: BoxReport,
  width: number,
  height: number,
  top = 0,
  layer: Layer = 'disks',
): ReactElement {
  return <DrillDown {...{ report, width, height, top }} layer={layer} clockBase={CLOCK_BASE} />;
}

function lines(
  report: BoxReport,
  width: number,
  height: number,
  top = 0,
  layer: Layer = 'disks',
): string[] {
  return shownLines(dialog(report, width, height, top, layer), width);
}

describe('the drill-down', () => {
  it('the drill-down leaves out operations, sizes and waiting that a log does not have', () => {
    const lacking = { bytes: undefined, errors: undefined, waitedNs: 0 };
    const groups = [
      { ...GROUP, ...lacking, opClass: undefined, p50Ns: undefined, maxNs: undefined },
    ];
    const shown = lines(
      {
        ...EXACT,
        ...lacking,
        groups,
        slowest: [{ ...SINGLE, opClass: undefined, bytes: undefined, error: undefined }],
      },
      120,
      21,
    ).join('\n');
    expect(shown).toContain('I/Os');
    expect(shown).not.toMatch(/ OP | MB | SIZE |\d B\b|waited|error/);
  });

  it.each([40, 80, 120, 200])('the drill-down looks right at %i columns', async (width) => {
    const shown = Object.entries(CASES).map(([name, report]) => {
      return `${name}\n${shownText(dialog(report, width, HEIGHTS[width]!), width)}`;
    });
    await expect(shown.join('\n')).toMatchFileSnapshot(
      `../../../snapshots/ui/drill-down-${width}.txt`,
    );
  });

  it.each([40, 80, 120])(
    'an unfinished drill-down shows its progress, and no figure, at %i columns',
    (width) => {
      const counting = { box: EXACT.box, countedShare: 0.347 };
      const element = <Counting {...counting} clockBase={CLOCK_BASE} width={width} height={9} />;
      const shown = shownLines(element, width);
      expect(shown).toHaveLength(9);
      expect(shown[1]).toMatch(/^ counting.*… 34%\s*$/);
      expect(shown.slice(2, -1).join('').trim()).toBe('');
    },
  );

  it('the drill-down is a rectangle of printable cells, whatever the names are', () => {
    const words = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...HOSTILE_NAMES));
    const row = fc.record({ comm: words, disk: words, cgroupName: words, error: words });
    const size = fc.record({
      width: fc.integer({ min: 40, max: 250 }),
      height: fc.integer({ min: 9, max: 30 }),
      top: fc.nat(40),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 9 }), size, (rows, { width, height, top }) => {
        const report = {
          ...ESTIMATED,
          groups: rows.map((names) => ({ ...GROUP, ...names })),
          slowest: rows.map((names) => ({ ...SINGLE, ...names })),
        };
        const shown = lines(report, width, height, top);
        expect(shown).toHaveLength(height);
        expect(shown.join('')).not.toMatch(/[^\x20-\x7e\xa1-\uffff]/);
      }),
      { numRuns: 50 },
    );
  });

  it('the drill-down has the range of the box and what is in it in figures', () => {
    const [bar, amount] = lines(EXACT, 80, 21);
    expect(bar).toMatch(/^ 14:02:11–14:02:12 \(1s\) {3}device latency 1.2–1.4ms +$/);
    expect(amount).toMatch(/^ 1,234 I\/Os \(3.1% of this time\) {2}48 MB {2}waited 1.6s +$/);
  });

  it('the drill-down names the other value of a map of two values, and the disks of lanes', () => {
    const size = { metric: 'size', low: 4096, high: 8192 } as const;
    const [ofSize, amount] = lines({ ...EXACT, box: { ...EXACT.box, across: size } }, 100, 21);
    expect(ofSize).toContain('size 4–8K   device latency 1.2–1.4ms');
    expect(amount).toContain('(3.1% of this size)');
    const disks = [term('disk', '=', 'sda', 'sdb')];
    const lane = { ...EXACT.box, low: 0, high: Infinity, where: disks };
    const [ofDisks, all] = lines({ ...EXACT, box: lane }, 100, 21);
    expect(ofDisks).toMatch(/\(1s\) {3}sda, sdb +$/);
    expect(all).toMatch(/^ 1,234 I\/Os {2}48 MB/);
  });

  it('the drill-down says that offsets are shares of each disk, where they are', () => {
    const disks = [{ dev: 1, name: 'sda', sizeBytes: 2 ** 31 }];
    const range = { metric: 'offset', low: 0.4, high: 0.42, disks } as const;
    const [bar] = lines({ ...EXACT, box: { ...EXACT.box, ...range } }, 100, 21);
    expect(bar).toContain('offset 40–42% of each disk');
    const [across] = lines({ ...EXACT, box: { ...EXACT.box, across: range } }, 100, 21);
    expect(across).toContain('offset 40–42% of each disk   device latency 1.2–1.4ms');
  });

  it('the drill-down has a singular for one', () => {
    const one = { ...EXACT, count: 1, leastCount: 1, mostCount: 1, errors: 1 };
    const [, amount] = lines(one, 80, 21);
    expect(amount).toMatch(/^ 1 I\/O \(.* 1 failed +$/);
  });

  it('the drill-down does not mention certainty when everything is known individually', () => {
    expect(lines(EXACT, 80, 21).join('')).not.toMatch(/aggregated|~/);
  });

  it('the drill-down never shows an estimate as a count', () => {
    for (const width of [40, 80, 120, 200]) {
      const text = lines(ESTIMATED, width, 21).join('\n');
      expect(text).toContain('~1,234 I/Os');
      expect(text).toMatch(/1,100(?: and |–)1,300/);
      expect(text).toContain('~3 failed');
    }
  });

  it('the drill-down does not call aggregated what is known individually and may be in the box or not', () => {
    const some = { ...EXACT, mostCount: 3331, undecided: 2097, isEstimated: true };
    const text = lines(some, 120, 21).join('\n');
    expect(text).toContain(' 2,097 may be in it or not; total between 1,234 and 3,331 ');
    expect(text).not.toContain('aggregated');
  });

  it('the drill-down says why there is no single I/O to show', () => {
    expect(lines(SUMMARY_ONLY, 80, 21).join('\n')).toContain('all of it is aggregated');
    expect(lines(EMPTY_BOX, 80, 21).join('\n')).toContain('no I/O in this box');
  });

  it('the drill-down of utilization does not claim to select I/O', () => {
    const box = { ...EXACT.box, metric: 'utilization' as const, low: 0.5, high: 0.6 };
    expect(lines({ ...EXACT, box }, 80, 21)[0]).toContain('utilization of any value');
  });

  it('the lists of the drill-down scroll to their last row and no further', () => {
    for (const report of [EXACT, ESTIMATED]) {
      for (const width of [40, 80, 200]) {
        const { rows, height } = drillDownScroll(report, width, 12);
        const end = lines(report, width, 12, Math.max(0, rows - height));
        expect(end).toEqual(lines(report, width, 12, 9999));
      }
    }
  });

  it('the drill-down says which rows of a list are shown', () => {
    const text = lines(ESTIMATED, 80, 21, 9999).join('\n');
    expect(text).toContain('By process, disk and operation  3-14 of 14');
    expect(text).toContain('Slowest I/Os  1-2 of 2');
  });

  it('the drill-down shows the error of a failed I/O', () => {
    expect(lines(ESTIMATED, 80, 21).join('\n')).toMatch(/^!.* critical medi/m);
    expect(lines(EXACT, 80, 21).join('\n')).not.toContain('ERROR');
  });

  it('short names in the drill-down leave their room to the error of a failed I/O', () => {
    const failed = { ...SINGLE, comm: 'node', disk: 'sdb', error: 'critical medium error' };
    const shown = lines({ ...EXACT, slowest: [failed] }, 80, 21).join('\n');
    expect(shown).toContain('critical medium error');
    expect(shown).toMatch(/ node +sdb /);
  });
});

describe('the drill-down of logs that lack latencies', () => {
  const headings = (latencies: Partial<SingleIo>): string =>
    lines({ ...EXACT, slowest: [{ ...SINGLE, ...latencies }] }, 120, 21).find((line) =>
      line.includes('SECTOR'),
    )!;

  it('the drill-down of a log with total latencies alone has neither queue nor device', () => {
    const shown = headings({ queueNs: undefined, deviceNs: undefined });
    expect(shown).toMatch(/ SIZE +▾TOTAL *$/);
  });

  it('the drill-down of a log with device latencies alone is sorted by those', () => {
    const shown = headings({ queueNs: undefined, totalNs: undefined });
    expect(shown).toMatch(/ SIZE +▾DEVICE *$/);
  });
});

describe('the drill-down of calls', () => {
  const calls: BoxReport = {
    ...EXACT,
    groups: [{ ...GROUP, call: 'fsync' }],
    slowest: [{ ...SINGLE, call: 'fsync', file: '/srv/db/wal', result: 0, inode: 12 }],
  };

  it('the drill-down of calls lists calls with file and result, without sector, queue and device', () => {
    const text = lines(calls, 120, 21, 0, 'calls').join('\n');
    expect(text).toContain(' 1,234 calls ');
    expect(text).toMatch(/COMM .* CALLS .*WAIT%/);
    expect(text).toMatch(/Slowest calls/);
    expect(text).toMatch(/CALL +FILE +OFFSET +SIZE +RESULT +▾TOTAL/);
    expect(text).not.toMatch(/SECTOR|QUEUE|DEVICE|I\/O/);
  });

  it('the drill-down of calls says that there are none', () => {
    expect(lines(EMPTY_BOX, 80, 21, 0, 'calls').join('\n')).toContain('no calls in this box');
  });
});

describe('what the slowest call of a box waited for', () => {
  const fsync = { ...SINGLE, opClass: 'flush', call: 'fsync', totalNs: 32e6 } as const;
  const data = { stage: 'data', io: SINGLE, afterNs: 0, share: 0.05 } as const;
  const journal = { ...SINGLE, comm: 'jbd2/sda-8', queueNs: 3e6, deviceNs: 24e6 };
  const waitedFor = {
    ...{
      io: fsync,
      totalNs: 32e6,
      deviceNs: 25e6,
      queueNs: 3e6,
      throttledNs: 0,
      outsideNs: 4e6,
      untimed: 0,
    },
    parts: [data, { stage: 'journal', io: journal, afterNs: 2e6, share: 0.84 } as const],
    isComplete: true,
  };
  const calls: BoxReport = { ...EXACT, slowest: [fsync], waitedFor };

  it('what the slowest call of a box waited for is a sum, and the I/O of the disks in the order of time', () => {
    const shown = lines(calls, 120, 24, 0, 'calls');
    const at = shown.findIndex((line) => line.includes('The slowest, fsync of mysqld'));
    expect(shown[at]).toContain(': 32ms = 25ms device + 3ms queue + 4ms outside the block layer');
    expect(shown[at + 1]).toMatch(/AFTER +STAGE +DISK +COMM .* QUEUE +DEVICE +SHARE/);
    expect(shown[at + 2]).toMatch(/ 0 +data +sda +mysqld .* 5%/);
    expect(shown[at + 3]).toMatch(/ 2ms +journal +sda +jbd2\/sda-8 .* 3ms +24ms +84%/);
  });

  it.each([
    [
      { isComplete: false },
      /up to 4ms outside the block layer; some I\/O of this time is only counted/,
    ],
    [{ untimed: 2 }, /up to 4ms outside the block layer; 2 I\/Os of unknown times/],
  ])(
    'what the slowest call of a box waited for says what of it is uncertain: %o',
    (change, text) => {
      const uncertain = { ...calls, waitedFor: { ...waitedFor, ...change } };
      expect(lines(uncertain, 160, 24, 0, 'calls').join('\n')).toMatch(text);
    },
  );

  it('what the slowest call of a box waited for scrolls together with the other lists, to its last row', () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ ...data, afterNs: i * 1e6 }));
    const long = { ...calls, waitedFor: { ...waitedFor, parts: many } };
    const { rows, height } = drillDownScroll(long, 120, 24);
    expect(rows).toBe(30);
    const shown = lines(long, 120, 24, rows - height, 'calls').join('\n');
    expect(shown).toMatch(/ 29ms +data /);
    expect(shown).toContain('of 30');
    expect(shown).not.toContain(' VIA ');
  });

  it.each([
    [80, 24],
    [40, 9],
  ])(
    'what the slowest call of a box waited for leaves room for the lists at %i columns and %i lines',
    (width, height) => {
      const shown = lines(calls, width, height, 0, 'calls');
      expect(shown.length).toBeLessThanOrEqual(height);
      expect(shown.join('\n')).toContain('fsync');
      expect(shown.every((line) => line.length <= width)).toBe(true);
    },
  );
});
