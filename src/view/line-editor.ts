/** A line of text that is being typed, and the position of the cursor in it (code units from 0). */
export interface EditedLine {
  readonly text: string;
  readonly cursor: number;
}

export const EMPTY_LINE: EditedLine = { text: '', cursor: 0 };

export function lineOf(text: string): EditedLine {
  return { text, cursor: text.length };
}

const COMMANDS: Readonly<Record<string, (line: EditedLine) => EditedLine>> = {
  left: (line) => ({ ...line, cursor: previous(line) }),
  right: (line) => ({ ...line, cursor: following(line) }),
  home: (line) => ({ ...line, cursor: 0 }),
  'ctrl+a': (line) => ({ ...line, cursor: 0 }),
  end: (line) => lineOf(line.text),
  'ctrl+e': (line) => lineOf(line.text),
  backspace: (line) => cut(line, previous(line), line.cursor),
  'ctrl+h': (line) => cut(line, previous(line), line.cursor),
  delete: (line) => cut(line, line.cursor, following(line)),
  'ctrl+u': (line) => cut(line, 0, line.cursor),
  'ctrl+k': (line) => cut(line, line.cursor, line.text.length),
  'ctrl+w': (line) => cut(line, wordStart(line), line.cursor),
};

/** The line after a key, edited as in a shell; the same line for a key without effect. */
export function editLine(line: EditedLine, key: string): EditedLine {
  const command = COMMANDS[key];
  if (command !== undefined) return command(line);
  const typed = key === 'space' ? ' ' : key;
  return characters(typed).length === 1 ? insert(line, typed) : line;
}

/** The line after a text was pasted where the cursor stands. */
export function pasteInto(line: EditedLine, text: string): EditedLine {
  return insert(line, text);
}

/** Replaces [from, cursor) with `text`, as a completion does. */
export function replaceBefore(line: EditedLine, from: number, text: string): EditedLine {
  return insert(cut(line, from, line.cursor), text);
}

function insert({ text, cursor }: EditedLine, typed: string): EditedLine {
  return {
    text: text.slice(0, cursor) + typed + text.slice(cursor),
    cursor: cursor + typed.length,
  };
}

function cut({ text }: EditedLine, from: number, to: number): EditedLine {
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

/** Its code points: a key types one of them. */
function characters(text: string): string[] {
  return Array.from(text);
}

/** The position before the previous character, which may be a surrogate pair. */
function previous({ text, cursor }: EditedLine): number {
  const last = characters(text.slice(0, cursor)).at(-1);
  return cursor - (last?.length ?? 0);
}

function following({ text, cursor }: EditedLine): number {
  const [next] = text.slice(cursor);
  return cursor + (next?.length ?? 0);
}

/** Goes back from the cursor: a search for the last word from the start takes seconds in a long line. */
function wordStart({ text, cursor }: EditedLine): number {
  const before = text.slice(0, cursor).trimEnd();
  let start = before.length;
  while (start > 0 && !/\s/.test(before[start - 1]!)) start--;
  return start;
}
