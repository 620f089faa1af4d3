import type { Effect } from './action.ts';
import type { KeyBinding } from './key-table.ts';
import type { Mode } from './view-state.ts';

function effectIn(mode: Mode, key: string, description: string, effect: Effect): KeyBinding {
  const group = mode === 'main' ? 'Program' : 'Prompts';
  return { modes: [mode], group, keys: [key], description, does: { effect } };
}

/** Recording, and saving what has been. */
export const RECORD_KEYS: readonly KeyBinding[] = [
  effectIn('main', 'R', 'record to a file, or end the recording', 'toggleRecording'),
  {
    modes: ['main', 'cursor', 'detail'],
    group: 'Program',
    keys: ['D'],
    description: 'save what was: all, the frozen window, or the box',
    does: { action: { type: 'openSave' } },
  },
  effectIn('main', 'escape', 'call off the file that is being written', 'callOff'),
  effectIn('record', 'enter', 'begin the recording', 'startRecording'),
  effectIn('save', 'enter', 'save it', 'savePast'),
  {
    modes: ['record', 'save'],
    group: 'Prompts',
    keys: ['escape'],
    description: 'leave the line',
    does: { action: { type: 'close' } },
  },
];
