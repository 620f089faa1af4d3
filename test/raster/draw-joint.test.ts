import { describe, expect, it } from 'vitest';
import { JointMap } from '../../src/heatmap/joint/joint-map.ts';
import { createHistory, MIN_BUDGET_BYTES } from '../../src/history/history.ts';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { compileFilter } from '../../src/filter/match/match.ts';
import { drawJoint } from '../../src/raster/draw-joint.ts';
import { layoutPane } from '../../src/raster/pane-layout.ts';
import type { PaneOptions } from '../../src/raster/pane-canvas.ts';
import { plainText } from '../terminal/plain-text.ts';
import { columnsOf, createInfo } from '../history/fixtures.ts';
import type { Row } from '../history/fixtures.ts';
import { CLOCK_BASE, COLOR } from './fixtures.ts';

const HOUR = 3600e9;

/** The picture of size against total latency. */
function textOf(
  rows: readonly Partial<Row>[],
  columnNs = 1e9,
  changes: Partial<PaneOptions> = {},
): string {
  const info = createInfo();
  const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
  history.append(columnsOf(rows));
  const layout = layoutPane(120, 20, COLOR);
  const picture = new JointMap(history, {
    metric: 'total',
    across: 'size',
    scale: 'log',
    outlierCut: 0,
    columnNs,
    columns: layout.map.width,
    bins: layout.bins,
    filter: compileFilter(NO_FILTER, info.identities, info),
    disks: [],
  });
  picture.update(rows.at(-1)?.completeNs ?? 0);
  const options = { style: COLOR, clockBase: CLOCK_BASE, frozenAtNs: undefined, ...changes };
  return plainText(drawJoint(picture, layout, options));
}

describe('the picture of two values', () => {
  it('says why it is empty where its I/O lacks one of the values', () => {
    const flush = { completeNs: 5e9, bytes: 0 };
    const text = textOf([flush]);
    expect(text).toContain('no I/O in this picture has a size and a total time');
    expect(text).toContain('1 without size');
    expect(textOf([])).toMatch(/no I\/O in this picture$/m);
    expect(textOf([], 1e9, { isFiltered: true })).toContain('matches the filter');
  });

  it('has the dates of a time that is longer than a day', () => {
    const rows = [{ completeNs: 1 }, { completeNs: 30 * HOUR }];
    expect(textOf(rows, HOUR)).toContain('2026-03-02 14:02:11–now');
    const frozenAtNs = 30 * HOUR;
    const frozen = textOf(rows, HOUR, { frozenAtNs });
    expect(frozen).toContain('2026-03-02 14:02:11–2026-03-03 20:02:11');
    expect(textOf([{ completeNs: 1 }, { completeNs: 9 * HOUR }], HOUR)).toContain('  14:02:11–now');
  });
});
