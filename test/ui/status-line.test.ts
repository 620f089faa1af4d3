import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hintsFor } from '../../src/ui/status/hints.ts';
import { lineText } from '../../src/ui/text/span.ts';
import { noticeLines, statusKeyAt, statusLine } from '../../src/ui/status/status-line.ts';
import type { StatusContent } from '../../src/ui/status/status-line.ts';
import { PATTERNS } from '../../src/trace/synthetic/patterns.ts';
import { DEFAULT_VIEW } from '../../src/view/state.ts';
import { COMPLETE, HOSTILE_NAMES } from './fixtures/chrome-state.ts';

const CONTENT: StatusContent = {
  filterText: '',
  notice: undefined,
  hints: hintsFor(DEFAULT_VIEW),
  completeness: COMPLETE,
};
const LOSSY = { inPicture: 0.99996, inDetail: 0.4321, lost: 12_345 };

const CASES: readonly StatusContent[] = [
  CONTENT,
  { ...CONTENT, filterText: 'disk=sda op=write' },
  { ...CONTENT, filterText: 'disk=sda op=write', notice: 'logarithmic y axis' },
  { ...CONTENT, filterText: 'disk=sda op=write', completeness: LOSSY },
  { ...CONTENT, notice: 'frozen; tracing continues; Space resumes', completeness: LOSSY },
];

function text(content: StatusContent, width: number): string {
  return lineText(statusLine(content, width));
}

