import { sanitizeText } from '../../base/sanitize.ts';

export const INK = '#1c1f24';
export const QUIET = '#5b626c';
export const RULE = '#c9ced6';

export interface TextStyle {
  readonly size: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly fill?: string;
  readonly bold?: boolean;
}

/** Names come from outside and may contain anything. */
export function escapeXml(text: string): string {
  return sanitizeText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A line of text whose baseline starts, is centred, or ends at (x, y). */
export function svgText(x: number, y: number, text: string, style: TextStyle): string {
  const { size, anchor = 'start', fill = INK, bold = false } = style;
  const anchored = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
  const weight = bold ? ' font-weight="bold"' : '';
  const attributes = `x="${px(x)}" y="${px(y)}" font-size="${size}" fill="${fill}"`;
  return `<text ${attributes}${anchored}${weight}>${escapeXml(text)}</text>`;
}

export function svgRect(
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  more = '',
): string {
  return `<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" fill="${fill}"${more}/>`;
}

export function svgLine(x1: number, y1: number, x2: number, y2: number, stroke: string): string {
  return `<path d="M${px(x1)} ${px(y1)}L${px(x2)} ${px(y2)}" stroke="${stroke}" fill="none"/>`;
}

/** A number of pixels, to a tenth: more digits are invisible and make files long. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
