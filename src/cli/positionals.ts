import type { IoheatError } from '../base/result.ts';
import { nearest } from '../filter/language/words.ts';
import { PATTERNS } from '../source/patterns.ts';
import { FILE_OR_DASH, oneOf, quoted, rule } from './option-rules.ts';
import type { ValueRule } from './option-rules.ts';
import { COMMANDS } from './option-spec.ts';
import type { CommandName } from './option-spec.ts';
import { usageError } from './options.ts';

/** A word behind the command. */
interface Positional {
  readonly name: string;
  readonly rule: ValueRule;
  readonly isOptional?: true;
  readonly isRepeated?: true;
}

const FILE: Positional = { name: 'FILE', rule: FILE_OR_DASH };
const PATTERN: Positional = {
  name: 'PATTERN',
  rule: oneOf(PATTERNS.map(({ name }) => name)),
  isOptional: true,
};
/** Its letters are checked where they are drawn. */
const TEXT: Positional = {
  name: 'TEXT',
  rule: rule('a text to paint', (word) => word || undefined),
};

export const POSITIONALS: Readonly<Record<CommandName, readonly Positional[]>> = {
  live: [],
  demo: [PATTERN],
  record: [FILE, PATTERN],
  replay: [{ ...FILE, isRepeated: true }],
  doctor: [],
  paint: [TEXT],
  export: [FILE],
  report: [FILE],
};

export function isCommand(word: string): word is CommandName {
  return COMMANDS.some((name) => name === word);
}

export function unknownCommand(word: string): IoheatError {
  const meant = meantBy(word);
  const remedy = meant === undefined ? 'see ioheat --help' : `did you mean ioheat ${meant}?`;
  return usageError(
    `unknown command ${quoted(word)}`,
    `it is not one of ${COMMANDS.join(', ')}`,
    remedy,
  );
}

function meantBy(word: string): string | undefined {
  if (PATTERN.rule.parse(word).ok) return `demo ${word}`;
  if (word === '-') return 'replay -';
  return /[./]/.test(word) ? 'replay FILE' : nearest(word, COMMANDS);
}

/** Whether the words behind a command are as many, and such, as it takes. */
export function checkPositionals(
  command: CommandName,
  words: readonly string[],
): IoheatError | undefined {
  const places = POSITIONALS[command];
  const help = `see ioheat ${command} --help`;
  const missing = places[words.length];
  if (missing !== undefined && missing.isOptional !== true)
    return usageError(`${command} requires ${missing.name}`, missing.rule.allowed, help);
  for (const [index, word] of words.entries()) {
    const place = places[index] ?? places.find(({ isRepeated }) => isRepeated);
    if (place === undefined)
      return usageError(
        `unexpected ${quoted(word)}`,
        `ioheat ${command} takes ${takes(command)}`,
        help,
      );
    const parsed = place.rule.parse(word);
    if (!parsed.ok) return usageError(place.name, parsed.error, help);
  }
  return undefined;
}

function takes(command: CommandName): string {
  const names = POSITIONALS[command].map(({ name, isOptional }) =>
    isOptional ? `[${name}]` : name,
  );
  return names.length === 0 ? 'nothing but options' : `only ${names.join(' ')}`;
}
