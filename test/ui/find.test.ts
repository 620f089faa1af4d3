import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ESCAPE_AT_ONCE } from '../e2e/support/key-bytes.ts';
import { DOWN, ENTER, UP } from './fixtures/keys.ts';
import { HeadlessSession } from './fixtures/headless-session.ts';

let session: HeadlessSession;
beforeEach(() => {
  session = new HeadlessSession(1, 120, 60);
  session.wait(12e9);
});
afterEach(() => {
  session.dispose();
});

/** The process table's rows on the screen, and which of them is marked. */
function selected(): string {
  return (
    session
      .lines()
      .find((line, y) => line.startsWith('▸') && !session.lines()[y]!.includes('COMM')) ?? ''
  );
}

/** Rows that hold the text, by their number from the top. */
function rowsWith(text: string): number[] {
  const lines = session.lines();
  const top = lines.findIndex((line) => line.includes('COMM')) + 1;
  return lines
    .slice(top, -1)
    .flatMap((line, row) => (line.split('│')[0]!.includes(text) ? [row] : []));
}

describe('looking for a row', () => {
  it('searching selects the first row that contains what was typed, letter by letter', () => {
    const [first] = rowsWith('postgres');
    session.type('fpost');
    expect(session.view).toMatchObject({
      mode: 'find',
      findText: 'post',
      processRow: { place: first },
    });
    expect(selected()).toContain('postgres');
  });

  it('a search without a match leaves the row selected that was so before', () => {
    session.type('fpost');
    expect(selected()).toContain('postgres');
    session.type('zz');
    expect(session.view).toMatchObject({ findText: 'postzz', processRow: undefined });
    session.type(ENTER);
    expect(session.view).toMatchObject({ mode: 'main', processRow: undefined });
    session.type(`${DOWN}${DOWN}`);
    const before = session.view.processRow;
    expect(before).toBeDefined();
    session.type('fpost');
    expect(session.view.processRow?.id).not.toBe(before?.id);
    session.type('\x7f'.repeat(4));
    expect(session.view).toMatchObject({ findText: '', processRow: before });
  });

  it('searching goes to the next and the previous match, around the ends', () => {
    const rows = rowsWith('postgres');
    expect(rows.length).toBeGreaterThan(2);
    session.type(`fPostgreS${ENTER}`);
    expect(session.view.notice).toBe(`${rows.length} rows match "PostgreS"; n and N step`);
    const visited = rows.map(() => {
      const place = session.view.processRow?.place;
      session.type('n');
      return place;
    });
    expect(visited).toEqual(rows);
    expect(session.view.processRow?.place).toBe(rows[0]);
    session.type('N');
    expect(session.view.processRow?.place).toBe(rows.at(-1));
    expect(session.view.notice).toBe(`"PostgreS": ${rows.length} of ${rows.length}`);
  });

  it('arrows go to other matches while the search line is open', () => {
    const rows = rowsWith('postgres');
    session.type(`fpostgres${DOWN}${DOWN}${UP}`);
    expect(session.view).toMatchObject({ mode: 'find', processRow: { place: rows[1] } });
  });

  it('arrows before the first letter ask for a text to search for, and leave the line open', () => {
    session.type(`f${DOWN}`);
    expect(session.view).toMatchObject({ mode: 'find', cursor: undefined, frozenAtNs: undefined });
    expect(session.view.prompt?.problem?.message).toBe('type a text to search for');
    session.type('post');
    expect(session.view.findText).toBe('post');
  });

  it('searching finds PIDs and disks, and says so when nothing matches', () => {
    session.type(`f2544${ENTER}`);
    expect(selected()).toContain('2544');
    session.type('\tfnvme');
    expect(session.view).toMatchObject({
      focus: 'disks',
      diskRow: { place: rowOfDisk('nvme0n1') },
    });
    session.type('xyz');
    expect(session.view.prompt?.problem?.message).toBe('no match for "nvmexyz" among the disks');
    session.type(`${ENTER}n`);
    expect(session.view.notice).toBe('no match for "nvmexyz" among the disks');
  });

  it('Escape clears the search', () => {
    session.type(`fpostgres${ESCAPE_AT_ONCE}`);
    expect(session.view).toMatchObject({ mode: 'main', findText: '', prompt: undefined });
    session.type('n');
    expect(session.view.mode).toBe('cursor');
    expect(session.view.notice).toMatch(/burst/);
  });

  it('rows keep their order while the search line is open', () => {
    session.type('fpostgres');
    const before = tableLines();
    session.wait(20e9);
    expect(tableLines()).toEqual(before);
    session.type(ENTER);
    session.wait(2e9);
    expect(tableLines()).not.toEqual(before);
  });
});

function tableLines(): string[] {
  const lines = session.lines();
  return lines.slice(
    lines.findIndex((line) => line.includes('COMM')),
    -1,
  );
}

function rowOfDisk(name: string): number {
  const lines = session.lines();
  const top = lines.findIndex((line) => line.includes('COMM')) + 1;
  return lines.slice(top).findIndex((line) => line.split('│').at(-1)!.includes(name));
}
