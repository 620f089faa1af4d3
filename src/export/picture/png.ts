import { renderAsync } from '@resvg/resvg-js';

/** Twice the size of the SVG: text stays sharp in print and on high-resolution screens. */
const ZOOM = 2;

/** Renders the SVG as PNG in another thread, with text in these fonts and no others. */
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
