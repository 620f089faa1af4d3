import { describe, expect, it } from 'vitest';
import type { HeatmapSpec } from '../../src/heatmap/time/heatmap-spec.ts';
import { LiveHeatmap } from '../../src/heatmap/time/live-heatmap.ts';
import { createHistory } from '../../src/history/history.ts';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { compileFilter } from '../../src/filter/match/match.ts';
import type { PaletteName } from '../../src/model/metric.ts';
import { drawPane } from '../../src/raster/draw-pane.ts';
import { createColorScale } from '../../src/raster/color-scale.ts';
import { paletteOf } from '../../src/raster/palette.ts';
import { layoutPane } from '../../src/raster/pane-layout.ts';
import { SeededRandom } from '../random.ts';
import { columnsOf, createInfo, keyOf } from '../history/fixtures.ts';
import { CLOCK_BASE, COLOR, planes } from './fixtures.ts';

const SECOND = 1e9;
const PER_SECOND = 4000;
/** Three in a thousand, as in the article. */
const RARE = 0.003;

/** A line of fast I/O and a faint cloud of slow I/O far above it. */
function cloudOver(seconds: number): LiveHeatmap {
  const info = createInfo([keyOf()]);
  const history = createHistory({ info });
  const layout = layoutPane(80, 16, COLOR);
  const random = new SeededRandom(1, 1);
  for (let second = 0; second < seconds; second++) {
    const rows = Array.from({ length: PER_SECOND }, (_, i) => {
      const isRare = random.next() < RARE;
      const deviceNs = isRare ? 5e6 * 4 ** random.next() : 100e3 * 1.3 ** random.next();
      return { completeNs: (second + i / PER_SECOND) * SECOND, deviceNs };
    });
    history.append(columnsOf(rows));
  }
  const spec: HeatmapSpec = {
    metric: 'device',
    scale: 'log',
    outlierCut: 0,
    columnNs: SECOND,
    columns: layout.map.width,
    bins: layout.bins,
    filter: compileFilter(NO_FILTER, info.identities, info),
    disks: [],
  };
  const live = new LiveHeatmap(history, spec);
  live.update(seconds * SECOND - 1);
  return live;
}

/** Mean share of the ramp at which the pixels of the cloud stand: 0 is the first colour, 1 the last. */
function rampShareOfCloud({ map, colorRange }: LiveHeatmap, palette: PaletteName): number {
  const { colors, kind } = paletteOf(palette);
  const scale = createColorScale(kind, colors.length, colorRange.high, colorRange.low);
  const shown: number[] = [];
  for (let column = 0; column < map.columns; column++) {
    for (let bin = map.scale.binOf(4e6); bin < map.bins; bin++) {
      const level = scale.levelOf(map.count(column, bin));
      if (level > 0) shown.push((level - 1) / (colors.length - 1));
    }
  }
  return shown.reduce((a, b) => a + b) / shown.length;
}

describe('a cloud of 0.3 % of the I/O', () => {
  const live = cloudOver(60);
  const layout = layoutPane(80, 16, COLOR);

  for (const palette of ['spectrum', 'grey'] as const) {
    it(`a cloud of 0.3 % of the I/O in the palette ${palette} looks right`, async () => {
      const style = { ...COLOR, palette };
      const block = drawPane(live, layout, { style, clockBase: CLOCK_BASE, frozenAtNs: undefined });
      const file = `../../snapshots/raster/rare-cloud-${palette}.txt`;
      await expect(planes(block, palette)).toMatchFileSnapshot(file);
    });
  }

  it('a cloud of 0.3 % of the I/O has structure in spectrum, and one colour in grey', () => {
    expect(rampShareOfCloud(live, 'grey')).toBe(0);
    expect(rampShareOfCloud(live, 'spectrum')).toBeGreaterThan(0.05);
  });
});
