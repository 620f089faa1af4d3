import type { CommandName } from '../app/options/command-names.ts';
import type { ValueRule } from './option-rules.ts';

/** That an option is given; with `value`, that this is its value. */
export interface OptionGiven {
  readonly name: string;
  readonly value?: string;
}

interface AnyOption {
  readonly name: string;
  readonly commands: readonly CommandName[];
  readonly description: string;
  /** The option (and value) of the same command without which this one has no effect. */
  readonly needs?: OptionGiven;
  /** The option (and value) of the same command with which this one has no effect, `unless` another is given, too. */
  readonly idleWith?: OptionGiven & { readonly unless?: string };
}

interface Flag extends AnyOption {
  readonly kind: 'flag';
  readonly fallback: false;
  readonly value?: undefined;
  readonly choices?: undefined;
}

interface Choice extends AnyOption {
  /** The last value of a repeated `text` applies. */
  readonly kind: 'text' | 'list';
  readonly choices: readonly string[];
  /** Former names of choices, still accepted; absent from `--help`. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly fallback?: string;
  readonly value?: undefined;
}

interface Valued extends AnyOption {
  readonly kind: 'text' | 'list';
  /** The placeholder of the value in `--help`. */
  readonly value: string;
  readonly rule: ValueRule;
  readonly fallback?: string | number;
  readonly choices?: undefined;
}

/** One command-line option; `--help`, the parser and the README's table are made from these. */
export type OptionSpec = Flag | Choice | Valued;
