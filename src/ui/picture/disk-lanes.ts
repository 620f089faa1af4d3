import { plural } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { term } from '../../filter/filter.ts';
import { deviceName } from '../../model/device.ts';
import { lanesPane, layoutLanes } from '../../raster/draw-lanes.ts';
import type { Lanes } from './lanes-view.ts';
import type { PictureParts } from './picture-view.ts';

const LEAST_NAME = 6;
const MOST_NAME = 15;

/** A lane per disk, by name. */
export function diskLanes(parts: PictureParts): Lanes {
  const { monitor, view, endNs, width, height, style, shouldYield } = parts;
  const { info } = monitor.source;
  const devs = monitor.laneDevs(view.cursor !== undefined);
  const names = devs.map((dev) => deviceName(info, dev));
  const labels = names.map(sanitizeText);
  const longest = Math.max(LEAST_NAME, ...labels.map(({ length }) => length));
  const pane = lanesPane(width, height, style, Math.min(MOST_NAME, longest));
  const layout = layoutLanes(pane, names.length);
  const lanes = Math.min(names.length, layout.bins);
  const hidden = names.length - lanes;
  return {
    layout,
    labels,
    count: (picture) =>
      monitor.showLanes(picture, 'disk', devs.slice(0, lanes), endNs, shouldYield),
    notes: () => (hidden > 0 ? [`${hidden} more ${plural(hidden, 'disk')}: pick with d`] : []),
    where: (from, to) => {
      const disks = names.slice(from, to + 1);
      return disks.length === 0 ? [] : [term('disk', '=', ...disks)];
    },
  };
}
