import type { Role } from './theme.ts';

/** A run of cells with one meaning. The text is sanitised, so its length is its width in cells. */
export interface Span {
  readonly text: string;
  readonly role: Role;
}

/** One line of the chrome, before it gets its colours. */
export type Line = readonly Span[];

export function span(text: string, role: Role = 'plain'): Span {
  return { text, role };
}

export function lineText(line: Line): string {
  return line.map(({ text }) => text).join('');
}

/** Truncates words, never figures; an ellipsis marks the cut. */
export function truncate(text: string, width: number): string {
  if (text.length <= width) return text;
  return width <= 0 ? '' : `${text.slice(0, width - 1)}…`;
}

/** Truncates at the start: for words whose end matters most, such as paths. */
export function truncateStart(text: string, width: number): string {
  if (text.length <= width) return text;
  return width <= 0 ? '' : `…${text.slice(text.length - width + 1)}`;
}

/**
 * Truncates a path at a separator, so that the last names stay whole; a last name that is too long is cut in the middle,
 * because both its ends tell it from others.
 */
export function truncatePath(text: string, width: number): string {
  if (text.length <= width) return text;
  const cut = text.indexOf('/', text.length - width + 1);
  if (cut >= 0 && cut < text.length - 1) return `…${text.slice(cut)}`;
  const name = text.slice(text.lastIndexOf('/', text.length - 2) + 1);
  if (name === text || width < 3) return truncateStart(text, width);
  const tail = Math.floor((width - 1) / 2);
  return `${name.slice(0, width - 1 - tail)}…${name.slice(name.length - tail)}`;
}

/** A line of exactly `width` cells: padded with spaces, or cut. */
export function exactLine(line: Line, width: number): Line {
  const exact: Span[] = [];
  let room = width;
  for (const { text, role } of line) {
    if (room > 0) exact.push(span(text.slice(0, room), role));
    room -= text.length;
  }
  return room > 0 ? [...exact, span(' '.repeat(room))] : exact;
}
