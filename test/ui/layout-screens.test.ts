import { describe, expect, it } from 'vitest';
import { LAYOUTS } from '../../src/model/metric.ts';
import type { Layout } from '../../src/model/metric.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import { createSyntheticSource } from '../../src/trace/synthetic/synthetic-source.ts';
import { plainText } from '../terminal/plain-text.ts';
import { Screen } from '../../src/terminal/screen.ts';
import { Dialogs } from '../../src/ui/dialogs/dialogs.tsx';
import { FramePainter } from '../../src/ui/frame/frame-painter.ts';
import { sceneStore } from '../../src/ui/frame/scene-store.ts';
import { Scene } from '../../src/ui/frame/scene.ts';
import { createTheme } from '../../src/ui/text/theme.ts';
import { actionOf } from '../../src/view/keys/find-binding.ts';
import { KEY_TABLE } from '../../src/view/keys/key-table.ts';
import { consistent } from '../../src/view/reduce/layout.ts';
import { DEFAULT_VIEW } from '../../src/view/state.ts';
import { CLOCK_BASE } from '../raster/fixtures.ts';

const NS = 1e9;

/** The screen after some keys, over the seeded mix of disks. */
function screenOf(
  layout: Layout,
  [width, height]: readonly [number, number],
  { seconds = 60, keys = '', unicode = true, color = false, capacity = 1024 } = {},
): string {
  const clock = { at: 0, nowNs: () => clock.at };
  const pattern = layout === 'layers' ? 'layers' : 'mixed';
  const names = { pattern, seed: 1, rate: 400 } as const;
  const source = createSyntheticSource({
    ...names,
    clock,
    identities: new IdentityTable(capacity),
    clockBase: CLOCK_BASE,
  });
  const monitor = new Monitor({ source, historyBytes: 32 * 2 ** 20, filter: NO_FILTER });
  const screen = new Screen(width, height, { colors: color ? '256' : 'none', unicode });
  const theme = createTheme(color ? 2 : 0);
  const look = { theme, bindings: KEY_TABLE, unicode, color };
  const scene = new Scene(monitor, look, width, height);
  const dialogs = new Dialogs(look);
  const store = sceneStore(scene, consistent({ ...DEFAULT_VIEW, layout }), clock);
  const painter = new FramePainter(scene, screen, { recordedOnly: '', dialogs });
  for (; clock.at < seconds * NS; clock.at += NS) {
    while (!monitor.pump());
    painter.paint(store.state, clock.at);
  }
  for (const typed of keys) {
    const key = { '\r': 'enter', '\t': 'tab' }[typed] ?? typed;
    const action = actionOf(store.state.mode, key);
    if (action === undefined) throw new Error(`no action for ${key}`);
    store.dispatch(action);
    painter.paint(store.state, clock.at);
  }
  painter.paint(store.state, clock.at);
  painter.dispose();
  return plainText(screen.cells);
}

const SIZES = [
  [80, 24],
  [120, 40],
  [200, 50],
] as const;
const ALL = LAYOUTS.filter((layout) => layout !== 'single');

