import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineText } from '../../src/ui/span.ts';
import { noticeLines, statusLine } from '../../src/ui/status-line.ts';
import type { StatusContent } from '../../src/ui/status-line.ts';
import { COMPLETE, HOSTILE_NAMES } from './fixtures/chrome-state.ts';

const CONTENT: StatusContent = {
  filterText: '',
  notice: undefined,
  hints: ['Tab: disks  ?: help', '?: help'],
  fidelity: COMPLETE,
};
const LOSSY = { inPicture: 0.99996, inDetail: 0.4321, lost: 12_345 };

const CASES: readonly StatusContent[] = [
  CONTENT,
  { ...CONTENT, filterText: 'disk=sda op=write' },
  { ...CONTENT, filterText: 'disk=sda op=write', notice: 'logarithmic y axis' },
  { ...CONTENT, filterText: 'disk=sda op=write', fidelity: LOSSY },
  { ...CONTENT, notice: 'frozen; tracing goes on; Space resumes', fidelity: LOSSY },
];

function text(content: StatusContent, width: number): string {
  return lineText(statusLine(content, width));
}

describe('the status line', () => {
  it.each([40, 80, 120, 200])('looks right at %i columns', async (width) => {
    const lines = CASES.map((content) => `${text(content, width)}|\n`);
    await expect(lines.join('')).toMatchFileSnapshot(`../../snapshots/ui/status-${width}.txt`);
  });

  it('always has the three figures whole', () => {
    for (const content of CASES)
      for (let width = 40; width < 300; width++)
        expect(text(content, width)).toMatch(
          /(pic|in picture) \S+ ?%? +(det|in detail) \S+ ?%? +lost \S+( \(\S+ ?%\))? *$/,
        );
  });

  it('never calls complete what is not', () => {
    const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(share, (inPicture) => {
        const shown = text({ ...CONTENT, fidelity: { ...COMPLETE, inPicture } }, 80);
        expect(shown).not.toContain('pic 100');
      }),
    );
  });

  it.each([
    [120, '3 I/Os hang on sda, for 12s'],
    [80, '3 I/Os hang on sda, for 12s'],
    [40, 'hangs 12s'],
  ])('tells at %i columns of requests that hang', (width, expected) => {
    const hanging = { count: 3, ageNs: 12e9, disk: 'sda' };
    expect(text({ ...CONTENT, hanging }, width)).toContain(expected);
  });

  it('speaks of one request that hangs as one', () => {
    const hanging = { count: 1, ageNs: 12e9, disk: 'sda' };
    expect(text({ ...CONTENT, hanging }, 120)).toContain('1 I/O hangs on sda, for 12s');
  });

  it('leaves room for a word of notice at 40 columns even when there is loss', () => {
    const content = { ...CONTENT, notice: 'frozen; tracing goes on', fidelity: LOSSY };
    expect(text(content, 40)).toBe(' frozen      pic 99.9% det 43% lost 12k ');
  });

  it('colours only what is not complete, and is loud only about a loss of one in a hundred', () => {
    const roles = (content: Partial<StatusContent>): string[] =>
      statusLine({ ...CONTENT, ...content }, 120)
        .filter((one) => /^(in |lost|\()/.test(one.text))
        .map((one) => one.role);
    const grave = { inPicture: 0.99, inDetail: 0.99, lost: 100 };
    expect(roles({ fidelity: COMPLETE })).toEqual(['dim', 'dim', 'dim']);
    expect(roles({ fidelity: LOSSY })).toEqual(['warning', 'warning', 'warning', 'warning']);
    expect(roles({ fidelity: grave })).toEqual(['alarm', 'warning', 'alarm', 'alarm']);
    expect(roles({ fidelity: LOSSY, recentLoss: 0.01 })[0]).toBe('alarm');
    expect(roles({ fidelity: LOSSY, recentLoss: 0.009 })[0]).toBe('warning');
  });

  it('says how much was lost, also as a share, with the digits that it takes', () => {
    const fidelity = { inPicture: 1 - 42 / 1.5e6, inDetail: 1 - 42 / 1.5e6, lost: 42 };
    expect(text({ ...CONTENT, fidelity }, 120)).toContain(
      'in picture 99.997 %  in detail 99.997 %  lost 42 (0.003 %)',
    );
    expect(text({ ...CONTENT, fidelity }, 80)).toContain(
      'pic 99.997% det 99.997% lost 42 (0.003%)',
    );
  });

  it.each([
    ['frozen; tracing goes on', []],
    ['no row of the disks holds "nvme9n1"', ['no row of the disks holds "nvme9n1"']],
    [
      'the axis leaves out the slowest 0.1 %; the lane above shows them',
      ['the axis leaves out the slowest 0.1 %;', 'the lane above shows them'],
    ],
  ])('stands %j above itself where it would be cut', (notice, expected) => {
    const lines = noticeLines({ ...CONTENT, notice, fidelity: LOSSY }, 40, 6).map(lineText);
    expect(lines.map((line) => line.trim())).toEqual(expected);
    expect(lines.every(({ length }) => length === 40)).toBe(true);
    expect(noticeLines({ ...CONTENT, notice, fidelity: LOSSY }, 120, 6)).toEqual([]);
  });

  it('leaves most of the lines above it to others', () => {
    const linesOf = (notice: string): string[] =>
      noticeLines({ ...CONTENT, notice, fidelity: LOSSY }, 40, 3).map((line) =>
        lineText(line).trim(),
      );
    expect(linesOf('the axis leaves out the slowest 1 %; the lane shows them')).toEqual([
      'the axis leaves out the slowest 1 %',
    ]);
    expect(linesOf('select a row of a table first, with the arrows up and down')).toEqual([
      'select a row of a table first, with t…',
    ]);
  });

  it('fills exactly its width, whatever filter and notice say', () => {
    const words = fc.oneof(fc.string(), fc.constantFrom(...HOSTILE_NAMES));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), words, words, (width, filterText, notice) => {
        const shown = text({ ...CONTENT, filterText, notice, fidelity: LOSSY }, width);
        expect(shown).toHaveLength(width);
        expect(shown).not.toMatch(/[^\x20-\x7e\xa1-\uffff]/);
      }),
    );
  });
});
