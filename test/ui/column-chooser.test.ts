import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { columnLines } from '../../src/ui/column-lines.ts';
import { lineText } from '../../src/ui/span.ts';
import { readSettings, settingsOf } from '../../src/view/settings.ts';
import { DEFAULT_VIEW } from '../../src/view/state.ts';
import { DOWN } from './fixtures/keys.ts';
import { Sitting } from './fixtures/sitting.ts';

const WIDTH = 120;

let sitting: Sitting;
beforeEach(() => {
  sitting = new Sitting(1, WIDTH, 40);
  sitting.wait(12e9);
});
afterEach(() => {
  sitting.dispose();
});

/** Headings of the process table on the screen, without the mark of the order. */
function headings(): string[] {
  const heading = sitting.lines().find((line) => /PID|COMM|P99/.test(line)) ?? '';
  return heading.split('│')[0]!.replaceAll(/[▸▾▴]/g, ' ').trim().split(/ +/);
}

describe('the list of columns', () => {
  it('shows and hides a column of the table that has the focus', () => {
    expect(headings()).toEqual(['PID', 'COMM', 'DISK', 'R/s', 'W/s', 'MB/s', 'P99', 'Q%', 'WAIT%']);
    sitting.type(`C${DOWN}${DOWN}${DOWN} `);
    expect(sitting.view.notice).toBe('disk: hidden; W saves the columns');
    expect(headings()).not.toContain('DISK');
    sitting.type(' C');
    expect(headings()).toContain('DISK');
    expect(sitting.view.mode).toBe('main');
  });

  it('moves a column, and the cursor of the list with it', () => {
    sitting.type(`C${DOWN}${DOWN}${DOWN}<<C`);
    expect(headings().slice(0, 3)).toEqual(['DISK', 'PID', 'COMM']);
    sitting.type('C');
    expect(sitting.view.columnRow).toBe(0);
    sitting.type('<');
    expect(sitting.view.notice).toBe('disk: already at the end');
    sitting.type('>>C');
    expect(headings().slice(0, 3)).toEqual(['PID', 'COMM', 'DISK']);
  });

  it('does not move what is hidden', () => {
    sitting.type(`C${DOWN}${DOWN}<`);
    expect(sitting.view.notice).toBe('only a shown column can be moved');
    expect(sitting.view.processColumns).toEqual(DEFAULT_VIEW.processColumns);
  });

  it('goes back to the columns of the beginning', () => {
    sitting.type(`C ${DOWN}${DOWN} >r`);
    expect(sitting.view.processColumns).toEqual(DEFAULT_VIEW.processColumns);
    expect(sitting.view.columnRow).toBe(0);
  });

  it('keeps one column at least', () => {
    sitting.type('C');
    for (let i = 0; i < 30; i++) sitting.type(i === 0 ? ' ' : `${DOWN} `);
    const left = sitting.view.processColumns.length;
    expect(left).toBeGreaterThanOrEqual(1);
    expect(headings().length).toBeGreaterThanOrEqual(1);
  });

  it('is about the disks when they have the focus', () => {
    sitting.type('\tC ');
    expect(sitting.view.diskColumns).toEqual(DEFAULT_VIEW.diskColumns.slice(1));
    expect(sitting.view.processColumns).toEqual(DEFAULT_VIEW.processColumns);
  });

  it('comes back from the settings as it was', () => {
    sitting.type(`C ${DOWN}${DOWN} >C\tC${DOWN} C`);
    const { settings, problems } = readSettings(
      JSON.parse(JSON.stringify(settingsOf(sitting.view))) as unknown,
    );
    expect(problems).toEqual([]);
    const { processColumns, diskColumns } = sitting.view;
    expect(settings).toMatchObject({ processColumns, diskColumns });
    expect(processColumns).not.toEqual(DEFAULT_VIEW.processColumns);
    expect(diskColumns).not.toEqual(DEFAULT_VIEW.diskColumns);
  });

  it('has headings beside what they mean', () => {
    const lines = columnLines({ ...DEFAULT_VIEW, mode: 'columns' }, 60, 20).map(lineText);
    expect(lines.find((line) => line.includes('P50'))).toContain(
      '[x] P50     half of the I/Os took',
    );
    expect(lines.find((line) => line.includes('COMM'))).toContain(
      '[x] COMM    name of the process',
    );
    expect(lines.find((line) => line.includes('CGROUP'))).toContain('[ ] CGROUP  cgroup');
    expect(new Set(lines.map(({ length }) => length))).toEqual(new Set([60]));
  });

  it('says the same in fewer words where there is less room, and never cuts its heading', () => {
    const lines = columnLines({ ...DEFAULT_VIEW, mode: 'columns' }, 40, 20).map(lineText);
    expect(lines[0]).toContain('Columns of the processes ── 13 of 16 ┐');
    expect(lines.find((line) => line.includes('P50'))).toContain('[x] P50     median');
  });

  it('tells which part of a long list is on the screen', () => {
    const [heading] = columnLines({ ...DEFAULT_VIEW, mode: 'columns' }, 80, 12).map(lineText);
    expect(heading).toContain('1-10: 13 of 16 shown');
  });
});
