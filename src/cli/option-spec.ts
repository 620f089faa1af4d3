import type { ValueRule } from './option-rules.ts';

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

interface AnyOption {
  readonly name: string;
  readonly commands: readonly CommandName[];
  readonly description: string;
  /** Without that option of the same command (and that value of it) this one would do nothing. */
  readonly needs?: { readonly name: string; readonly value?: string };
}

interface Flag extends AnyOption {
  readonly kind: 'flag';
  readonly fallback: false;
  readonly value?: undefined;
  readonly choices?: undefined;
}

interface Choice extends AnyOption {
  /** Of a text that is given several times the last one holds. */
  readonly kind: 'text' | 'list';
  readonly choices: readonly string[];
  readonly fallback?: string;
  readonly value?: undefined;
}

interface Valued extends AnyOption {
  readonly kind: 'text' | 'list';
  /** What stands for the value in `--help`. */
  readonly value: string;
  readonly rule: ValueRule;
  readonly fallback?: string | number;
  readonly choices?: undefined;
}

/** One command-line option; `--help`, the parser and the README's table are made from these. */
export type OptionSpec = Flag | Choice | Valued;
