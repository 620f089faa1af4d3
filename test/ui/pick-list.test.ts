import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pickEntries } from '../../src/ui/pick-entries.ts';
import { entryAtCursor, filterPickEntries, pickLines } from '../../src/ui/pick-lines.ts';
import type { PickEntry } from '../../src/ui/pick-lines.ts';
import { lineText } from '../../src/ui/span.ts';
import { EMPTY_LINE, lineOf } from '../../src/view/line-editor.ts';
import type { PickState } from '../../src/view/state.ts';
import {
  asText,
  EMPTY_REPORT,
  HOSTILE_NAMES,
  PROCESS,
  PROCESSES,
  REPORT,
} from './fixtures/chrome-state.ts';

const PICK: PickState = { what: 'process', query: EMPTY_LINE, row: 0, chosen: [], invert: false };
const MANY = {
  ...REPORT,
  processes: Array.from({ length: 40 }, (_, row) => ({
    ...PROCESS,
    tgid: 1000 + row,
    comm: `worker-${row}`,
    waitShare: 1 / (row + 2),
  })),
};
const ENTRIES = pickEntries(PICK, REPORT);

function text(pick: PickState, entries: readonly PickEntry[], width: number, height = 9): string {
  return asText(pickLines(pick, entries, width, height));
}

const CASES: readonly [PickState, readonly PickEntry[]][] = [
  [PICK, ENTRIES],
  [{ ...PICK, row: 1, chosen: ['892', '61'], invert: true }, ENTRIES],
  [{ ...PICK, row: 25, query: lineOf('work'), chosen: ['1025'] }, pickEntries(PICK, MANY)],
  [{ ...PICK, query: lineOf('zz') }, ENTRIES],
  [
    { ...PICK, what: 'disk', row: 2, chosen: ['sdz'] },
    pickEntries({ what: 'disk', chosen: ['sdz'] }, REPORT),
  ],
];

describe('the list to pick from', () => {
  it.each([40, 80, 120, 200])('looks right at %i columns', async (width) => {
    const shown = CASES.map(([pick, entries]) => text(pick, entries, width));
    await expect(shown.join('\n')).toMatchFileSnapshot(`../../snapshots/ui/pick-${width}.txt`);
  });

  it('is a rectangle of printable cells, whatever names and queries are', () => {
    const words = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...HOSTILE_NAMES));
    const entry = fc.record({
      id: words,
      label: words,
      details: fc.array(words, { maxLength: 3 }),
    });
    const size = fc.record({
      width: fc.integer({ min: 1, max: 200 }),
      height: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 30 }),
        words,
        fc.nat(30),
        size,
        (all, query, row, { width, height }) => {
          const pick = { ...PICK, query: lineOf(query), row };
          const lines = pickLines(pick, all, width, height).map(lineText);
          expect(lines.map(({ length }) => length)).toEqual(Array<number>(height).fill(width));
          expect(lines.join('')).not.toMatch(/[^\x20-\x7e\xa1-\uffff]/);
        },
      ),
    );
  });

  it('always shows the entry under the cursor, marked', () => {
    const entries = pickEntries(PICK, MANY);
    for (let row = 0; row < entries.length; row++) {
      const shown = text({ ...PICK, row }, entries, 60);
      expect(shown.match(/^│▸.*$/gm)).toEqual([expect.stringContaining(entries[row]!.label)]);
    }
  });

  it('narrows to what contains the query in its name or its number, in any case', () => {
    const narrow = (query: string): string[] =>
      filterPickEntries(ENTRIES, query).map(({ id }) => id);
    expect(narrow('SQL')).toEqual(['892']);
    expect(narrow('89')).toEqual(['892']);
    expect(narrow(' ')).toHaveLength(ENTRIES.length);
    expect(narrow('nothing')).toEqual([]);
  });

  it('has the entry under the cursor among those that are left', () => {
    expect(entryAtCursor({ ...PICK, row: 1 }, ENTRIES)?.id).toBe('4194303');
    expect(entryAtCursor({ ...PICK, row: 1, query: lineOf('rsync') }, ENTRIES)?.id).toBe('20117');
    expect(entryAtCursor({ ...PICK, query: lineOf('zz') }, ENTRIES)).toBeUndefined();
  });

  it('says that everything but the marked is meant', () => {
    for (const width of [40, 80])
      expect(text({ ...PICK, invert: true }, ENTRIES, width)).toContain('everything but');
  });
});

describe('the entries to pick from', () => {
  it('have one entry for a process on several disks', () => {
    const twice = { ...REPORT, processes: [PROCESS, { ...PROCESS, disk: 'sdb', waitShare: 0.1 }] };
    expect(pickEntries(PICK, twice)).toEqual([
      {
        id: '892',
        label: '    892 mysqld',
        details: [' 2.2k IOPS    81% of waiting', ' 2.2k IOPS    81%', '  81%'],
      },
    ]);
  });

  it('leave out what has no PID', () => {
    expect(PROCESSES.some(({ tgid }) => tgid === undefined)).toBe(true);
    expect(ENTRIES).toHaveLength(PROCESSES.length - 1);
  });

  it('keep what is chosen when it has no I/O any more', () => {
    expect(pickEntries({ what: 'process', chosen: ['7'] }, EMPTY_REPORT)).toEqual([
      { id: '7', label: '      7 (idle)', details: [] },
    ]);
  });
});
