import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitSegments } from '../../src/ui/text/fit-segments.ts';
import type { Segment } from '../../src/ui/text/fit-segments.ts';
import { lineText } from '../../src/ui/text/span.ts';

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const segment: fc.Arbitrary<Segment> = fc.record(
  {
    forms: fc.array(word, { minLength: 1, maxLength: 3 }).map(longestFirst),
    priority: fc.integer({ min: 0, max: 9 }),
    dropPriority: fc.integer({ min: 0, max: 9 }),
    align: fc.constantFrom('left', 'right'),
    gap: fc.integer({ min: 0, max: 3 }),
    minWidth: fc.integer({ min: 2, max: 6 }),
  },
  { requiredKeys: ['forms', 'priority'] },
);
const segments = fc.array(segment, { maxLength: 12 });
const width = fc.integer({ min: 0, max: 300 });

function longestFirst(forms: readonly string[]): string[] {
  return forms.toSorted((a, b) => b.length - a.length);
}

function shownIndices(all: readonly Segment[], cells: number): Set<number> {
  const named = all.map((one, index) => ({
    ...one,
    forms: one.forms.map((form) => String.fromCodePoint(0x4e00 + index).repeat(form.length)),
  }));
  const text = lineText(fitSegments(named, cells));
  return new Set(
    [...all.keys()].filter((index) => text.includes(String.fromCodePoint(0x4e00 + index))),
  );
}

describe('fitSegments', () => {
  it('fitSegments never exceeds the width', () => {
    fc.assert(
      fc.property(segments, width, (all, cells) => {
        expect(lineText(fitSegments(all, cells)).length).toBeLessThanOrEqual(cells);
      }),
    );
  });

  it('a wider line shows at least what a narrower one shows', () => {
    fc.assert(
      fc.property(segments, fc.integer({ min: 0, max: 80 }), (all, cells) => {
        const narrow = shownIndices(all, cells);
        const wide = shownIndices(all, cells + 1);
        expect([...narrow].filter((index) => !wide.has(index))).toEqual([]);
      }),
    );
  });

  it('a segment is shown whole, in one of its forms, unless it may be cut', () => {
    fc.assert(
      fc.property(segments, width, (all, cells) => {
        const uncut = all.map(({ forms, priority }) => ({ forms, priority, gap: 1 }));
        const allowed = new Set(uncut.flatMap(({ forms }) => forms));
        const shown = lineText(fitSegments(uncut, cells))
          .split(' ')
          .filter((text) => text !== '');
        expect(shown.filter((text) => !allowed.has(text))).toEqual([]);
      }),
    );
  });

  it('segments aligned right end at the right edge', () => {
    const line = fitSegments(
      [
        { forms: ['left'], priority: 1 },
        { forms: ['12:00'], priority: 1, align: 'right' },
      ],
      20,
    );
    expect(lineText(line)).toBe('left           12:00');
  });

  it('segments are shortened before any is dropped, and the least important is dropped first', () => {
    const all: Segment[] = [
      { forms: ['important'], priority: 1 },
      { forms: ['longer words', 'words'], priority: 2 },
      { forms: ['extra'], priority: 3 },
    ];
    const shown = [40, 25, 17, 12].map((cells) => lineText(fitSegments(all, cells)));
    expect(shown).toEqual([
      'important  longer words  extra',
      'important  longer words',
      'important  words',
      'important',
    ]);
  });

  it('a segment that was shortened for one that was dropped in the end is as long as fits', () => {
    const all: Segment[] = [
      { forms: ['longer words', 'words'], priority: 4, dropPriority: 2 },
      { forms: ['twelve cells'], priority: 3 },
      { forms: ['end'], priority: 1 },
    ];
    expect(lineText(fitSegments(all, 18))).toBe('longer words  end');
  });

  it('a segment with a least width is cut with an ellipsis', () => {
    const all: Segment[] = [{ forms: ['hostname.example.net'], priority: 1, minWidth: 6 }];
    expect(lineText(fitSegments(all, 9))).toBe('hostname…');
    expect(lineText(fitSegments(all, 5))).toBe('');
  });

  it('a segment is dropped together with the one it needs', () => {
    const all: Segment[] = [
      { forms: ['label'], priority: 1, needs: 'figure' },
      { id: 'figure', forms: ['123456789'], priority: 2 },
    ];
    expect(lineText(fitSegments(all, 10))).toBe('');
  });
});
