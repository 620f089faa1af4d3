import type { Row } from './key-table.ts';

export const WORST_ROW: Row = [
  'Time',
  ['!'],
  'to the slowest I/O of all, frozen',
  { type: 'goToWorst' },
];

/** With the cross-hair. */
export const CURSOR_KEYS: readonly Row[] = [
  ['Cursor', ['left', 'h'], 'a column back', { type: 'moveCursor', columns: -1, bins: 0 }],
  ['Cursor', ['right', 'l'], 'a column forward', { type: 'moveCursor', columns: 1, bins: 0 }],
  ['Cursor', ['up', 'k'], 'a bin up', { type: 'moveCursor', columns: 0, bins: 1 }],
  ['Cursor', ['down', 'j'], 'a bin down', { type: 'moveCursor', columns: 0, bins: -1 }],
  [
    'Cursor',
    ['H', 'shift+left'],
    'ten columns back',
    { type: 'moveCursor', columns: -10, bins: 0 },
  ],
  [
    'Cursor',
    ['L', 'shift+right'],
    'ten columns forward',
    { type: 'moveCursor', columns: 10, bins: 0 },
  ],
  [
    'Cursor',
    ['K', 'shift+up', 'pageup'],
    'ten bins up',
    { type: 'moveCursor', columns: 0, bins: 10 },
  ],
  [
    'Cursor',
    ['J', 'shift+down', 'pagedown'],
    'ten bins down',
    { type: 'moveCursor', columns: 0, bins: -10 },
  ],
  ['Cursor', ['tab'], 'to the next of the stacked maps', { type: 'nextMap', step: 1 }],
  ['Cursor', ['shift+tab'], 'to the previous one', { type: 'nextMap', step: -1 }],
  ['Cursor', ['home'], 'to the left edge', { type: 'edgeCursor', to: 'left' }],
  ['Cursor', ['end'], 'to the right edge', { type: 'edgeCursor', to: 'right' }],
  WORST_ROW,
  ['Cursor', ['v'], 'begin a box here, or drop it', { type: 'toggleAnchor' }],
  ['Cursor', ['enter'], 'what is in the box', { type: 'openDetail' }],
  ['Cursor', ['z'], 'zoom the y axis to the box', { type: 'zoomToBox' }],
  ['Cursor', ['escape', 'q'], 'drop the box, then leave the cursor', { type: 'close' }],
];
