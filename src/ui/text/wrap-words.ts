/** Breaks a text between words into lines of at most `width`; a longer word is broken too. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((long) => chop(long, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= width) {
      line = longer;
    } else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function chop(word: string, width: number): string[] {
  const parts = Math.max(1, Math.ceil(word.length / width));
  return Array.from({ length: parts }, (_, i) => word.slice(i * width, (i + 1) * width));
}
