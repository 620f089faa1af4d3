import { fitSegments } from './fit-segments.ts';
import { exactLine, lineWidth, span } from './span.ts';
import type { Line, Span } from './span.ts';

export interface FrameContent {
  /** In the upper border, from the left and from the right. */
  readonly title: Line;
  readonly position: string;
  /** In the lower border; the same thing ever shorter. */
  readonly footer: readonly string[];
  /** Exactly as many lines as fit inside. */
  readonly body: readonly Line[];
}

/** Cells and lines that the border takes. */
export const FRAME_SIZE = 2;

/** Text within a border: exactly `width` cells in each line. */
export function frameLines({ title, position, footer, body }: FrameContent, width: number): Line[] {
  const inside = Math.max(0, width - FRAME_SIZE);
  const top = [...padded(title), ...rule(inside - lineWidth(padded(title)) - labelWidth(position))];
  const keys = fitSegments([{ forms: footer, priority: 1, role: 'dim' }], Math.max(0, inside - 2));
  return [
    border('┌', [...top, ...padded(position === '' ? [] : [span(position)])], '┐', width),
    ...body.map((line) => border('│', exactLine(line, inside), '│', width)),
    border('└', [...padded(keys), ...rule(inside - lineWidth(padded(keys)))], '┘', width),
  ];
}

function labelWidth(label: string): number {
  return label === '' ? 0 : label.length + 2;
}

/** With a blank on both sides; nothing stays nothing. */
function padded(line: Line): Span[] {
  return lineWidth(line) === 0 ? [] : [span(' '), ...line, span(' ')];
}

function rule(width: number): Line {
  return width > 0 ? [span('─'.repeat(width))] : [];
}

function border(left: string, line: Line, right: string, width: number): Line {
  if (width < FRAME_SIZE) return exactLine([span(left)], width);
  return [span(left), ...exactLine(line, width - FRAME_SIZE), span(right)];
}
