import { describe, expect, it } from 'vitest';
import { ColumnList } from '../../../src/ui/dialogs/column-list.tsx';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import { DEFAULT_PROCESS_COLUMNS, PROCESS_SORTS } from '../../../src/view/table-columns.ts';
import { shownCells, shownLines, textWithLook } from '../fixtures/shown-dialog.tsx';

const CHOSEN = `${DEFAULT_PROCESS_COLUMNS.length} of ${PROCESS_SORTS.length}`;

function list(width: number, height: number, columnRow = 0): string[] {
  const view = { ...DEFAULT_VIEW, mode: 'columns' as const, columnRow };
  return shownLines(<ColumnList {...{ view, width, height }} />, width);
}

describe('the list of columns on the screen', () => {
  it('the column list has headings next to what they mean', () => {
    const lines = list(60, 20);
    expect(lines.find((line) => line.includes('P50'))).toContain(
      '[x] P50     median total latency',
    );
    expect(lines.find((line) => line.includes('COMM'))).toContain(
      '[x] COMM    name of the process',
    );
    expect(lines.find((line) => line.includes('CGROUP'))).toContain('[ ] CGROUP  cgroup');
    expect(lines).toHaveLength(20);
  });

  it.each([
    ['disks', 'mean requests in flight'],
    ['volumes', 'mean I/Os in flight in the volume'],
    ['waits', 'mean threads that wait'],
    ['calls', 'mean calls in progress'],
  ] as const)('the column list says what QD counts in the layer %s: %s', (layer, meaning) => {
    const view = { ...DEFAULT_VIEW, mode: 'columns' as const, focus: 'disks' as const, layer };
    const lines = shownLines(<ColumnList {...{ view, width: 60 }} height={30} />, 60);
    expect(lines.find((line) => line.includes('QD'))).toContain(`QD      ${meaning} `);
  });

  it('the column list uses fewer words where there is less room, and never cuts its heading', () => {
    const lines = list(40, 20);
    expect(lines[0]).toContain(`Columns of the processes ── ${CHOSEN} ┐`);
    expect(lines.find((line) => line.includes('P50'))).toContain('[x] P50     median');
  });

  it('the column list says which part of a long list is on the screen', () => {
    const [heading] = list(80, 12);
    expect(heading).toContain(`1-10: ${CHOSEN} chosen`);
  });

  it('the column list marks the column under the cursor from edge to edge', () => {
    for (const width of [40, 80, 120]) {
      const view = { ...DEFAULT_VIEW, mode: 'columns' as const, columnRow: 1 };
      const cells = shownCells(<ColumnList {...{ view, width }} height={12} />, width);
      const selected = textWithLook(cells, 'inverse fg 32');
      expect(selected).toHaveLength(width - 2);
      expect(selected).toMatch(/^▸\[x\] COMM /);
    }
  });

  it('the column list scrolls with the cursor', () => {
    for (let row = 0; row < 16; row++)
      expect(list(80, 8, row).filter((line) => line.startsWith('│▸'))).toHaveLength(1);
  });
});