describe('the status line', () => {
  it.each([40, 80, 120, 200])('the status line looks right at %i columns', async (width) => {
    const lines = CASES.map((content) => `${text(content, width)}|\n`);
    await expect(lines.join('')).toMatchFileSnapshot(`../../snapshots/ui/status-${width}.txt`);
  });

  it('the status line always has the three figures whole', () => {
    for (const content of CASES)
      for (let width = 40; width < 300; width++)
        expect(text(content, width)).toMatch(
          /(pic|in picture) \S+ ?%? +(det|in detail) \S+ ?%? +lost \S+( \(\S+ ?%\))? *$/,
        );
  });

  it('the status line says why not all I/O is in detail, as long as it is so', () => {
    const sampled = { ...CONTENT, completeness: { ...LOSSY, oneIn: 64 } };
    expect(text(sampled, 200)).toContain('budget: 1 in 64 in detail');
    expect(text(sampled, 80)).toContain('1 in 64');
    const all = { ...CONTENT, completeness: { ...LOSSY, oneIn: 1, callsOneIn: 1 } };
    expect(text(all, 200)).not.toContain('budget');
    const calls = { ...CONTENT, completeness: { ...LOSSY, callsOneIn: 16 } };
    expect(text(calls, 200)).toContain('budget: 1 in 16 calls in detail');
    const both = { ...CONTENT, completeness: { ...LOSSY, oneIn: 64, callsOneIn: 16 } };
    expect(text(both, 200)).toContain('budget: 1 in 64, 1 in 16 calls in detail');
  });

  it('the budget is said in fewer words before a key loses what it does', () => {
    const sampled = { ...CONTENT, completeness: { ...LOSSY, oneIn: 2 } };
    expect(text(sampled, 80)).toBe(
      ' 1 in 2  Space: freeze  q: quit  ?: help         pic 99.996% det 43% lost 12.3k ',
    );
  });

  it('the status line says that frames are rare, as long as they are', () => {
    const rare = { ...CONTENT, framesPerSecond: 2 };
    expect(text(rare, 120)).toContain('budget: 2 frames/s');
    expect(text({ ...CONTENT, framesPerSecond: 1 }, 120)).toContain('budget: 1 frame/s');
    const sampled = { ...rare, completeness: { ...LOSSY, oneIn: 64 } };
    expect(text(sampled, 200)).toContain('budget: 1 in 64 in detail, 2 frames/s');
    expect(text(CONTENT, 200)).not.toContain('frames');
  });

  it('the status line never calls complete what is not', () => {
    const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(share, (inPicture) => {
        const shown = text({ ...CONTENT, completeness: { ...COMPLETE, inPicture } }, 80);
        expect(shown).not.toContain('pic 100');
      }),
    );
  });

  it.each([
    [120, '3 I/Os hang on sda, for 12s'],
    [80, '3 hang on sda 12s'],
    [40, 'hangs 12s'],
  ])('the status line shows at %i columns requests that hang', (width, expected) => {
    const hanging = { count: 3, ageNs: 12e9, disk: 'sda' };
    expect(text({ ...CONTENT, hanging }, width)).toContain(expected);
  });

  it.each([
    [
      200,
      ' tasks stalled 97%, disks busy <1%: cgroup /batch/web is limited to 1 MB/s of reads on sda ',
    ],
    [160, ' stalled 97%, disks busy <1%: web is limited to 1 MB/s of reads '],
    [120, ' stalled 97%, disks busy <1%: limit of web '],
    [80, ' stalled 97%: limit of web '],
  ])('the status line says at %i columns why tasks wait without a disk', (width, expected) => {
    const of = { direction: 'read', unit: 'bytes', perSecond: 1_048_576 } as const;
    const limit = { cgroup: '/batch/web', disk: 'sda', ...of };
    const busy = { busiest: 0.004, allBusy: 0.004 };
    const stall = { some: 0.97, full: 0.9, ...busy, cause: { limit, remoteMounts: [] } };
    expect(text({ ...CONTENT, stall }, width)).toContain(expected);
    expect(text({ ...CONTENT, stall }, width)).toMatch(/ Space(: freeze)? +q: quit/);
  });

  it('the status line says what else tasks may wait for, and nothing where a disk is busy', () => {
    const stall = { some: 0.97, full: 0.9, busiest: 0.004, allBusy: 0.004 };
    const shown = (remoteMounts: readonly string[]): string =>
      text({ ...CONTENT, stall: { ...stall, cause: { remoteMounts } } }, 200);
    expect(shown(['/mnt/nfs'])).toContain(': perhaps /mnt/nfs, which is not a disk ');
    expect(shown([])).toContain(': not a disk; --waits shows what they wait for ');
    expect(
      text({ ...CONTENT, stall: { ...stall, busiest: 0.9, allBusy: 0.9 } }, 200),
    ).not.toContain('stalled');
    expect(text({ ...CONTENT, stall: { ...stall, busiest: undefined } }, 200)).not.toContain(
      'stalled',
    );
  });

  it('the status line has a singular for one request that hangs', () => {
    const hanging = { count: 1, ageNs: 12e9, disk: 'sda' };
    expect(text({ ...CONTENT, hanging }, 120)).toContain('1 I/O hangs on sda, for 12s');
    expect(text({ ...CONTENT, hanging }, 80)).toContain('1 hangs on sda 12s');
  });

  it('the status line shows how to freeze, quit and get help next to requests that hang', () => {
    const hanging = { count: 3, ageNs: 24e9, disk: 'loop0' };
    expect(text({ ...CONTENT, hanging }, 80)).toBe(
      ' 3 hang on loop0 24s  Space: freeze  q: quit  ?: help  pic 100% det 100% lost 0 ',
    );
    expect(text({ ...CONTENT, hanging, completeness: LOSSY }, 80)).toMatch(/Space +q: quit/);
  });

  it('a text has room on the status line next to requests that hang', () => {
    const hanging = { count: 3, ageNs: 24e9, disk: 'loop0' };
    const content = { ...CONTENT, hanging, notice: 'searching for bursts of slow I/O…' };
    for (const completeness of [COMPLETE, { inPicture: 0.994, inDetail: 0.994, lost: 429 }]) {
      expect(noticeLines({ ...content, completeness }, 80, 6)).toEqual([]);
      expect(text({ ...content, completeness }, 80)).toMatch(/^ .*hangs 24s {2}searching .*… {2}/);
    }
  });

  it('the status line leaves room for a short notice at 40 columns even when there is loss', () => {
    const content = { ...CONTENT, notice: 'frozen; tracing continues', completeness: LOSSY };
    expect(text(content, 40)).toBe(' frozen      pic 99.9% det 43% lost 12k ');
  });

  it.each([
    [80, 'disk=nvme0n1 (set at start)'],
    [80, 'op=write size>4k disk=nvme0n1 pid!=1,2,3'],
    [62, 'disk=sda'],
    [120, 'op=write size>4k disk=nvme0n1,nvme1n1,nvme2n1 pid!=1,2,3,4,5,6'],
  ])(
    'the status line shows at %i columns how to freeze, quit and get help next to the filter %s',
    (width, filterText) => {
      const shown = text({ ...CONTENT, filterText }, width);
      expect(shown).toMatch(/Space.* +q: quit +\?: help/);
      expect(shown).toContain(filterText.slice(0, 8));
    },
  );

  it('the status line cuts a filter that leaves no room for the hints, with a mark', () => {
    const filterText = 'op=write size>4k disk=nvme0n1 pid!=1,2,3';
    expect(text({ ...CONTENT, filterText }, 80)).toBe(
      ' op=write size>4k disk=nvme…  Space  q: quit  ?: help  pic 100% det 100% lost 0 ',
    );
  });

  it('the status line never shows a highlight as if it were a filter', () => {
    const highlightText = 'pid=188 disk=nvme0n1';
    for (const width of [80, 100, 120])
      expect(text({ ...CONTENT, highlightText }, width)).toContain(' highlight: pid');
    expect(text({ ...CONTENT, highlightText, notice: 'linear y axis' }, 80)).toContain(
      ' highlight: pid=188 disk=nvme0n1  linear y axis ',
    );
  });

  it('the status line knows the key of each hint by its cells, and of nothing else', () => {
    const content = { ...CONTENT, filterText: 'disk=sda' };
    const shown = text(content, 120);
    const keyOf = (word: string): string | undefined =>
      statusKeyAt(content, 120, shown.indexOf(word));
    expect(keyOf('Space:')).toBe('space');
    expect(keyOf(': quit')).toBe('q');
    expect(keyOf('?: help')).toBe('?');
    expect(keyOf('disk=sda')).toBeUndefined();
    expect(keyOf('lost')).toBeUndefined();
    expect(keyOf('  q: quit')).toBeUndefined();
  });

  it('the status line colours only what is not complete, and is loud only about a loss of one in a hundred', () => {
    const roles = (content: Partial<StatusContent>): string[] =>
      statusLine({ ...CONTENT, ...content }, 120)
        .filter((one) => /^(in |lost|\()/.test(one.text))
        .map((one) => one.role);
    const grave = { inPicture: 0.99, inDetail: 0.99, lost: 100 };
    expect(roles({ completeness: COMPLETE })).toEqual(['dim', 'dim', 'dim']);
    expect(roles({ completeness: LOSSY })).toEqual(['warning', 'warning', 'warning', 'warning']);
    expect(roles({ completeness: grave })).toEqual(['alarm', 'warning', 'alarm', 'alarm']);
    expect(roles({ completeness: LOSSY, recentLoss: 0.01 })[0]).toBe('alarm');
    expect(roles({ completeness: LOSSY, recentLoss: 0.009 })[0]).toBe('warning');
  });

  it('the status line has the lost I/Os, also as a share, with the digits needed', () => {
    const completeness = { inPicture: 1 - 42 / 1.5e6, inDetail: 1 - 42 / 1.5e6, lost: 42 };
    expect(text({ ...CONTENT, completeness }, 120)).toContain(
      'in picture 99.997%  in detail 99.997%  lost 42 (0.003%)',
    );
    expect(text({ ...CONTENT, completeness }, 80)).toContain(
      'pic 99.997% det 99.997% lost 42 (0.003%)',
    );
  });

  it.each([
    ['frozen; tracing continues', []],
    ['no row of the disks holds "nvme9n1"', ['no row of the disks holds "nvme9n1"']],
    [
      'axis without the slowest 0.1%; see the outlier row above the map',
      ['axis without the slowest 0.1%; see the', 'outlier row above the map'],
    ],
  ])('a text of %j is put above the status line where it would be cut', (notice, expected) => {
    const lines = noticeLines({ ...CONTENT, notice, completeness: LOSSY }, 40, 6).map(lineText);
    expect(lines.map((line) => line.trim())).toEqual(expected);
    expect(lines.every(({ length }) => length === 40)).toBe(true);
    expect(noticeLines({ ...CONTENT, notice, completeness: LOSSY }, 120, 6)).toEqual([]);
  });

  it('the text of a demo is whole on terminals of any width', () => {
    for (const { name, whatToSee } of PATTERNS)
      for (let width = 80; width <= 240; width += 5) {
        const content = { ...CONTENT, notice: `${name}: ${whatToSee}` };
        const above = noticeLines(content, width, 6).map((line) => lineText(line).trim());
        expect([...above, text(content, width)].join(' ')).toContain(content.notice);
      }
  });

  it('long texts leave most lines above the status line to others', () => {
    const linesOf = (notice: string): string[] =>
      noticeLines({ ...CONTENT, notice, completeness: LOSSY }, 40, 3).map((line) =>
        lineText(line).trim(),
      );
    expect(linesOf('the axis leaves out the slowest 1 %; the lane shows them')).toEqual([
      'the axis leaves out the slowest 1 %',
    ]);
    expect(linesOf('select a row of a table first, with the arrows up and down')).toEqual([
      'select a row of a table first, with t…',
    ]);
  });

  it('the status line fills exactly its width, whatever filter and notice say', () => {
    const words = fc.oneof(fc.string(), fc.constantFrom(...HOSTILE_NAMES));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), words, words, (width, filterText, notice) => {
        const shown = text({ ...CONTENT, filterText, notice, completeness: LOSSY }, width);
        expect(shown).toHaveLength(width);
        expect(shown).not.toMatch(/[^\x20-\x7e\xa1-\uffff]/);
      }),
    );
  });
});
