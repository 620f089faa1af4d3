import { stackLacks } from '../../raster/draw-stack.ts';
import { stackedMaps } from '../../view/stack.ts';
import { diskLanes } from './disk-lanes.ts';
import { jointView } from './joint-view.ts';
import { lanesView } from './lanes-view.ts';
import { withNotes } from './with-notes.ts';
import { rankedLanes } from './ranked-lanes.ts';
import type { PictureParts, PictureView } from './picture-view.ts';
import { singleView } from './single-view.ts';
import { stackedView } from './stacked-view.ts';

/** The picture in the layout of the view, or the nearest one that fits. */
export function layoutView(parts: PictureParts): PictureView {
  return withNotes(viewOf(parts), parts);
}

function viewOf(parts: PictureParts): PictureView {
  const { monitor, view, height } = parts;
  switch (view.layout) {
    case 'single':
      return singleView(parts);
    case 'stacked':
    case 'layers': {
      const layers = [...monitor.source.info.identities.layers];
      const maps = stackedMaps(view, { layers, stackLacks: (count) => stackLacks(count, height) });
      return maps === undefined ? singleView(parts) : stackedView(parts, maps);
    }
    case 'size-latency':
      return jointView(parts, 'size');
    case 'offset-latency':
      return jointView(parts, 'offset');
    case 'disks':
      return lanesView(parts, diskLanes(parts));
    case 'files':
    case 'processes':
    case 'cgroups':
      return lanesView(parts, rankedLanes(parts, view.layout));
  }
}
