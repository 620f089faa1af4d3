import { describe, expect, it } from 'vitest';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { KeyTable } from '../../src/model/key-table.ts';
import type { Layout, Metric } from '../../src/model/metric.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import { createSyntheticSource } from '../../src/source/synthetic-source.ts';
import { Screen } from '../../src/terminal/screen.ts';
import { FramePainter } from '../../src/ui/frame-painter.ts';
import { createTheme } from '../../src/ui/theme.ts';
import { KEY_TABLE } from '../../src/view/key-table.ts';
import { reduce } from '../../src/view/reduce.ts';
import { consistent } from '../../src/view/reduce-layout.ts';
import { DEFAULT_VIEW } from '../../src/view/view-state.ts';
import { CLOCK_BASE } from '../raster/fixtures.ts';

const NOW_NS = 50e9;

function monitorOfMix(): Monitor {
  const names = { pattern: 'mixed', seed: 1, rate: 400 } as const;
  const clock = { nowNs: () => NOW_NS };
  const keys = new KeyTable();
  const source = createSyntheticSource({ ...names, clock, keys, clockBase: CLOCK_BASE });
  const monitor = new Monitor({ source, historyBytes: 32 * 2 ** 20, filter: NO_FILTER });
  while (!monitor.pump());
  return monitor;
}

const monitor = monitorOfMix();

/** The latency that the cursor's box holds after the key, beside that of the slowest I/O. */
function jump(
  layout: Layout,
  metric: Metric,
  height: number,
): { slowestNs: number; inBox: number } {
  const screen = new Screen(100, height, { colors: 'none', unicode: true });
  const frame = { theme: createTheme(0), bindings: KEY_TABLE, unicode: true, color: true };
  const painter = new FramePainter(monitor, screen, { ...frame, recordedOnly: '' });
  const before = consistent({ ...DEFAULT_VIEW, layout, metric });
  painter.paint(before, NOW_NS);
  const context = painter.actionContext(before, NOW_NS);
  const after = reduce(before, { type: 'goToWorst' }, context);
  painter.paint(after, NOW_NS);
  const box = painter.actionContext(after, NOW_NS).boxOf(after.cursor!, after.cursor!);
  const [slowest] = monitor.inspect(box).slowest;
  painter.dispose();
  const { queueNs = 0, deviceNs = 0 } = slowest ?? {};
  return { slowestNs: monitor.worst()!.latencyNs, inBox: queueNs + deviceNs };
}

describe('the cell of the slowest I/O', () => {
  // Heights at which the three maps have the same number of rows, and at which the first has more.
  it.each([30, 31, 32, 33, 34, 40, 41])('holds it in stacked maps at %i rows', (height) => {
    for (const metric of ['device', 'offset', 'size'] as const) {
      const { slowestNs, inBox } = jump('stacked', metric, height);
      expect(inBox).toBe(slowestNs);
    }
  });

  it.each(['single', 'size-latency', 'offset-latency', 'disks'] as const)(
    'holds it in the layout %s',
    (layout) => {
      const { slowestNs, inBox } = jump(layout, 'device', 36);
      expect(inBox).toBe(slowestNs);
    },
  );
});
