import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PickList } from '../../../src/ui/dialogs/pick-list.tsx';
import {
  entriesAtOpening,
  filterPickEntries,
  pickEntries,
} from '../../../src/ui/dialogs/pick-entries.ts';
import type { PickEntry } from '../../../src/ui/dialogs/pick-entries.ts';
import type { ActivityReport, ProcessActivity } from '../../../src/model/activity.ts';
import { EMPTY_LINE, lineOf } from '../../../src/view/line-editor.ts';
import type { PickState } from '../../../src/view/state.ts';
import {
  EMPTY_REPORT,
  HOSTILE_NAMES,
  PROCESS,
  PROCESSES,
  REPORT,
} from '../fixtures/chrome-state.ts';
import { shownCells, shownLines, shownText, textWithLook } from '../fixtures/shown-dialog.tsx';

const PICK: PickState = {
  ...{ what: 'process', opened: [], query: EMPTY_LINE, row: 0, chosen: [], invert: false },
};
const MANY = {
  ...REPORT,
  processes: Array.from({ length: 40 }, (_, row) => ({
    ...PROCESS,
    tgid: 1000 + row,
    comm: `worker-${row}`,
    waitShare: 1 / (row + 2),
  })),
};
const ENTRIES = pickEntries(PICK, REPORT, 'disks');
const OF_DISKS = { layer: 'disks', isFiltered: false } as const;

function text(
  pick: PickState,
  entries: readonly PickEntry[],
  width: number,
  height = 9,
  isFiltered = false,
): string {
  const props = { ...OF_DISKS, pick, entries, width, height, isFiltered };
  return shownText(<PickList {...props} />, width);
}

function atOpening(
  pick: PickState,
  recent: ActivityReport,
  ofPicture: ActivityReport,
  isNarrowed = false,
): PickEntry[] {
  return entriesAtOpening(pick, { recent, ofPicture, isNarrowed }, 'disks');
}

const CASES: readonly [PickState, readonly PickEntry[]][] = [
  [PICK, ENTRIES],
  [{ ...PICK, row: 1, chosen: ['892', '61'], invert: true }, ENTRIES],
  [{ ...PICK, row: 25, query: lineOf('work'), chosen: ['1025'] }, pickEntries(PICK, MANY, 'disks')],
  [{ ...PICK, query: lineOf('zz') }, ENTRIES],
  [PICK, atOpening(PICK, { ...REPORT, processes: [PROCESS] }, REPORT)],
  [
    { ...PICK, what: 'disk', row: 2, chosen: ['sdz'] },
    pickEntries({ what: 'disk', chosen: ['sdz'], opened: [] }, REPORT, 'disks'),
  ],
];

