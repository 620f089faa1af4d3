import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ESCAPE_AT_ONCE } from '../e2e/support/key-bytes.ts';
import { DOWN, ENTER, UP } from './fixtures/keys.ts';
import { Sitting } from './fixtures/sitting.ts';

let sitting: Sitting;
beforeEach(() => {
  sitting = new Sitting(1, 120, 60);
  sitting.wait(12e9);
});
afterEach(() => {
  sitting.dispose();
});

/** The process table's rows on the screen, and which of them is marked. */
function selected(): string {
  return (
    sitting
      .lines()
      .find((line, y) => line.startsWith('▸') && !sitting.lines()[y]!.includes('COMM')) ?? ''
  );
}

/** Rows that hold the text, by their number from the top. */
function rowsWith(text: string): number[] {
  const lines = sitting.lines();
  const top = lines.findIndex((line) => line.includes('COMM')) + 1;
  return lines
    .slice(top, -1)
    .flatMap((line, row) => (line.split('│')[0]!.includes(text) ? [row] : []));
}

describe('looking for a row', () => {
  it('searching selects the first row that contains what was typed, letter by letter', () => {
    const [first] = rowsWith('postgres');
    sitting.type('fpost');
    expect(sitting.view).toMatchObject({ mode: 'find', findText: 'post', processRow: first });
    expect(selected()).toContain('postgres');
  });

  it('searching goes to the next and the previous match, around the ends', () => {
    const rows = rowsWith('postgres');
    expect(rows.length).toBeGreaterThan(2);
    sitting.type(`fPostgreS${ENTER}`);
    expect(sitting.view.notice).toBe(`${rows.length} rows match "PostgreS"; n and N step`);
    const visited = rows.map(() => {
      const { processRow } = sitting.view;
      sitting.type('n');
      return processRow;
    });
    expect(visited).toEqual(rows);
    expect(sitting.view.processRow).toBe(rows[0]);
    sitting.type('N');
    expect(sitting.view.processRow).toBe(rows.at(-1));
    expect(sitting.view.notice).toBe(`"PostgreS": ${rows.length} of ${rows.length}`);
  });

  it('arrows go to other matches while the search line is open', () => {
    const rows = rowsWith('postgres');
    sitting.type(`fpostgres${DOWN}${DOWN}${UP}`);
    expect(sitting.view).toMatchObject({ mode: 'find', processRow: rows[1] });
  });

  it('searching finds PIDs and disks, and says so when nothing matches', () => {
    sitting.type(`f2544${ENTER}`);
    expect(selected()).toContain('2544');
    sitting.type('\tfnvme');
    expect(sitting.view).toMatchObject({ focus: 'disks', diskRow: rowOfDisk('nvme0n1') });
    sitting.type('xyz');
    expect(sitting.view.prompt?.problem?.message).toBe('no match for "nvmexyz" among the disks');
    sitting.type(`${ENTER}n`);
    expect(sitting.view.notice).toBe('no match for "nvmexyz" among the disks');
  });

  it('Escape clears the search', () => {
    sitting.type(`fpostgres${ESCAPE_AT_ONCE}`);
    expect(sitting.view).toMatchObject({ mode: 'main', findText: '', prompt: undefined });
    sitting.type('n');
    expect(sitting.view.notice).toBe('nothing to repeat; press f to search');
  });

  it('rows keep their order while the search line is open', () => {
    sitting.type('fpostgres');
    const before = tableLines();
    sitting.wait(20e9);
    expect(tableLines()).toEqual(before);
    sitting.type(ENTER);
    sitting.wait(2e9);
    expect(tableLines()).not.toEqual(before);
  });
});

function tableLines(): string[] {
  const lines = sitting.lines();
  return lines.slice(
    lines.findIndex((line) => line.includes('COMM')),
    -1,
  );
}

function rowOfDisk(name: string): number {
  const lines = sitting.lines();
  const top = lines.findIndex((line) => line.includes('COMM')) + 1;
  return lines.slice(top).findIndex((line) => line.split('│').at(-1)!.includes(name));
}
