export const COMMANDS = [
  'live',
  'demo',
  'record',
  'replay',
  'doctor',
  'paint',
  'export',
  'report',
  'completion',
] as const;
export type CommandName = (typeof COMMANDS)[number];