describe('the list to pick from', () => {
  it.each([40, 80, 120, 200])('the pick list looks right at %i columns', async (width) => {
    const shown = CASES.map(([pick, entries]) => text(pick, entries, width));
    await expect(shown.join('\n')).toMatchFileSnapshot(`../../../snapshots/ui/pick-${width}.txt`);
  });

  it('the pick list is a rectangle of printable cells, whatever names and queries are', () => {
    const words = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...HOSTILE_NAMES));
    const entry = fc.record({
      id: words,
      label: words,
      details: fc.array(words, { maxLength: 3 }),
    });
    const size = fc.record({
      width: fc.integer({ min: 40, max: 200 }),
      height: fc.integer({ min: 4, max: 20 }),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(entry, { maxLength: 30, selector: ({ id }) => id }),
        words,
        fc.nat(30),
        size,
        (entries, query, row, { width, height }) => {
          const pick = { ...PICK, query: lineOf(query), row };
          const lines = shownLines(
            <PickList {...OF_DISKS} {...{ pick, entries, width, height }} />,
            width,
          );
          expect(lines).toHaveLength(height);
          expect(lines.every((line) => /^[┌│└].*[┐│┘]$/.test(line))).toBe(true);
          expect(lines.join('')).not.toMatch(/[^\x20-\x7e\xa1-\uffff]/);
        },
      ),
    );
  });

  it('the pick list always shows the entry under the cursor, marked', () => {
    const entries = pickEntries(PICK, MANY, 'disks');
    for (let row = 0; row < entries.length; row++) {
      const shown = text({ ...PICK, row }, entries, 60);
      expect(shown.match(/^│▸.*$/gm)).toEqual([expect.stringContaining(entries[row]!.label)]);
    }
  });

  it('the pick list narrows to entries that contain the query in name or number, in any case', () => {
    const narrow = (query: string): string[] =>
      filterPickEntries(ENTRIES, query).map(({ id }) => id);
    expect(narrow('SQL')).toEqual(['892']);
    expect(narrow('89')).toEqual(['892']);
    expect(narrow(' ')).toHaveLength(ENTRIES.length);
    expect(narrow('nothing')).toEqual([]);
  });

  it('the cursor of the pick list stays on the last entry that the query leaves', () => {
    expect(text({ ...PICK, row: 1 }, ENTRIES, 80)).toMatch(/▸\[ \] 4194303/);
    expect(text({ ...PICK, row: 1, query: lineOf('rsync') }, ENTRIES, 80)).toMatch(/▸.* 20117/);
    expect(text({ ...PICK, query: lineOf('zz') }, ENTRIES, 80)).not.toContain('▸');
  });

  it('the pick list shows the selected entry in one style from edge to edge', () => {
    for (const width of [40, 80, 120]) {
      const list = (
        <PickList {...OF_DISKS} pick={PICK} entries={ENTRIES} width={width} height={9} />
      );
      const selected = textWithLook(shownCells(list, width), 'inverse fg 32');
      expect(selected).toHaveLength(width - 2);
      expect(selected).toMatch(/^▸\[ \] +892 mysqld .*71% *(of waiting)? *$/);
    }
  });

  it('the pick list cuts a long name where there is no room, and never its figures', () => {
    const long = {
      id: '1',
      label: 'a-very-long-name-of-a-disk-that-nobody-types',
      details: [' 71% busy'],
    };
    for (const width of [40, 80, 120]) {
      const shown = text({ ...PICK, what: 'disk', row: 9 }, [long], width);
      expect(shown.includes('…')).toBe(width < 80);
      expect(shown).toContain(' 71% busy');
    }
  });

  it('the pick list says that everything except the marked is meant', () => {
    for (const width of [40, 80])
      expect(text({ ...PICK, invert: true }, ENTRIES, width)).toContain(' exclude ');
  });
});

describe('the entries of a pick list that opens', () => {
  const [first, second, third, fourth] = MANY.processes;

  it('a pick list that opens has the processes of the picture below those with recent I/O, by their waiting', () => {
    const recent = { ...REPORT, processes: [second!] };
    const picture = {
      ...REPORT,
      processes: [fourth!, { ...third!, waitShare: 0.6 }, second!, first!],
    };
    const entries = atOpening(PICK, recent, picture);
    expect(entries.map(({ label }) => label)).toEqual([
      '   1001 worker-1',
      '   1002 worker-2 (idle)',
      '   1000 worker-0 (idle)',
      '   1003 worker-3 (idle)',
    ]);
    expect(entries.map(({ details }) => details.length)).toEqual([3, 0, 0, 0]);
  });

  it('a pick list that opens has the disks of the picture below the busy ones, by name', () => {
    const disk = (name: string) => ({ ...REPORT.disks[0]!, disk: name });
    const recent = { ...REPORT, disks: [disk('nvme1n1')] };
    const picture = { ...REPORT, disks: ['sdb', 'nvme10n1', 'nvme2n1', 'nvme1n1'].map(disk) };
    const entries = atOpening({ ...PICK, what: 'disk' }, recent, picture);
    const labels = entries.map(({ label }) => label);
    expect(labels).toEqual(['nvme1n1', 'nvme2n1 (idle)', 'nvme10n1 (idle)', 'sdb (idle)']);
  });

  it('a pick list that was narrowed before has what that leaves out, without saying that it is idle', () => {
    const disk = (name: string) => ({ ...REPORT.disks[0]!, disk: name });
    const recent = { ...REPORT, disks: [disk('sdb')] };
    const picture = { ...REPORT, disks: ['sda', 'sdb', 'sdc'].map(disk) };
    const labels = (chosen: readonly string[], invert: boolean): string[] =>
      atOpening({ ...PICK, what: 'disk', chosen, invert }, recent, picture, true).map(
        ({ label }) => label,
      );
    expect(labels(['sdb', 'sdc'], false)).toEqual(['sdb', 'sda', 'sdc (idle)']);
    expect(labels(['sda'], true)).toEqual(['sdb', 'sda', 'sdc (idle)']);
  });

  it('a pick list that opens has the name of a chosen process that is in the picture, and ends with others', () => {
    const pick = { ...PICK, chosen: ['7', '1000'] };
    const picture = { ...REPORT, processes: [first!] };
    const entries = atOpening(pick, EMPTY_REPORT, picture);
    expect(entries.map(({ label }) => label)).toEqual([
      '   1000 worker-0 (idle)',
      '      7 (idle)',
    ]);
  });
});

