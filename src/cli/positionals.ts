import type { IoheatError } from '../base/result.ts';
import { nearest } from '../filter/language/words.ts';
import { DEFAULT_PATTERN, PATTERN_NAMES } from '../trace/synthetic/patterns.ts';
import { FILE_OR_DASH, oneOf, rule } from './option-rules.ts';
import { quoted } from '../base/quote.ts';
import type { ValueRule } from './option-rules.ts';
import { MAX_NOTE_TEXT } from '../model/notes.ts';
import { COMMANDS } from '../app/options/command-names.ts';
import type { CommandName } from '../app/options/command-names.ts';
import { QUESTIONS } from './questions.ts';
import { SHELLS } from './shells.ts';
import { remedyFor } from './remedy-for.ts';
import { usageError } from '../app/options/usage-error.ts';

/** A word after the command. */
export interface Positional {
  /** The field of the options that it sets. */
  readonly field: 'file' | 'files' | 'pattern' | 'shell' | 'text';
  readonly name: string;
  readonly description: string;
  readonly rule: ValueRule;
  readonly choices?: readonly string[];
  readonly isOptional?: true;
  readonly fallback?: string;
  readonly isRepeated?: true;
}

const FILE: Positional = {
  field: 'file',
  name: 'FILE',
  description: 'the file to create, such as io.ioheat; - is standard output',
  rule: FILE_OR_DASH,
};
const FILES: Positional = {
  ...FILE,
  field: 'files',
  description: 'recordings or logs of other tools, several as one trace; - is standard input',
  isRepeated: true,
};
const PATTERN: Positional = {
  field: 'pattern',
  name: 'PATTERN',
  description: 'the pattern to show',
  rule: oneOf(PATTERN_NAMES),
  choices: PATTERN_NAMES,
  isOptional: true,
};
/** The text to paint. Its letters are checked where they are painted. */
const TEXT: Positional = {
  field: 'text',
  name: 'TEXT',
  description: 'the text to paint: letters, digits and a few signs',
  rule: rule('a text to paint', (word) => word || undefined),
};

/** The text of a note. Several words are one text, as people type it. */
const NOTE: Positional = {
  field: 'text',
  name: 'TEXT',
  description: `the note: what happens now, at most ${MAX_NOTE_TEXT} characters`,
  rule: rule('a text', (word) => word || undefined),
  isRepeated: true,
};

const SHELL: Positional = {
  field: 'shell',
  name: 'SHELL',
  description: 'the shell that reads the completions',
  rule: oneOf(SHELLS),
  choices: SHELLS,
};

export const POSITIONALS: Readonly<Record<CommandName, readonly Positional[]>> = {
  live: [],
  demo: [{ ...PATTERN, fallback: DEFAULT_PATTERN }],
  record: [FILE, { ...PATTERN, description: 'the pattern to record; requires --source demo' }],
  replay: [FILES],
  doctor: [],
  paint: [TEXT],
  export: [FILES],
  report: [FILES],
  note: [NOTE],
  completion: [SHELL],
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
  const pattern = PATTERN.rule.parse(word);
  if (pattern.ok) return `demo ${String(pattern.value)}`;
  if (word === '-') return 'replay -';
  if (/[./]/.test(word)) return 'replay FILE';
  const command = nearest(word, [...COMMANDS, 'help']);
  if (command !== undefined) return command;
  const question = nearest(
    word,
    QUESTIONS.map(({ name }) => name),
  );
  if (question !== undefined) return `--${question}`;
  const nearPattern = nearest(word, PATTERN_NAMES);
  return nearPattern && `demo ${nearPattern}`;
}

/** Checks number and form of the words after a command. */
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
    if (!parsed.ok)
      return usageError(place.name, parsed.error, remedyFor(word, place.choices, command));
  }
  return undefined;
}

function takes(command: CommandName): string {
  const names = POSITIONALS[command].map(({ name, isOptional }) =>
    isOptional ? `[${name}]` : name,
  );
  return names.length === 0 ? 'only options' : `only ${names.join(' ')}`;
}
