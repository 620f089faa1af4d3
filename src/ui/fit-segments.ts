import type { Line, Span } from './span.ts';
import { span, truncate } from './span.ts';
import type { Role } from './theme.ts';

/** One field of a line that must fit any width. */
export interface Segment {
  /** The same thing said ever shorter. A figure belongs whole into each form. */
  readonly forms: readonly string[];
  /** The smaller, the later it is shortened or dropped. Equal ones go from the right. */
  readonly priority: number;
  readonly role?: Role;
  /** `right` moves this and all segments after it to the right edge. */
  readonly align?: 'left' | 'right';
  /** Cells between this segment and the one before it; 2 unless told. */
  readonly gap?: number;
  /** Words, not figures: the shortest form may be cut down to this many cells. */
  readonly minWidth?: number;
  readonly id?: string;
  /** Is dropped together with the segment of that `id`. */
  readonly needs?: string;
}

const DEFAULT_GAP = 2;

/** What is left of a segment: the index of its form, and a width it is cut to, if any. */
interface Choice {
  readonly segment: Segment;
  form: number;
  cutTo: number | undefined;
  dropped: boolean;
}

/**
 * The most important segments that fit into `width` cells. Gives up the least important first, and
 * always in the same order, so a wider line never shows less than a narrower one.
 */
export function fitSegments(segments: readonly Segment[], width: number): Line {
  const choices = segments.map(toChoice);
  const byImportance = choices
    .map((choice, index) => ({ choice, index }))
    .sort((a, b) => b.choice.segment.priority - a.choice.segment.priority || b.index - a.index);
  let excess = totalWidth(choices) - width;
  for (const { choice } of byImportance) {
    while (excess > 0 && !choice.dropped) {
      shrink(choice, excess, choices);
      excess = totalWidth(choices) - width;
    }
  }
  return assemble(choices, width);
}

function toChoice(segment: Segment): Choice {
  return { segment, form: 0, cutTo: undefined, dropped: segment.forms[0] === undefined };
}

function shrink(choice: Choice, excess: number, choices: readonly Choice[]): void {
  const { forms, minWidth } = choice.segment;
  if (choice.form + 1 < forms.length) {
    choice.form++;
    return;
  }
  const wanted = choiceText(choice).length - excess;
  if (minWidth !== undefined && choice.cutTo === undefined && wanted >= minWidth) {
    choice.cutTo = wanted;
    return;
  }
  drop(choice, choices);
}

function drop(choice: Choice, choices: readonly Choice[]): void {
  choice.dropped = true;
  const { id } = choice.segment;
  if (id === undefined) return;
  for (const other of choices) if (other.segment.needs === id) other.dropped = true;
}

function choiceText(choice: Choice): string {
  const text = choice.segment.forms[choice.form] ?? '';
  return choice.cutTo === undefined ? text : truncate(text, choice.cutTo);
}

function totalWidth(choices: readonly Choice[]): number {
  let width = 0;
  let isFirst = true;
  for (const choice of choices) {
    if (choice.dropped) continue;
    width += choiceText(choice).length + (isFirst ? 0 : gapOf(choice));
    isFirst = false;
  }
  return width;
}

function gapOf(choice: Choice): number {
  return choice.segment.gap ?? DEFAULT_GAP;
}

function assemble(choices: readonly Choice[], width: number): Line {
  const line: Span[] = [];
  const slack = Math.max(0, width - totalWidth(choices));
  let isRight = false;
  let isFirst = true;
  for (const choice of choices) {
    if (choice.segment.align === 'right' && !isRight) {
      isRight = true;
      line.push(span(' '.repeat(slack)));
    }
    if (choice.dropped) continue;
    if (!isFirst) line.push(span(' '.repeat(gapOf(choice))));
    line.push(span(choiceText(choice), choice.segment.role));
    isFirst = false;
  }
  return line;
}
