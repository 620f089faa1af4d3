import type { Line, Span } from './span.ts';
import { span, truncate } from './span.ts';
import type { Role } from './theme.ts';

/** One field of a line that must fit any width. */
export interface Segment {
  /** Ever shorter forms of the same thing. A figure is complete in each form. */
  readonly forms: readonly string[];
  /** Smaller numbers are shortened or dropped later. Equal ones are dropped from the right. */
  readonly priority: number;
  /** When it is dropped, if that is later than when it is shortened. */
  readonly dropPriority?: number;
  readonly role?: Role;
  /** `right` moves this and all segments after it to the right edge. */
  readonly align?: 'left' | 'right';
  /** Cells between this segment and the one before it; default 2. */
  readonly gap?: number;
  /** Words, not figures: the shortest form may be cut down to this many cells. */
  readonly minWidth?: number;
  readonly id?: string;
  /** The `id` of another segment: this one is dropped together with it. */
  readonly needs?: string;
  /** The key that a click on it presses, as the key decoder names it. */
  readonly press?: string;
}

const DEFAULT_GAP = 2;

/** How a segment is shown: the index of its form, and the width it is cut to, if any. */
interface Choice {
  readonly segment: Segment;
  form: number;
  cutTo: number | undefined;
  dropped: boolean;
}

/** A segment as it is shown, for a caller that lays it out. */
export interface KeptSegment extends Pick<Segment, 'role' | 'align'> {
  readonly text: string;
  /** Cells between it and the one before. */
  readonly gap: number;
}

/**
 * The most important segments that fit into `width` cells. Drops the least important first, and
 * always in the same order, so a wider line never shows less than a narrower one.
 */
export function fitSegments(segments: readonly Segment[], width: number): Line {
  return assemble(fittedChoices(segments, width), width);
}

/** The same without blanks between them. */
export function keptSegments(segments: readonly Segment[], width: number): readonly KeptSegment[] {
  return fittedChoices(segments, width)
    .filter(({ dropped }) => !dropped)
    .map((choice) => ({ ...choice.segment, text: choiceText(choice), gap: gapOf(choice) }));
}

/** The segment that `fitSegments` shows at the cell `x`; undefined between segments. */
export function segmentAt(
  segments: readonly Segment[],
  width: number,
  x: number,
): Segment | undefined {
  let right = 0;
  const { placed } = place(fittedChoices(segments, width), width);
  for (const { choice, blanks } of placed) {
    const left = right + blanks;
    right = left + choiceText(choice).length;
    if (x >= left && x < right) return choice.segment;
  }
  return undefined;
}

/** The first of ever shorter forms that fits; empty if even the shortest is too long. */
export function firstThatFits(forms: readonly string[], width: number): string {
  return forms.find(({ length }) => length <= width) ?? '';
}

function fittedChoices(segments: readonly Segment[], width: number): readonly Choice[] {
  const choices = segments.map(toChoice);
  let excess = totalWidth(choices) - width;
  for (const { choice, mayDrop } of turnsOf(choices)) {
    while (excess > 0 && !choice.dropped && shrink(choice, excess, choices, mayDrop))
      excess = totalWidth(choices) - width;
  }
  regrow(choices, -excess);
  return choices;
}

/**
 * Gives room back: segments that were dropped after another one was shortened or cut may leave room for more of it.
 * The most important one gets it first.
 */
function regrow(choices: readonly Choice[], room: number): void {
  let left = room;
  for (const choice of choices.toSorted((a, b) => a.segment.priority - b.segment.priority)) {
    if (choice.cutTo === undefined && !choice.dropped) left -= lengthen(choice, left);
  }
  for (const choice of choices) {
    if (choice.cutTo === undefined || choice.dropped || left <= 0) continue;
    const { length } = choice.segment.forms[choice.form] ?? '';
    const grown = Math.min(length, choice.cutTo + left);
    left -= grown - choice.cutTo;
    choice.cutTo = grown;
  }
}

/** Shows the longest form that takes at most `room` more cells; returns how many it takes. */
function lengthen(choice: Choice, room: number): number {
  const { forms } = choice.segment;
  const { length } = choiceText(choice);
  const longer = forms.slice(0, choice.form).findIndex((form) => form.length - length <= room);
  if (longer < 0) return 0;
  choice.form = longer;
  return choiceText(choice).length - length;
}

/** When a segment may be shortened, and when also dropped. */
interface Turn {
  readonly choice: Choice;
  readonly index: number;
  readonly priority: number;
  readonly mayDrop: boolean;
}

function turnsOf(choices: readonly Choice[]): readonly Turn[] {
  const turns = choices.flatMap((choice, index): Turn[] => {
    const { priority, dropPriority = priority } = choice.segment;
    return [
      { choice, index, priority, mayDrop: false },
      { choice, index, priority: dropPriority, mayDrop: true },
    ];
  });
  return turns.sort(
    (a, b) => b.priority - a.priority || b.index - a.index || Number(a.mayDrop) - Number(b.mayDrop),
  );
}

function toChoice(segment: Segment): Choice {
  return { segment, form: 0, cutTo: undefined, dropped: segment.forms[0] === undefined };
}

/** Shortens a segment by one step; false if only dropping it is left. */
function shrink(
  choice: Choice,
  excess: number,
  choices: readonly Choice[],
  mayDrop: boolean,
): boolean {
  const { forms, minWidth } = choice.segment;
  if (choice.form + 1 < forms.length) {
    choice.form++;
    return true;
  }
  const { length } = choiceText(choice);
  const isCuttable = minWidth !== undefined && length > minWidth;
  if (isCuttable && (length - excess >= minWidth || !mayDrop)) {
    choice.cutTo = Math.max(minWidth, length - excess);
    return true;
  }
  if (mayDrop) drop(choice, choices);
  return mayDrop;
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
  const { placed, right } = place(choices, width);
  const line = placed.flatMap(({ choice, blanks }): Span[] => {
    const text = span(choiceText(choice), choice.segment.role);
    return blanks > 0 ? [span(' '.repeat(blanks)), text] : [text];
  });
  return right > 0 ? [...line, span(' '.repeat(right))] : line;
}

interface PlacedChoice {
  readonly choice: Choice;
  /** Blank cells before it. */
  readonly blanks: number;
}

/** Places what is shown; blank cells at the right may belong to a dropped right part. */
function place(
  choices: readonly Choice[],
  width: number,
): { readonly placed: readonly PlacedChoice[]; readonly right: number } {
  const placed: PlacedChoice[] = [];
  const slack = Math.max(0, width - totalWidth(choices));
  let isRight = false;
  let pending = 0;
  for (const choice of choices) {
    if (choice.segment.align === 'right' && !isRight) {
      isRight = true;
      pending = slack;
    }
    if (choice.dropped) continue;
    placed.push({ choice, blanks: pending + (placed.length === 0 ? 0 : gapOf(choice)) });
    pending = 0;
  }
  return { placed, right: pending };
}
