import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings, settingsOf } from '../../src/view/settings.ts';
import { DEFAULT_VIEW } from '../../src/view/state.ts';
import { DOWN } from './fixtures/keys.ts';
import { HeadlessSession } from './fixtures/headless-session.ts';

const WIDTH = 120;

let session: HeadlessSession;
beforeEach(() => {
  session = new HeadlessSession(1, WIDTH, 40);
  session.wait(12e9);
});
afterEach(() => {
  session.dispose();
});

/** Headings of the process table on the screen, without the mark of the order. */
function headings(): string[] {
  const heading = session.lines().find((line) => /PID|COMM|P99/.test(line)) ?? '';
  return heading.split('│')[0]!.replaceAll(/[▸▾▴]/g, ' ').trim().split(/ +/);
}

describe('the list of columns', () => {
  it('the column list shows and hides a column of the table with the focus', () => {
    expect(headings()).toEqual(['PID', 'COMM', 'DISK', 'R/s', 'W/s', 'MB/s', 'P99', 'Q%', 'WAIT%']);
    session.type(`C${DOWN}${DOWN}${DOWN} `);
    expect(session.view.notice).toBe('disk: hidden; W saves the columns');
    expect(headings()).not.toContain('DISK');
    session.type(' C');
    expect(headings()).toContain('DISK');
    expect(session.view.mode).toBe('main');
  });

  it('moving a column in the column list moves the cursor with it', () => {
    session.type(`C${DOWN}${DOWN}${DOWN}<<C`);
    expect(headings().slice(0, 3)).toEqual(['DISK', 'PID', 'COMM']);
    session.type('C');
    expect(session.view.columnRow).toBe(0);
    session.type('<');
    expect(session.view.notice).toBe('disk: already at the end');
    session.type('>>C');
    expect(headings().slice(0, 3)).toEqual(['PID', 'COMM', 'DISK']);
  });

  it('a hidden column cannot be moved', () => {
    session.type(`C${DOWN}${DOWN}<`);
    expect(session.view.notice).toBe('only a shown column can be moved');
    expect(session.view.processColumns).toEqual(DEFAULT_VIEW.processColumns);
  });

  it('r resets the table to the default columns', () => {
    session.type(`C ${DOWN}${DOWN} >r`);
    expect(session.view.processColumns).toEqual(DEFAULT_VIEW.processColumns);
    expect(session.view.columnRow).toBe(0);
  });

  it('a table keeps at least one column', () => {
    session.type('C');
    for (let i = 0; i < 30; i++) session.type(i === 0 ? ' ' : `${DOWN} `);
    const left = session.view.processColumns.length;
    expect(left).toBeGreaterThanOrEqual(1);
    expect(headings().length).toBeGreaterThanOrEqual(1);
  });

  it('the column list is about the disks when they have the focus', () => {
    session.type('\tC ');
    expect(session.view.diskColumns).toEqual(DEFAULT_VIEW.diskColumns.slice(1));
    expect(session.view.processColumns).toEqual(DEFAULT_VIEW.processColumns);
  });

  it('the chosen columns are read back from the settings', () => {
    session.type(`C ${DOWN}${DOWN} >C\tC${DOWN} C`);
    const { settings, problems } = readSettings(
      JSON.parse(JSON.stringify(settingsOf(session.view))) as unknown,
    );
    expect(problems).toEqual([]);
    const { processColumns, diskColumns } = session.view;
    expect(settings).toMatchObject({ processColumns, diskColumns });
    expect(processColumns).not.toEqual(DEFAULT_VIEW.processColumns);
    expect(diskColumns).not.toEqual(DEFAULT_VIEW.diskColumns);
  });
});
