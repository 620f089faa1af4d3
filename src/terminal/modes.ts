/** Mouse events that the terminal reports: none, clicks and wheel, or also dragging. */
export type MouseMode = 'off' | 'click' | 'drag';

const RESET_STYLE = '\x1b[m';
const CANCEL = '\x18';

const ALTERNATE_SCREEN = 1049;
const CURSOR = 25;
const AUTOWRAP = 7;
const SYNCHRONIZED_OUTPUT = 2026;
/** Marks pasted text, so that it is not taken as keys. */
const BRACKETED_PASTE = 2004;

/** SGR coordinates (1006) together with a reporting mode, because legacy coordinates end at 223. */
const MOUSE: Readonly<Record<MouseMode, readonly number[]>> = {
  off: [],
  click: [1000, 1006],
  drag: [1002, 1006],
};

export function enterSequence(mouse: MouseMode): string {
  const screen = [set(ALTERNATE_SCREEN), reset(CURSOR), reset(AUTOWRAP)];
  const modes = [...screen, set(BRACKETED_PASTE), ...MOUSE[mouse].map(set)];
  return modes.join('') + RESET_STYLE;
}

/**
 * The sequence that undoes all modes. If the last frame was interrupted, the terminal may be in the middle of an escape
 * sequence, which is cancelled first. The cursor moves to the last row, for terminals without an alternate screen;
 * others restore its position.
 */
export function leaveSequence(mouse: MouseMode, rows: number, isBroken: boolean): string {
  return [
    isBroken ? CANCEL : '',
    reset(SYNCHRONIZED_OUTPUT),
    RESET_STYLE,
    ...MOUSE[mouse].map(reset),
    reset(BRACKETED_PASTE),
    set(AUTOWRAP),
    `\x1b[${rows > 0 ? rows : 1}H`,
    set(CURSOR),
    reset(ALTERNATE_SCREEN),
  ].join('');
}

function set(mode: number): string {
  return `\x1b[?${mode}h`;
}

function reset(mode: number): string {
  return `\x1b[?${mode}l`;
}
