import { extentOf } from '../../heatmap/cells/box-of-cells.ts';
import type { AcrossMetric } from '../../heatmap/joint/joint-counts.ts';
import type { Heatmap } from '../../heatmap/time/heatmap.ts';
import type { JointMap } from '../../heatmap/joint/joint-map.ts';
import { fullerBin, notableCell } from '../../heatmap/cells/notable-cell.ts';
import type { Box, ValuesInBox } from '../../filter/box.ts';
import { drawJoint } from '../../raster/draw-joint.ts';
import { layoutPane } from '../../raster/pane-layout.ts';
import type { MapCell, Slowest } from '../../view/state.ts';
import { drawReadout, jointReadoutLine, readoutOf } from './cursor-readout.ts';
import { drawCursor, rowOf } from './draw-cursor.ts';
import { once, paneOptions, stampOf } from './picture-view.ts';
import type { PictureParts, PictureView } from './picture-view.ts';
import { pictureOf } from './single-view.ts';

/**
 * Tolerance when comparing times of single I/Os: they are kept in 32-bit floats with 24 significant bits, and the pair
 * adds up to the total.
 */
const TIME_PRECISION = 2 ** -22;

/** Two values of each I/O in the time that a heat map of this width would show. */
export function jointView(parts: PictureParts, across: AcrossMetric): PictureView {
  const { monitor, view, endNs, width, height, style, theme } = parts;
  const layout = layoutPane(width, height, style);
  const picture = pictureOf(view, layout);
  const shown = once(() => monitor.showJoint(picture, across, endNs, parts.shouldYield));
  const { map } = layout;
  return {
    columns: map.width,
    bins: layout.bins,
    timeColumns: map.width,
    scrolling: undefined,
    stamp: () => stampOf(shown().map.version, shown()),
    startNs: () => shown().startNs,
    draw: () => {
      const block = drawJoint(shown(), layout, paneOptions(parts));
      const { cursor, anchor, layer } = view;
      if (cursor === undefined) return block;
      const box = jointBox(shown(), cursor, anchor ?? cursor);
      const readout = { ...readoutOf(shown().map, cursor, anchor), box, layer };
      drawCursor(block, layout, style, cursor, anchor);
      const ends = acrossOf(shown(), cursor, anchor ?? cursor);
      drawReadout(block, layout, jointReadoutLine(readout, ends, width), theme);
      return block;
    },
    rowOf: (bin) => rowOf(layout, bin) ?? map.y,
    axisRow: layout.timeRow,
    pointed: layout,
    fullerBin: (at) => fullerBin(shown().map, at),
    notableCell: () => notableCell(shown().map),
    cellOfSlowest: (slowest) => cellOfSlowest(shown().map, slowest),
    boxOf: (a, b) => jointBox(shown(), a, b),
  };
}

/** The slowest I/O, if it lies in the window; one without a size or a place is not drawn. */
function cellOfSlowest(map: Heatmap, { latencyNs }: Slowest): MapCell | undefined {
  const cell = notableCell(map);
  const slowest = cell && map.maxValue(cell.column);
  if (slowest === undefined) return undefined;
  return Math.abs(slowest / latencyNs - 1) <= TIME_PRECISION ? cell : undefined;
}

function acrossOf(
  { across, acrossMetric, sharedDisks }: JointMap,
  a: MapCell,
  b: MapCell,
): ValuesInBox {
  return {
    metric: acrossMetric,
    ...(sharedDisks && { disks: sharedDisks }),
    low: across.invertExtent(Math.min(a.column, b.column)).low,
    high: across.invertExtent(Math.max(a.column, b.column)).high,
  };
}

/** A box over all of the window, with ranges of two values. */
function jointBox(joint: JointMap, a: MapCell, b: MapCell): Box {
  const { map, startNs, endNs } = joint;
  return {
    metric: map.metric,
    startNs,
    endNs,
    low: extentOf(map, Math.min(a.bin, b.bin)).low,
    high: extentOf(map, Math.max(a.bin, b.bin)).high,
    across: acrossOf(joint, a, b),
  };
}
