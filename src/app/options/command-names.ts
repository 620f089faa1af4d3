export const COMMANDS = [
  'live',
  'demo',
  'record',
  'replay',
  'doctor',
  'paint',
  'export',
  'report',
] as const;
export type CommandName = (typeof COMMANDS)[number];
