import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { term } from '../../src/filter/filter.ts';
import type { BoxReport } from '../../src/query/box/drill-down.ts';
import { countingLines, drillDownLines, drillDownScroll } from '../../src/ui/drill-down-lines.ts';
import { lineText } from '../../src/ui/span.ts';
import { EMPTY_BOX, ESTIMATED, EXACT, GROUP, SINGLE, SUMMARY_ONLY } from './fixtures/box-report.ts';
import { asText, CLOCK_BASE, HOSTILE_NAMES } from './fixtures/chrome-state.ts';

const CASES = { exact: EXACT, estimated: ESTIMATED, summary: SUMMARY_ONLY, empty: EMPTY_BOX };
const HEIGHTS: Record<number, number> = { 40: 9, 80: 21, 120: 21, 200: 24 };

function lines(report: BoxReport, width: number, height: number, top = 0): string[] {
  const content = { report, clockBase: CLOCK_BASE, top };
  return drillDownLines(content, width, height).map(lineText);
}

describe('the drill-down', () => {
  it.each([40, 80, 120, 200])('looks right at %i columns', async (width) => {
    const shown = Object.entries(CASES).map(([name, report]) => {
      const content = { report, clockBase: CLOCK_BASE, top: 0 };
      return `${name}\n${asText(drillDownLines(content, width, HEIGHTS[width]!))}`;
    });
    await expect(shown.join('\n')).toMatchFileSnapshot(
      `../../snapshots/ui/drill-down-${width}.txt`,
    );
  });

  it.each([1, 20, 40, 200])('says how far a count is, and no figure, at %i columns', (width) => {
    const counting = { box: EXACT.box, countedShare: 0.347 };
    const shown = countingLines(counting, CLOCK_BASE, width, 9).map(lineText);
    expect(shown.map(({ length }) => length)).toEqual(Array<number>(9).fill(width));
    if (width >= 20) expect(shown[1]).toMatch(/^ counting.*… 34 %\s*$/);
    expect(shown.slice(2, -1).join('').trim()).toBe('');
  });

  it('is a rectangle of printable cells, whatever the names are', () => {
    const words = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...HOSTILE_NAMES));
    const row = fc.record({ comm: words, disk: words, cgroupName: words, error: words });
    const size = fc.record({
      width: fc.integer({ min: 1, max: 250 }),
      height: fc.integer({ min: 1, max: 30 }),
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
        expect(shown.map(({ length }) => length)).toEqual(Array<number>(height).fill(width));
        expect(shown.join('')).not.toMatch(/[^\x20-\x7e\xa1-\uffff]/);
      }),
    );
  });

  it('says in figures what the box is and what is in it', () => {
    const [bar, amount] = lines(EXACT, 80, 21);
    expect(bar).toMatch(/^ 14:02:11–14:02:12 \(1 s\) {3}device latency 1.2–1.4ms +$/);
    expect(amount).toMatch(
      /^ 1,234 I\/Os \(3.1 % of those in this time\) {2}48 MB {2}waited 12 s +$/,
    );
  });

  it('names the other value of a map of two values, and the disks of lanes', () => {
    const size = [term('size', '>=', 4096), term('size', '<', 8192)];
    const [ofSize, amount] = lines({ ...EXACT, box: { ...EXACT.box, where: size } }, 100, 21);
    expect(ofSize).toContain('size 4–8K   device latency 1.2–1.4ms');
    expect(amount).toContain('(3.1 % of those of this size)');
    const disks = [term('disk', '=', 'sda', 'sdb')];
    const lane = { ...EXACT.box, low: 0, high: Infinity, where: disks };
    const [ofDisks, all] = lines({ ...EXACT, box: lane }, 100, 21);
    expect(ofDisks).toMatch(/\(1 s\) {3}sda, sdb +$/);
    expect(all).toMatch(/^ 1,234 I\/Os {2}48 MB/);
  });

  it('speaks of one as one', () => {
    const one = { ...EXACT, count: 1, leastCount: 1, mostCount: 1, errors: 1 };
    const [, amount] = lines(one, 80, 21);
    expect(amount).toMatch(/^ 1 I\/O \(.* 1 error +$/);
  });

  it('says nothing of certainty when everything is known one by one', () => {
    expect(lines(EXACT, 80, 21).join('')).not.toMatch(/in sum|~/);
  });

  it('never passes an estimate for a count', () => {
    for (const width of [40, 80, 120, 200]) {
      const text = lines(ESTIMATED, width, 21).join('\n');
      expect(text).toContain('~1,234 I/Os');
      expect(text).toMatch(/1,100 to 1,300/);
      expect(text).toContain('~3 errors');
    }
  });

  it('says why there is no single I/O to show', () => {
    expect(lines(SUMMARY_ONLY, 80, 21).join('\n')).toContain('all of it is known only in sum');
    expect(lines(EMPTY_BOX, 80, 21).join('\n')).toContain('no I/O in this box');
  });

  it('does not pretend that utilization picks out I/O', () => {
    const box = { ...EXACT.box, metric: 'utilization' as const, low: 0.5, high: 0.6 };
    expect(lines({ ...EXACT, box }, 80, 21)[0]).toContain('utilization of any value');
  });

  it('scrolls each list to its last row and no further', () => {
    for (const report of [EXACT, ESTIMATED]) {
      for (const width of [40, 80, 200]) {
        const content = { report, clockBase: CLOCK_BASE };
        const { listRows, listHeight } = drillDownScroll(content, width, 12);
        const end = lines(report, width, 12, Math.max(0, listRows - listHeight));
        expect(end).toEqual(lines(report, width, 12, 9999));
      }
    }
  });

  it('says which rows these are', () => {
    const text = lines(ESTIMATED, 80, 21, 9999).join('\n');
    expect(text).toContain('By process, disk and operation  2-13 of 13');
    expect(text).toContain('The slowest one by one  1-2 of 2');
  });

  it('has the error of an I/O where there is one', () => {
    expect(lines(ESTIMATED, 80, 21).join('\n')).toMatch(/^!.* critical medi/m);
    expect(lines(EXACT, 80, 21).join('\n')).not.toContain('ERROR');
  });
});
