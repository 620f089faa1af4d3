import { renderAsync } from '@resvg/resvg-js';

/** Twice the size of the SVG: letters stay sharp in print and on dense screens. */
const ZOOM = 2;

/** The SVG as PNG, its text in the fonts of these files and no others. Drawn by another thread. */
export async function renderPng(svg: string, fontFiles: readonly string[]): Promise<Uint8Array> {
  const picture = await renderAsync(svg, {
    fitTo: { mode: 'zoom', value: ZOOM },
    font: {
      loadSystemFonts: false,
      fontFiles: [...fontFiles],
      defaultFontFamily: 'DejaVu Sans',
      sansSerifFamily: 'DejaVu Sans',
    },
  });
  return picture.asPng();
}
