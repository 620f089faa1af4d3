import {
  type InputEvent,
  keyEvent,
  type Modifiers,
  MOUSE_BUTTONS,
  type MouseEvent,
} from './input-event.ts';
import { KEY_OF_FINAL, KEY_OF_NUMBER, KEYPAD } from './key-names.ts';

/** DSR: ready, or a malfunction, which changes nothing here. */
const STATUS_ANSWER = /^[03]$/;

/** The key, mouse event or answer of `CSI parameters final`; undefined if it is ignored. */
export function controlEvent(params: string, final: string): InputEvent | undefined {
  if (params.startsWith('<')) return mouseEvent(params.slice(1), final);
  if (!/^[\d;]*$/.test(params)) return undefined;
  const [number = 0, code = 0] = params.split(';').map(Number);
  const modifiers = modifiersOf(code);
  if (final === 'n') return STATUS_ANSWER.test(params) ? { kind: 'status' } : undefined;
  if (final === 'Z') return keyEvent('tab', { ...modifiers, shift: true });
  const name = final === '~' ? KEY_OF_NUMBER[number] : KEY_OF_FINAL[final];
  return name === undefined ? undefined : keyEvent(name, modifiers);
}

/** The key of `SS3 final`: cursor keys in application mode, F1 to F4, the keypad. */
export function applicationKey(final: string): InputEvent | undefined {
  const name = KEY_OF_FINAL[final] ?? KEYPAD[final];
  return name === undefined ? undefined : keyEvent(name);
}

/** xterm's modifier parameter: 1 + (1 for Shift, 2 for Alt, 4 for Ctrl); 0 if there is none. */
function modifiersOf(code: number): Modifiers {
  const bits = Math.max(0, code - 1);
  return { shift: (bits & 1) !== 0, alt: (bits & 2) !== 0, ctrl: (bits & 4) !== 0 };
}

const MOUSE = /^(\d{1,5});(\d{1,5});(\d{1,5})$/;

/** Bits of the first parameter of an SGR mouse report. */
const SHIFT = 4;
const ALT = 8;
const CTRL = 16;
const MOTION = 32;
const WHEEL = 64;
const EXTRA_BUTTONS = 128;

function mouseEvent(params: string, final: string): MouseEvent | undefined {
  const match = MOUSE.exec(params);
  if (match === null || (final !== 'M' && final !== 'm')) return undefined;
  const [code, column, row] = match.slice(1).map(Number) as [number, number, number];
  const action = mouseAction(code, final === 'm');
  if (action === undefined || column < 1 || row < 1) return undefined;
  return {
    kind: 'mouse',
    action,
    button: (code & WHEEL) === 0 ? MOUSE_BUTTONS[code & 3]! : 'none',
    x: column - 1,
    y: row - 1,
    ctrl: (code & CTRL) !== 0,
    alt: (code & ALT) !== 0,
    shift: (code & SHIFT) !== 0,
  };
}

/** Undefined for rare buttons: the horizontal wheel, and the eighth and up. */
function mouseAction(code: number, isRelease: boolean): MouseEvent['action'] | undefined {
  if (code >= EXTRA_BUTTONS) return undefined;
  if ((code & WHEEL) !== 0) return (['wheelup', 'wheeldown'] as const)[code & 3];
  if (isRelease) return 'release';
  return (code & MOTION) !== 0 ? 'move' : 'press';
}
