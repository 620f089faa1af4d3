/**
 * Characters that may be sent to a terminal. An allow-list: a code point passes only if every terminal draws it in
 * exactly one column and it does not affect its neighbours. Everything else (C0, DEL, C1, bidi controls, combining
 * and zero-width characters, lone surrogates, private use, unassigned, wide and emoji) is replaced by `?`. Wide
 * characters too: terminals disagree about which ones are wide, so giving them two cells would break the line on
 * some of them.
 *
 * One code point in, one column out: the length of a sanitised text is its width.
 */
export const REPLACEMENT = 0x3f;

const SPACE = 0x20;

/** Inclusive pairs in ascending order; all are assigned, narrow and left-to-right. */
const SAFE_RANGES = Uint32Array.from(
  [
    [0xa1, 0xac],
    [0xae, 0x2af], // Latin, phonetic alphabet
    [0x370, 0x377], // Greek
    [0x37a, 0x37f],
    [0x384, 0x38a],
    [0x38c, 0x38c],
    [0x38e, 0x3a1],
    [0x3a3, 0x3ff],
    [0x400, 0x482], // Cyrillic
    [0x48a, 0x52f],
    [0x1e00, 0x1eff], // Latin, Vietnamese
    [0x2010, 0x2027], // Dashes, quotes, ellipsis
    [0x2030, 0x203a],
    [0x2070, 0x2071], // Superscripts and subscripts
    [0x2074, 0x208e],
    [0x2090, 0x209c],
    [0x20a0, 0x20c0], // Currencies
    [0x2100, 0x214f], // Letter-like symbols
    [0x2190, 0x22ff], // Arrows, mathematics
    [0x2500, 0x25fc], // Boxes, blocks, shapes; U+25FD and U+25FE are wide
    [0x25ff, 0x25ff],
    [0x2800, 0x28ff], // Braille
  ].flat(),
);

/** The code point to draw instead of `codePoint`, one column wide. */
export function safeGlyph(codePoint: number): number {
  if (codePoint >= SPACE && codePoint < 0x7f) return codePoint;
  // Boxes and blocks first: they are most of the picture, ten times a second.
  if (codePoint >= 0x2500 && codePoint <= 0x259f) return codePoint;
  if (codePoint === 0 || codePoint === 0x09 || codePoint === 0xa0) return SPACE;
  return isSafe(codePoint) ? codePoint : REPLACEMENT;
}

function isSafe(codePoint: number): boolean {
  let low = 0;
  let high = SAFE_RANGES.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (codePoint < SAFE_RANGES[middle * 2]!) high = middle - 1;
    else if (codePoint > SAFE_RANGES[middle * 2 + 1]!) low = middle + 1;
    else return true;
  }
  return false;
}

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * Makes text from outside (process names, device models, paths) safe to print and to lay out: its `length` is its
 * width in columns. Line breaks are replaced too, so split into lines first.
 */
export function sanitizeText(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  let safe = '';
  // Composed first, so that e followed by an accent stays one readable letter.
  for (const character of text.normalize('NFC')) {
    safe += String.fromCharCode(safeGlyph(character.codePointAt(0)!));
  }
  return safe;
}
