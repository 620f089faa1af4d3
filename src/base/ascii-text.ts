const ASCII_FOR: Readonly<Record<string, string>> = {
  µ: 'u',
  '…': '...',
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '×': 'x',
  '→': '->',
  '≤': '<=',
  '≥': '>=',
  '·': '-',
};

/** A line for an output that is not in UTF-8; where cells must not shift, see `raster/put-text.ts`. */
export function asciiText(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/gu, (character) => ASCII_FOR[character] ?? '?');
}
