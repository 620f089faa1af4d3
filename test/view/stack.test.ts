import { describe, expect, it } from 'vitest';
import type { Layer } from '../../src/model/layer.ts';
import { DEFAULT_VIEW } from '../../src/view/state.ts';
import type { ViewState } from '../../src/view/state.ts';
import { activeMap, stackedMaps, stackProblem } from '../../src/view/stack.ts';
import { reduce } from '../../src/view/reduce/reduce.ts';
import { ViewOf, WORLD } from './fixtures.ts';

const LAYERS: ViewState = { ...DEFAULT_VIEW, layout: 'layers' };
const ALL: readonly Layer[] = ['disks', 'volumes', 'waits'];

/** A picture with room for so many maps. */
function roomFor(most: number, layers: readonly Layer[] = ALL) {
  return { layers, stackLacks: (maps: number) => Math.max(0, maps - most) * 4 };
}

function names(view: ViewState, most: number, layers = ALL): string[] | undefined {
  const maps = stackedMaps(view, roomFor(most, layers));
  return maps?.map(({ layer, metric }) => (metric === 'total' ? layer : metric));
}

describe('the layout of layers', () => {
  it('the layout of layers has what programs waited for above volumes, above the queue and the device of disks', () => {
    expect(names(LAYERS, 4)).toEqual(['waits', 'volumes', 'queue', 'device']);
    expect(names(LAYERS, 4, ['waits', 'disks'])).toEqual(['waits', 'queue', 'device']);
    expect(names(LAYERS, 4, ['disks'])).toEqual(['queue', 'device']);
    expect(names({ ...LAYERS, traceLatency: 'total' }, 4, ['disks'])).toEqual(['disks']);
  });

  it('the layout of layers has one map of disks where there is no room for two', () => {
    expect(names(LAYERS, 3)).toEqual(['waits', 'volumes', 'disks']);
    expect(stackProblem(LAYERS, roomFor(3))).toBeUndefined();
  });

  it('the layout of layers leaves out layers in the middle where all do not fit, never that of the figures, and says so', () => {
    expect(names(LAYERS, 2)).toEqual(['waits', 'disks']);
    expect(stackProblem(LAYERS, roomFor(2))).toBe('2 of 3 layers fit; a taller terminal shows all');
    expect(names({ ...LAYERS, layer: 'volumes' }, 2)).toContain('volumes');
  });

  it('the layout of layers says what it lacks where it has no room at all, or no layer to compare with', () => {
    expect(names(LAYERS, 1, ['disks', 'waits'])).toBeUndefined();
    expect(stackProblem(LAYERS, roomFor(1, ['disks', 'waits']))).toBe(
      '2 maps need 4 more lines; showing one',
    );
    expect(stackProblem(LAYERS, roomFor(4, ['disks']))).toContain('no other layer');
  });

  it('the layout of layers has the layer of the figures also before that has had I/O', () => {
    expect(names({ ...LAYERS, layer: 'waits' }, 4, ['disks'])).toEqual([
      ...['waits', 'queue', 'device'],
    ]);
  });
});

describe('the active one of stacked maps', () => {
  const maps = stackedMaps(LAYERS, roomFor(4))!;

  it('the active one of stacked maps is that of the layer and metric of the figures', () => {
    expect(activeMap(maps, { ...LAYERS, layer: 'waits' })).toBe(0);
    expect(activeMap(maps, { ...LAYERS, metric: 'queue' })).toBe(2);
  });

  it('the active one of stacked maps is that of the device where the figures are of queue and device together', () => {
    expect(activeMap(maps, LAYERS)).toBe(3);
  });

  it('the active one of stacked maps moves with L, and with Tab while the cursor is on; the figures follow', () => {
    const world = { ...WORLD, ...roomFor(4) };
    const above = reduce(LAYERS, { type: 'cycleLayer' }, world).state;
    expect([above.layer, above.layout]).toEqual(['volumes', 'layers']);
    const at = {
      ...LAYERS,
      mode: 'cursor',
      cursor: { column: 5, bin: 2 },
      diskRow: { id: 'sda', place: 3 },
    } as const;
    const next = new ViewOf(at, world).do({ type: 'nextMap', step: 1 }).state;
    expect(next).toMatchObject({ layer: 'waits', metric: 'total', cursor: { column: 5 } });
    expect([next.diskRow, next.notice]).toEqual([undefined, expect.stringMatching(/^waits: /)]);
  });

  it('the active one of stacked maps is chosen by a click in another map', () => {
    const map = { layer: 'waits', metric: 'total' } as const;
    const { state } = reduce(
      { ...LAYERS, valueRange: { low: 1, high: 2 } },
      { type: 'chooseMap', map, keepsColumn: false },
      WORLD,
    );
    expect(state).toMatchObject({ layer: 'waits', valueRange: undefined, cursor: undefined });
  });

  it('the active one of stacked maps is that of the values which are highlighted, in the column of the cross-hair', () => {
    const from: ViewState = {
      ...LAYERS,
      mode: 'cursor',
      cursor: { column: 5, bin: 2 },
      anchor: { column: 3, bin: 2 },
    };
    const map = { layer: 'waits', metric: 'total' } as const;
    const { state } = new ViewOf(from).do(
      { type: 'chooseMap', map, keepsColumn: true },
      { type: 'highlightBins', lowBin: 3, highBin: 4 },
    );
    const cursor = { column: 5, bin: WORLD.fullestBin(5) };
    expect(state).toMatchObject({ mode: 'cursor', layer: 'waits', cursor, anchor: undefined });
    expect(state.highlight.kind).not.toBe('everything');
  });
});
