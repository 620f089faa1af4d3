import type { CellBlock } from '../../base/cell-block.ts';
import type { Scale } from '../../heatmap/axis/scale.ts';
import { OLD_IN_FLIGHT_NS } from '../../model/in-flight.ts';
import type { Outstanding } from '../../monitor/outstanding.ts';
import type { PaneLayout } from '../../raster/pane-layout.ts';
import type { PaneStyle } from '../../raster/pane-style.ts';
import type { ViewState } from '../../view/state.ts';
import { createMarker } from './mark-pixels.ts';

/**
 * The bins of the ages of old I/O in flight at the right edge of the picture, `endNs`, each once; ages above the axis
 * are in the outlier row. Only I/O of the picture's layer; none if the axis does not show total latency.
 */
export function binsInFlight(
  outstanding: Pick<Outstanding, 'inFlight' | 'inFlightAt'>,
  { layer, metric, frozenAtNs }: Pick<ViewState, 'layer' | 'metric' | 'frozenAtNs'>,
  endNs: number,
  scale: Scale,
): readonly number[] {
  if (metric !== 'total') return [];
  const now = frozenAtNs === undefined ? outstanding.inFlight(OLD_IN_FLIGHT_NS) : undefined;
  const old = now ?? outstanding.inFlightAt(endNs) ?? [];
  const shown = old.filter((io) => io.layer === layer);
  return [...new Set(shown.map(({ ageNs }) => Math.max(0, scale.binOf(ageNs))))];
}

/** A pixel at the right edge for each bin: they climb until the I/O completes. */
export function drawInFlight(
  block: CellBlock,
  layout: PaneLayout,
  style: Pick<PaneStyle, 'unicode' | 'color'>,
  bins: readonly number[],
): void {
  if (bins.length === 0 || layout.map.width === 0) return;
  const marker = createMarker(block, layout, style);
  for (const bin of bins) marker.inFlight(layout.map.width - 1, bin);
}
