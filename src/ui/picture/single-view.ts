import { boxOfCells } from '../../heatmap/cells/box-of-cells.ts';
import { fullerBin, notableCell, slowestCell } from '../../heatmap/cells/notable-cell.ts';
import type { Heatmap } from '../../heatmap/time/heatmap.ts';
import type { Picture } from '../../monitor/monitor.ts';
import { rowLabels } from '../../raster/axis-labels.ts';
import { drawPane } from '../../raster/draw-pane.ts';
import { layoutPane } from '../../raster/pane-layout.ts';
import type { PaneLayout } from '../../raster/pane-layout.ts';
import { rateRanges } from '../../raster/rate-ranges.ts';
import type { RateRange } from '../../raster/rate-ranges.ts';
import { effectiveScale } from '../../view/state.ts';
import type { ViewState } from '../../view/state.ts';
import { drawReadout, readoutLine, readoutOf } from './cursor-readout.ts';
import { drawCursor, rowOf } from './draw-cursor.ts';
import { binsInFlight, drawInFlight } from './draw-in-flight.ts';
import { once, paneOptions, stampOf } from './picture-view.ts';
import type { PictureParts, PictureView } from './picture-view.ts';

/** One heat map: time across, the metric upwards. */
export function singleView(parts: PictureParts): PictureView {
  const { monitor, view, endNs, width, height, style, theme } = parts;
  const layout = layoutPane(width, height, style);
  const shown = once(() => monitor.show(pictureOf(view, layout), endNs, parts.shouldYield));
  const inFlight = once(() => binsInFlight(monitor.outstanding, view, endNs, shown().map.scale));
  const { clockBase } = monitor.source.info;
  const { map, legendRow } = layout;
  return {
    columns: map.width,
    bins: layout.bins,
    timeColumns: map.width,
    scrolling: { ...map, y: 0, height: legendRow ?? height },
    stamp: () => `${stampOf(shown().map.version, shown())} ${inFlight().join()}`,
    startNs: () => shown().map.startNs,
    draw: () => {
      const block = drawPane(shown(), layout, paneOptions(parts));
      drawInFlight(block, layout, style, inFlight());
      const { cursor, anchor, layer } = view;
      if (cursor === undefined) return block;
      const readout = { ...readoutOf(shown().map, cursor, anchor), layer };
      drawCursor(block, layout, style, cursor, anchor);
      drawReadout(block, layout, readoutLine(readout, clockBase, layout.width), theme);
      return block;
    },
    rowOf: (bin) => rowOf(layout, bin) ?? map.y,
    axisRow: layout.timeRow,
    pointed: { ...layout, ranges: () => axisRanges(shown().map, layout) },
    fullerBin: (at) => fullerBin(shown().map, at),
    notableCell: () => notableCell(shown().map),
    cellOfSlowest: ({ atNs, withinNs }) => slowestCell(shown().map, atNs, withinNs),
    boxOf: (a, b) => boxOfCells(shown().map, a.column, b.column, a.bin, b.bin),
  };
}

/** The parts of the axis of which rates are shown at the left edge. */
export function axisRanges(map: Heatmap, { map: { height } }: PaneLayout): readonly RateRange[] {
  return rateRanges(rowLabels(map, height), map.bins, height);
}

/** The parameters of the picture for a pane. */
export function pictureOf(view: ViewState, layout: PaneLayout): Picture {
  return {
    metric: view.metric,
    scale: effectiveScale(view),
    outlierCut: view.outlierCut,
    valueRange: view.valueRange,
    holdsAxis: view.cursor !== undefined,
    weight: view.weight,
    columnNs: view.intervalNs,
    // A pane that is too small for a map has none.
    columns: Math.max(1, layout.map.width),
    bins: Math.max(1, layout.bins),
  };
}
