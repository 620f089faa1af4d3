import { type KeyEvent, keyEvent } from './input-event.ts';
import { KEY_OF_CONTROL } from './key-names.ts';

const CTRL = { ctrl: true, alt: false, shift: false };

/** The key that sends a byte below 0x80. */
export function asciiKey(byte: number): KeyEvent {
  const named = KEY_OF_CONTROL[byte];
  if (named !== undefined) return keyEvent(named);
  if (byte >= 0x20) return keyEvent(String.fromCharCode(byte));
  if (byte === 0) return keyEvent('space', CTRL);
  // Ctrl clears the upper bits: Ctrl+A is 1, Ctrl+\ is 0x1c.
  const letter = String.fromCharCode(byte + 0x40).toLowerCase();
  return keyEvent(letter, CTRL);
}
