import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerLines } from '../../src/ui/header/header-lines.ts';
import type { HeaderContent } from '../../src/ui/header/header-lines.ts';
import { layoutScreen } from '../../src/ui/layout-screen.ts';
import { lineText } from '../../src/ui/text/span.ts';
import type { Layer } from '../../src/model/layer.ts';
import { DEFAULT_VIEW } from '../../src/view/state.ts';
import { asText, HOSTILE_NAMES, REPORT, WALL_MS } from './fixtures/chrome-state.ts';

const CONTENT: HeaderContent = {
  host: 'db-7.example.net',
  sourceKind: 'live',
  view: DEFAULT_VIEW,
  totals: REPORT.totals,
  spanNs: REPORT.spanNs,
  wallMs: WALL_MS,
  arrived: 0,
};
const FROZEN: HeaderContent = { ...CONTENT, view: { ...DEFAULT_VIEW, frozenAtNs: 1e9 } };
const DEMO: HeaderContent = { ...FROZEN, sourceKind: 'synthetic' };
const FAILING: HeaderContent = { ...CONTENT, totals: { ...REPORT.totals, errors: 3 } };

function heightAt(width: number): number {
  return layoutScreen(width, 50).header.height;
}

function text(content: HeaderContent, width: number): string {
  return asText(headerLines(content, width, heightAt(width)));
}

describe('the header', () => {
  it.each([40, 80, 120, 200, 240])('the header looks right at %i columns', async (width) => {
    const cases = [CONTENT, FROZEN, DEMO, FAILING].map((content) => text(content, width));
    await expect(cases.join('\n')).toMatchFileSnapshot(`../../snapshots/ui/header-${width}.txt`);
  });

  it('the header says how much tasks are stalled where it is wide enough', () => {
    const stalled = { ...CONTENT, stall: { some: 0.43, full: 0.1 } };
    expect(text(stalled, 240)).toContain('tasks stalled  43%');
    expect(text(stalled, 120)).toContain('stalled  43%');
    expect(text(CONTENT, 240)).not.toContain('stalled');
  });

  it('the header has one rate of waits and calls, which mostly neither read nor write', () => {
    const rates = { readsPerSecond: 1, writesPerSecond: 2, othersPerSecond: 30 };
    const shown = (layer: Layer) =>
      text(
        { ...CONTENT, totals: { ...REPORT.totals, ...rates }, view: { ...DEFAULT_VIEW, layer } },
        80,
      );
    expect(shown('waits')).toContain('   33 waits/s');
    expect(shown('calls')).toContain('   33 calls/s');
    expect(shown('waits')).not.toMatch(/[RW]\/s/);
    expect(shown('volumes')).toMatch(/1 R\/s +2 W\/s/);
  });

  it('the header has one rate where a log has no operations, and no throughput where it has no sizes', () => {
    const undivided = {
      ...REPORT.totals,
      ...{ readsPerSecond: undefined, writesPerSecond: undefined, othersPerSecond: 466 },
      ...{ readBytesPerSecond: undefined, writtenBytesPerSecond: undefined },
    };
    const sized = { ...undivided, undividedBytesPerSecond: 3.3e6 };
    expect(text({ ...CONTENT, totals: undivided }, 120)).toContain('  466 IOPS   total latency');
    expect(text({ ...CONTENT, totals: sized }, 120)).toContain('  466 IOPS 3.3 MB/s   total');
  });

  it('the header has the rate of what is neither read nor written on 80 columns if there is nothing else', () => {
    const rates = { readsPerSecond: 0, writesPerSecond: 0, othersPerSecond: 30 };
    expect(text({ ...CONTENT, totals: { ...REPORT.totals, ...rates } }, 80)).toContain(
      '30 other/s',
    );
    expect(text(CONTENT, 80)).not.toContain('other/s');
  });

  it('the header has failed calls as a plain figure, because they are normal, and failed I/O as an alarm', () => {
    const roleOf = (layer: Layer, text: string) => {
      const view = { ...DEFAULT_VIEW, layer };
      const spans = headerLines({ ...FAILING, view }, 200, 2).flat();
      return spans.find((one) => one.text.includes(text))?.role;
    };
    expect(roleOf('disks', '3 failed')).toBe('alarm');
    expect(roleOf('calls', '3 failed')).toBe('dim');
  });

  it('the header never exceeds its width, whatever the host is called', () => {
    const host = fc.oneof(fc.string(), fc.constantFrom(...HOSTILE_NAMES));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 2 }),
        host,
        (width, height, name) => {
          const lines = headerLines({ ...DEMO, host: name }, width, height);
          expect(lines).toHaveLength(height);
          for (const line of lines) {
            expect(lineText(line).length).toBeLessThanOrEqual(width);
            expect(lineText(line)).not.toMatch(/[^\x20-\x7e\xa1-\uffff]/);
          }
        },
      ),
    );
  });

  it('the header keeps every field in its place while the figures change', () => {
    const latency = fc.integer({ min: 0, max: 9e11 });
    const rate = fc.double({ min: 0, max: 999_000, noNaN: true });
    const before = headerLines(CONTENT, 120, 2)[1]!.map(({ text }) => text.length);
    fc.assert(
      fc.property(latency, rate, (ns, perSecond) => {
        const totals = {
          ...REPORT.totals,
          p50Ns: ns,
          p99Ns: ns,
          p999Ns: ns,
          maxNs: ns,
          readsPerSecond: perSecond,
          writesPerSecond: perSecond,
          readBytesPerSecond: perSecond * 1000,
        };
        const after = headerLines({ ...CONTENT, totals }, 120, 2)[1]!;
        expect(after.map(({ text }) => text.length)).toEqual(before);
      }),
    );
  });

  it('the header shows a figure whole or not at all', () => {
    const figures = text(CONTENT, 240).match(/(p[\d.]+|max) +\S+|\S+ [RW]\/s|\S+ MB\/s/g) ?? [];
    expect(figures).toHaveLength(7);
    for (let width = 1; width < 240; width++) {
      let rest = text(CONTENT, width);
      for (const figure of figures) rest = rest.replace(figure, '');
      expect(rest).not.toMatch(/MB|p99|ms|µs|max| [RW]\/s\b/);
    }
  });

  it('the header says DEMO in a demo at every size the program runs at', () => {
    for (let width = 40; width < 300; width++) {
      expect(text(DEMO, width)).toContain('DEMO');
      expect(text(DEMO, width)).toContain('PAUSED');
    }
  });
});
