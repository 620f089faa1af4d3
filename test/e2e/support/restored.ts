import { expect } from 'vitest';
import { PrivateMode } from '../../terminal/emulator.ts';
import type { PtySession } from '../pty.ts';

/** As a shell expects a terminal, on both sides: the emulator's and the kernel's. */
export function expectRestored(session: PtySession): void {
  const { alternateScreen, cursorVisible, autowrap } = PrivateMode;
  const { mouseButtons, mouseMotion, mouseSgr, bracketedPaste, synchronizedOutput } = PrivateMode;
  const isSet = (mode: number): boolean => session.emulator.isModeSet(mode);
  expect([cursorVisible, autowrap].map(isSet)).toEqual([true, true]);
  const off = [
    alternateScreen,
    mouseButtons,
    mouseMotion,
    mouseSgr,
    bracketedPaste,
    synchronizedOutput,
  ];
  expect(off.filter(isSet)).toEqual([]);
  const settings = session.screen().join(' ');
  for (const flag of ['icanon', 'echo', 'isig', 'icrnl', 'opost'])
    expect(settings).toMatch(new RegExp(`(^|\\s)${flag}(;|\\s|$)`));
}
