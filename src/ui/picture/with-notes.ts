import type { CellBlock } from '../../base/cell-block.ts';
import { drawNotes, notedColumns } from '../../raster/draw-notes.ts';
import { once } from './picture-view.ts';
import type { PictureParts, PictureView } from './picture-view.ts';

/** A picture over time with the notes that people put into it. */
export function withNotes(
  picture: PictureView,
  { monitor, view, style }: PictureParts,
): PictureView {
  const { scrolling, axisRow, timeColumns } = picture;
  if (scrolling === undefined || axisRow === undefined) return picture;
  const { notes } = monitor;
  const columns = once(() => {
    const startNs = picture.startNs();
    const shown = notes.within(startNs, startNs + timeColumns * view.intervalNs);
    return notedColumns(shown, startNs, view.intervalNs);
  });
  const { x, width } = scrolling;
  return {
    ...picture,
    stamp: () => `${picture.stamp()} ${notes.version}`,
    draw: (): CellBlock => {
      const block = picture.draw();
      const place = { x, width, timeRow: axisRow };
      drawNotes(block, place, columns(), view.cursor?.column, style);
      return block;
    },
  };
}
