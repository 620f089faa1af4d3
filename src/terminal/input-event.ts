import type { KnownBackground } from '../base/background.ts';

export interface Modifiers {
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/**
 * A key. `name` is the character it types (`a`, `A`, `?`, `é`), or one of `space`, `tab`, `enter`,
 * `escape`, `backspace`, `delete`, `insert`, `up`, `down`, `left`, `right`, `home`, `end`, `pageup`,
 * `pagedown`, `f1` to `f12`. A character implies its own Shift: `shift` is for named keys only.
 */
export interface KeyEvent extends Modifiers {
  readonly kind: 'key';
  readonly name: string;
}

export const MOUSE_BUTTONS = ['left', 'middle', 'right', 'none'] as const;

/** `x` and `y` count from 0. The wheel has no button. */
export interface MouseEvent extends Modifiers {
  readonly kind: 'mouse';
  readonly action: 'press' | 'release' | 'move' | 'wheelup' | 'wheeldown';
  readonly button: (typeof MOUSE_BUTTONS)[number];
  readonly x: number;
  readonly y: number;
}

/** The terminal's answer to the question for its background. */
export interface BackgroundEvent {
  readonly kind: 'background';
  readonly background: KnownBackground;
}

/** The terminal's answer to the question for its status: it has taken what was sent before. */
export interface StatusEvent {
  readonly kind: 'status';
}

/** Pasted text, as one line without control characters; undefined if it was too long to be taken. */
export interface PasteEvent {
  readonly kind: 'paste';
  readonly text: string | undefined;
}

export type InputEvent = KeyEvent | MouseEvent | PasteEvent | BackgroundEvent | StatusEvent;

const NO_MODIFIERS: Modifiers = { ctrl: false, alt: false, shift: false };

export function keyEvent(name: string, modifiers: Modifiers = NO_MODIFIERS): KeyEvent {
  const { ctrl, alt, shift } = modifiers;
  return { kind: 'key', name, ctrl, alt, shift };
}

/** The name of a key with its modifiers: `a`, `ctrl+c`, `shift+tab`, `ctrl+alt+up`. */
export function keyName({ name, ctrl, alt, shift }: KeyEvent): string {
  return `${ctrl ? 'ctrl+' : ''}${alt ? 'alt+' : ''}${shift ? 'shift+' : ''}${name}`;
}
