/** Advance widths of DejaVu Sans, in thousandths of the font size, from the space to `~`. */
const REGULAR = [
  318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636,
  636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
  575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685,
  611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579,
  278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];
/** Width of all other characters that `sanitizeText` lets through; the exact one does not matter. */
const OTHERS = 850;
/** Approximate width of bold letters relative to regular ones. */
const BOLD = 1.12;

/**
 * The width of a text in pixels. Other common sans-serif fonts are narrower, so text that fits in this one fits in
 * them.
 */
export function textWidth(text: string, size: number, isBold = false): number {
  let sum = 0;
  for (const character of text) sum += REGULAR[character.codePointAt(0)! - 0x20] ?? OTHERS;
  return (sum * size * (isBold ? BOLD : 1)) / 1000;
}

/** Lines no wider than `width`, broken at spaces if possible. */
export function wrapText(text: string, size: number, width: number, isBold = false): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((one) => pieces(one, size, width, isBold))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (textWidth(longer, size, isBold) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/** Splits a word that is wider than a line. */
function pieces(word: string, size: number, width: number, isBold: boolean): string[] {
  const parts: string[] = [];
  let part = '';
  for (const character of word) {
    if (part !== '' && textWidth(part + character, size, isBold) > width) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part];
}

/** The text, or as much of its start as fits, with an ellipsis. */
export function shorten(text: string, size: number, width: number, isBold = false): string {
  if (textWidth(text, size, isBold) <= width) return text;
  const characters = Array.from(text);
  while (characters.length > 0) {
    characters.pop();
    const shorter = `${characters.join('')}…`;
    if (textWidth(shorter, size, isBold) <= width) return shorter;
  }
  return '';
}
