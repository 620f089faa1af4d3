/** Keys sent as `CSI … final` or `SS3 final`. */
export const KEY_OF_FINAL: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

/** Keys sent as `CSI number ~`. */
export const KEY_OF_NUMBER: Readonly<Record<number, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
};

/** Function keys of the Linux console: `CSI [ final`. */
export const KEY_OF_LINUX_FINAL: Readonly<Record<string, string>> = {
  A: 'f1',
  B: 'f2',
  C: 'f3',
  D: 'f4',
  E: 'f5',
};

/** The keypad in application mode: `SS3 final`. */
export const KEYPAD: Readonly<Record<string, string>> = {
  M: 'enter',
  X: '=',
  j: '*',
  k: '+',
  l: ',',
  m: '-',
  n: '.',
  o: '/',
  p: '0',
  q: '1',
  r: '2',
  s: '3',
  t: '4',
  u: '5',
  v: '6',
  w: '7',
  x: '8',
  y: '9',
};

export const KEY_OF_CONTROL: Readonly<Record<number, string>> = {
  0x08: 'backspace',
  0x09: 'tab',
  0x0a: 'enter',
  0x0d: 'enter',
  0x1b: 'escape',
  0x20: 'space',
  0x7f: 'backspace',
};
