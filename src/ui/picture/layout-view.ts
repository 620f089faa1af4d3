import { plural } from '../../base/format.ts';
import { LEAST_STACK_HEIGHT } from '../../raster/draw-stack.ts';
import type { Layout } from '../../model/metric.ts';
import { diskLanes } from './disk-lanes.ts';
import { fileLanes } from './file-lanes.ts';
import { jointView } from './joint-view.ts';
import { lanesView } from './lanes-view.ts';
import { withNotes } from './with-notes.ts';
import type { PictureParts, PictureView } from './picture-view.ts';
import { singleView } from './single-view.ts';
import { stackedView } from './stacked-view.ts';

/** The picture in the layout of the view, or the nearest one that fits. */
export function layoutView(parts: PictureParts): PictureView {
  return withNotes(viewOf(parts), parts);
}

function viewOf(parts: PictureParts): PictureView {
  const { view, height } = parts;
  switch (view.layout) {
    case 'single':
      return singleView(parts);
    case 'stacked':
      return height < LEAST_STACK_HEIGHT ? singleView(parts) : stackedView(parts);
    case 'size-latency':
      return jointView(parts, 'size');
    case 'offset-latency':
      return jointView(parts, 'offset');
    case 'disks':
      return lanesView(parts, diskLanes(parts));
    case 'files':
      return lanesView(parts, fileLanes(parts));
  }
}

/** Why a layout cannot be shown in a pane of this height; undefined when it can. */
export function layoutProblem(layout: Layout, height: number): string | undefined {
  if (layout !== 'stacked' || height >= LEAST_STACK_HEIGHT) return undefined;
  const missing = LEAST_STACK_HEIGHT - height;
  return `three maps need ${missing} more ${plural(missing, 'line')}; showing one`;
}