describe('the layouts', () => {
  it.each(ALL)('the layout %s looks right at 120×40', async (layout) => {
    const text = screenOf(layout, [120, 40]);
    await expect(text).toMatchFileSnapshot(`../../snapshots/ui/layout-${layout}-120.txt`);
  });

  it.each(ALL)('the layout %s names what the cursor is on', (layout) => {
    expect(screenOf(layout, [120, 40], { keys: 'v' })).toContain(' CURSOR ');
    expect(screenOf(layout, [120, 40], { keys: 'vvhk' })).toContain(' BOX ');
  });

  it('in a map of two values, the share of a box is that of all of its columns', () => {
    expect(screenOf('size-latency', [120, 40], { keys: 'v' })).toContain('% of this column)');
    expect(screenOf('size-latency', [120, 40], { keys: 'vvhh' })).toContain('% of its columns)');
  });

  it.each(ALL)(
    'the layout %s works on a small terminal, without I/O and without colour',
    (layout) => {
      for (const unicode of [true, false]) {
        const text = screenOf(layout, [40, 12], { seconds: 0, keys: 'vhjklv', unicode });
        expect(text.split('\n')).toHaveLength(13);
      }
    },
  );

  it.each(LAYOUTS)(
    'the layout %s shows its selected box above the drill-down on a tall screen',
    (layout) => {
      const rows = screenOf(layout, [120, 40], { keys: 'vvhk\r' }).split('\n');
      const panel = rows.findIndex((row) => row.includes('By process, disk and operation'));
      // Header, picture, its times or x axis, and two lines of the panel.
      expect(panel).toBe(18);
      expect(rows[15]).toMatch(/\d:\d\d┘|→/);
      expect(rows.slice(2, 15).join('')).toMatch(/[▸┃]/);
    },
  );

  it('offsets on disks of different size are in percent of each disk, also under the cursor', async () => {
    const text = screenOf('single', [120, 40], { keys: '4' });
    await expect(text).toMatchFileSnapshot('../../snapshots/ui/offset-of-disks-120.txt');
    expect(text).toContain('% of each disk');
    expect(screenOf('single', [120, 40], { keys: '4v' })).toMatch(/\d–[\d.]+% of each disk/);
    expect(screenOf('single', [120, 40], { keys: '4vvkk\r\r' })).toMatch(/disk=\w+.* offset>=/);
  });

  it('a highlight names what is in colour, in the legend and on the last line', async () => {
    const text = screenOf('single', [120, 40], { keys: 'jH' });
    await expect(text).toMatchFileSnapshot('../../snapshots/ui/highlight-120.txt');
    const later = screenOf('stacked', [120, 40], { keys: 'jHj' });
    expect(later).toContain('highlight: pid=188 disk=nvme0n1');
    expect(later).toContain('in colour pid=188 disk=nvme0n1');
    expect(screenOf('single', [120, 40], { keys: 'jHHj' })).not.toContain('highlight');
  });

  it.each(SIZES)('the layers of a mirror are above each other at %i×%i', async (width, height) => {
    const text = screenOf('layers', [width, height], { keys: 'Lv' });
    await expect(text).toMatchFileSnapshot(`../../snapshots/ui/layers-${width}.txt`);
    expect(text).toContain('FIGURES OF VOLUMES');
    // Where three fit, the calls stand for their waits.
    const top = width === 80 ? ['calls'] : ['calls', 'waits'];
    for (const title of [...top, '▸volumes']) expect(text).toContain(title);
    expect(screenOf('layers', [width, height], { keys: 'v\t' })).toContain('CURSOR');
  });

  it.each(SIZES)(
    'the lanes of cgroups are named as people name them at %i×%i, also under the cursor',
    async (...size) => {
      const text = screenOf('cgroups', size, { keys: 'vk' });
      await expect(text).toMatchFileSnapshot(`../../snapshots/ui/cgroups-${size[0]}.txt`);
      for (const name of ['mysql.service', 'docker 5c0f3a9e71d2']) expect(text).toContain(name);
      expect(text).not.toContain('others');
    },
  );

  it('an empty lane for others takes no room from the only file', () => {
    expect(screenOf('files', [80, 24])).not.toContain('others');
    expect(screenOf('files', [80, 24], { keys: 'vk' })).toMatch(/CURSOR .*unknown/);
  });

  it('where there are more processes than lanes, the legend says how many the last lane has', () => {
    expect(screenOf('processes', [80, 16])).toMatch(/ \d more processes in others/);
  });

  it('where others may be more than are told apart, the legend says so', () => {
    expect(screenOf('processes', [80, 16], { capacity: 14 })).toMatch(
      / \d\+ more process(es)? in others/,
    );
  });

  it('the layout of three maps says that it needs more room, and shows one until then', () => {
    expect(screenOf('single', [80, 16], { keys: 'V' })).toContain('more lines');
  });
});
