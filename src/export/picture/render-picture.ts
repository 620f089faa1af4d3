import type { PictureFormat } from '../formats.ts';
import type { Figure } from './figure.ts';
import { layoutText } from './text-picture.ts';

/** The size of a picture, its default and its unit. */
export interface PictureSize {
  readonly columns: number;
  readonly bins: number;
}

const DEFAULT_COLUMNS = 240;
const DEFAULT_BINS = 72;
const DEFAULT_TEXT_WIDTH = 100;
const DEFAULT_TEXT_ROWS = 24;

/** `columns` and `rows` as requested: of the heat map; for text, characters per line and lines. */
export function pictureSize(
  format: PictureFormat,
  columns: number | undefined,
  rows: number | undefined,
): PictureSize {
  if (format !== 'text') {
    return { columns: columns ?? DEFAULT_COLUMNS, bins: rows ?? DEFAULT_BINS };
  }
  const layout = layoutText(columns ?? DEFAULT_TEXT_WIDTH, rows ?? DEFAULT_TEXT_ROWS, true);
  return { columns: Math.max(1, layout.map.width), bins: layout.bins };
}

export interface RenderOptions {
  /** Whether text may use more than ASCII. */
  readonly unicode: boolean;
  readonly fontFiles: readonly string[];
}

/** Renders the figure. Renderers are loaded when needed. */
export async function renderPicture(
  format: PictureFormat,
  figure: Figure,
  options: RenderOptions,
): Promise<string | Uint8Array> {
  switch (format) {
    case 'text': {
      const { drawText } = await import('./text-picture.ts');
      return drawText(figure, options.unicode);
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