describe('the entries to pick from', () => {
  it('the pick list says whether nothing matches or nothing is there', () => {
    expect(text({ ...PICK, query: lineOf('zz') }, ENTRIES, 80)).toContain('no process with that');
    for (const what of ['process', 'disk'] as const)
      expect(text({ ...PICK, what }, [], 80)).toMatch(/ {2}no I\/O in the picture {2}/);
    expect(text(PICK, [], 80, 9, true)).toContain('  no I/O in the picture matches the filter');
  });

  it('the pick list has one entry for a process on several disks', () => {
    const twice = { ...REPORT, processes: [PROCESS, { ...PROCESS, disk: 'sdb', waitShare: 0.1 }] };
    expect(pickEntries(PICK, twice, 'disks')).toEqual([
      {
        id: '892',
        label: '    892 mysqld',
        details: [' 2.2k IOPS    81% of waiting', ' 2.2k IOPS    81%', '  81%'],
      },
    ]);
  });

  it('the pick list leaves out the share of waiting where no time is known', () => {
    const untimed = {
      ...PROCESS,
      waitShare: 0,
      p50Ns: undefined,
      p99Ns: undefined,
      maxNs: undefined,
    };
    const detailsOf = (...processes: ProcessActivity[]) =>
      pickEntries(PICK, { ...REPORT, processes }, 'disks').map(({ details }) => details);
    expect(detailsOf(untimed)).toEqual([[' 1.1k IOPS']]);
    expect(detailsOf(untimed, { ...PROCESS, disk: 'sdb', waitShare: 0.1 })[0]![0]).toMatch(
      /10% of/,
    );
  });

  it.each([
    ['waits', 'waits/s'],
    ['calls', 'calls/s'],
    ['volumes', 'IOPS'],
  ] as const)('the pick list has the rates of the layer of %s in %s', (layer, unit) => {
    for (const what of ['process', 'disk'] as const)
      for (const { details } of pickEntries({ what, chosen: [], opened: [] }, REPORT, layer))
        expect(details[0]).toMatch(new RegExp(`^ *[0-9.k]+ ${unit}  `));
  });

  it('the pick list of processes leaves out entries without a PID', () => {
    expect(PROCESSES.some(({ tgid }) => tgid === undefined)).toBe(true);
    expect(ENTRIES).toHaveLength(PROCESSES.length - 1);
  });

  it('a process that ran another program has the name under which most waiting was', () => {
    const shell = { ...PROCESS, tgid: 5, comm: 'sh', waitShare: 0.1 };
    const processes = [shell, { ...shell, comm: 'node', waitShare: 0.5 }, shell];
    const [entry] = pickEntries(PICK, { ...REPORT, processes }, 'disks');
    expect(entry).toMatchObject({ id: '5', label: '      5 node' });
  });

  it('the pick list keeps marked entries that have no I/O any more', () => {
    const pick: PickState = { ...PICK, chosen: ['7'] };
    expect(pickEntries(pick, EMPTY_REPORT, 'disks')).toEqual([
      { id: '7', label: '      7 (idle)', details: [] },
    ]);
  });

  it('the entries of an open pick list keep their places, whoever is the busiest by now, and new ones come below', () => {
    const [first, second] = MANY.processes;
    const newcomer = { ...PROCESS, tgid: 9, comm: 'newcomer', waitShare: 1 };
    const opened = pickEntries(PICK, { ...MANY, processes: [first!, second!] }, 'disks');
    const busier = { ...second!, waitShare: 0.9 };
    const now = (processes: readonly (typeof PROCESS)[]) =>
      pickEntries({ ...PICK, opened }, { ...MANY, processes }, 'disks').map(({ label }) => label);
    expect(now([newcomer, busier, first!])).toEqual([
      '   1000 worker-0',
      '   1001 worker-1',
      '      9 newcomer',
    ]);
    expect(now([busier])).toEqual(['   1000 worker-0 (idle)', '   1001 worker-1']);
  });
});
