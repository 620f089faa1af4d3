export const COMMANDS = [
  'live',
  'demo',
  'record',
  'replay',
  'doctor',
  'paint',
  'export',
  'report',
  'note',
  'completion',
] as const;
export type CommandName = (typeof COMMANDS)[number];
