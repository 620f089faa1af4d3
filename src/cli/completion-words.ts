import { COMMANDS } from '../app/options/command-names.ts';
import type { CommandName } from '../app/options/command-names.ts';
import type { OptionSpec } from './option-spec.ts';
import { OPTION_TABLE } from './option-table.ts';
import { POSITIONALS } from './positionals.ts';
import { QUESTIONS } from './questions.ts';
import { letterOf } from './short-options.ts';

/** What may be typed at a place: words, files, disks of this machine, or something that a shell cannot know. */
export type Completes =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' | 'disks' | 'unknown' };

/** An option of some commands, as it is completed. */
export interface OptionWords {
  readonly commands: readonly CommandName[];
  readonly name: string;
  readonly letter: string | undefined;
  readonly description: string;
  readonly isRepeated: boolean;
  /** Its value; undefined for a flag. */
  readonly value: (Completes & { readonly title: string }) | undefined;
}

/** A word after a command, counted from 1. */
export interface PlaceWords {
  readonly command: CommandName;
  readonly place: number;
  readonly title: string;
  readonly isRepeated: boolean;
  readonly completes: Completes;
}

export const OPTION_WORDS: readonly OptionWords[] = [
  ...OPTION_TABLE.map((spec) => ({
    commands: spec.commands,
    name: spec.name,
    letter: letterOf(spec.name),
    description: spec.description,
    isRepeated: spec.kind === 'list',
    value: valueOf(spec),
  })),
  ...QUESTIONS.map((one) => ({
    ...one,
    commands: COMMANDS,
    isRepeated: false,
    value: undefined,
  })),
];

export const PLACE_WORDS: readonly PlaceWords[] = COMMANDS.flatMap((command) =>
  POSITIONALS[command].map(({ name, field, choices, isRepeated }, index) => ({
    command,
    place: index + 1,
    title: name,
    isRepeated: isRepeated === true,
    completes:
      choices === undefined
        ? { kind: field === 'text' ? ('unknown' as const) : ('files' as const) }
        : { kind: 'words' as const, words: choices },
  })),
);

/** Options that are followed by a value, with their letters. */
export const VALUED_WORDS: readonly string[] = [
  ...new Set(OPTION_WORDS.filter(({ value }) => value !== undefined).flatMap(spellings)),
];

/** `--interval` and `-n`. */
export function spellings({ name, letter }: OptionWords): readonly string[] {
  return letter === undefined ? [`--${name}`] : [`--${name}`, `-${letter}`];
}

function valueOf(spec: OptionSpec): OptionWords['value'] {
  if (spec.kind === 'flag') return undefined;
  if (spec.choices !== undefined)
    return { kind: 'words', words: spec.choices, title: spec.name.toUpperCase() };
  const kind = spec.name === 'disk' ? 'disks' : isFile(spec.value) ? 'files' : 'unknown';
  return { kind, title: spec.value };
}

function isFile(value: string): boolean {
  return value === 'FILE' || value === 'PATH';
}
