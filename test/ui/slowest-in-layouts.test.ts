import { describe, expect, it } from 'vitest';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import type { Layout, Metric } from '../../src/model/metric.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import { createSyntheticSource } from '../../src/trace/synthetic/synthetic-source.ts';
import { Screen } from '../../src/terminal/screen.ts';
import { FramePainter } from '../../src/ui/frame/frame-painter.ts';
import { sceneStore } from '../../src/ui/frame/scene-store.ts';
import { Scene } from '../../src/ui/frame/scene.ts';
import { createTheme } from '../../src/ui/text/theme.ts';
import { KEY_TABLE } from '../../src/view/keys/key-table.ts';
import { consistent } from '../../src/view/reduce/layout.ts';
import { DEFAULT_VIEW } from '../../src/view/state.ts';
import { CLOCK_BASE } from '../raster/fixtures.ts';

const NOW_NS = 50e9;

function monitorOfMix(): Monitor {
  const names = { pattern: 'mixed', seed: 1, rate: 400 } as const;
  const clock = { nowNs: () => NOW_NS };
  const identities = new IdentityTable();
  const source = createSyntheticSource({ ...names, clock, identities, clockBase: CLOCK_BASE });
  const monitor = new Monitor({ source, historyBytes: 32 * 2 ** 20, filter: NO_FILTER });
  while (!monitor.pump());
  return monitor;
}

const monitor = monitorOfMix();

/** The latency that the cursor's box holds after the key, next to that of the slowest I/O. */
function jump(
  layout: Layout,
  metric: Metric,
  height: number,
): { slowestNs: number; inBox: number } {
  const screen = new Screen(100, height, { colors: 'none', unicode: true });
  const frame = { theme: createTheme(0), bindings: KEY_TABLE, unicode: true, color: true };
  const scene = new Scene(monitor, frame, 100, height);
  const painter = new FramePainter(scene, screen, { recordedOnly: '' });
  const before = consistent({ ...DEFAULT_VIEW, layout, metric });
  const store = sceneStore(scene, before, { nowNs: () => NOW_NS });
  painter.paint(before, NOW_NS);
  store.dispatch({ type: 'goToSlowest' });
  painter.paint(store.state, NOW_NS);
  const cursor = store.state.cursor!;
  const box = scene.picture(store.state, NOW_NS).boxOf(cursor, cursor);
  const [slowest] = monitor.inspect(box).slowest;
  painter.dispose();
  const { queueNs = 0, deviceNs = 0 } = slowest ?? {};
  return { slowestNs: monitor.slowest()!.latencyNs, inBox: queueNs + deviceNs };
}

describe('the cell of the slowest I/O', () => {
  // Heights at which the three maps have the same number of rows, and at which the first has more.
  it.each([30, 31, 32, 33, 34, 40, 41])(
    'the marked cell holds the slowest I/O in stacked maps at %i rows',
    (height) => {
      for (const metric of ['device', 'offset', 'size'] as const) {
        const { slowestNs, inBox } = jump('stacked', metric, height);
        expect(inBox).toBe(slowestNs);
      }
    },
  );

  it.each(['single', 'size-latency', 'offset-latency', 'disks', 'processes', 'cgroups'] as const)(
    'the marked cell holds the slowest I/O in the layout %s',
    (layout) => {
      const { slowestNs, inBox } = jump(layout, 'device', 36);
      expect(inBox).toBe(slowestNs);
    },
  );
});
