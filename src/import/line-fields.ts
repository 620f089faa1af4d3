/** What stands between spaces, with its place in the line. */
export interface LineField {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/**
 * In time that grows with the line alone: names may hold spaces, and an expression that searches for
 * where one ends can be made to search for hours.
 */
export function splitFields(line: string, start: number): LineField[] {
  const fields: LineField[] = [];
  let from = start;
  while (from < line.length) {
    const space = line.indexOf(' ', from);
    const to = space < 0 ? line.length : space;
    if (to > from) fields.push({ text: line.slice(from, to), from, to });
    from = to + 1;
  }
  return fields;
}
