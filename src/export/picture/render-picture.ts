import type { PictureFormat } from '../formats.ts';
import type { Figure } from './figure.ts';
import { layoutText } from './text-picture.ts';

/** How large a picture is, by default and in which measure. */
export interface PictureSize {
  readonly columns: number;
  readonly bins: number;
  /** Whether there are just so many columns, filled or not. */
  readonly isFixed: boolean;
}

const DEFAULT_COLUMNS = 240;
const DEFAULT_BINS = 72;
const DEFAULT_TEXT_WIDTH = 100;
const DEFAULT_TEXT_ROWS = 24;

/** `columns` and `rows` as asked for: of the heat map, or of text the letters in a line and its rows. */
export function pictureSize(
  format: PictureFormat,
  columns: number | undefined,
  rows: number | undefined,
): PictureSize {
  if (format !== 'text') {
    return { columns: columns ?? DEFAULT_COLUMNS, bins: rows ?? DEFAULT_BINS, isFixed: false };
  }
  const layout = textLayout(columns, rows, true);
  return { columns: layout.map.width, bins: layout.bins, isFixed: true };
}

function textLayout(columns: number | undefined, rows: number | undefined, unicode: boolean) {
  return layoutText(columns ?? DEFAULT_TEXT_WIDTH, rows ?? DEFAULT_TEXT_ROWS, unicode);
}

export interface RenderOptions {
  /** The size that was asked for, as given to `pictureSize`. */
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  /** Whether text may use more than ASCII. */
  readonly unicode: boolean;
  readonly fontFiles: readonly string[];
}

/** The figure in its format; what draws it is loaded when it is asked for. */
export async function renderPicture(
  format: PictureFormat,
  figure: Figure,
  options: RenderOptions,
): Promise<string | Uint8Array> {
  switch (format) {
    case 'text': {
      const { drawText } = await import('./text-picture.ts');
      const { columns, rows, unicode } = options;
      return drawText(figure, textLayout(columns, rows, unicode), unicode);
    }
    case 'svg':
      return (await import('./svg.ts')).drawSvg(figure).svg;
    case 'html':
      return (await import('./html.ts')).drawHtml(figure);
    case 'png': {
      const { drawSvg } = await import('./svg.ts');
      const { renderPng } = await import('./png.ts');
      return renderPng(drawSvg(figure).svg, options.fontFiles);
    }
  }
}
