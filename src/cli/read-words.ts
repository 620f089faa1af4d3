import parse from 'yargs-parser';
import { OPTION_TABLE } from './option-table.ts';
import { QUESTIONS } from './questions.ts';
import { inFull } from './short-options.ts';

/** An option as it was typed. */
export interface OptionWord {
  /** With its dashes: `--disk`, `-d`, `-h`. */
  readonly text: string;
  readonly name: string;
  /** The text after an equals sign in the same word. */
  readonly joined: string | undefined;
}

export interface Words {
  /** In the order typed. */
  readonly options: readonly OptionWord[];
  /** Values of each option, in the order typed; fewer than the option was typed where one is missing. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Words that are neither options nor values of options: a command, files. */
  readonly others: readonly string[];
  /** Whether the first of them is before `--`. */
  readonly hasFirst: boolean;
}

/** How many values an option takes, for the parser. */
const VALUES_TAKEN: Readonly<Record<string, 0 | 1>> = Object.fromEntries([
  ...QUESTIONS.flatMap(({ name, letter }) => [name, letter]).map((name) => [name, 0]),
  ...OPTION_TABLE.map(({ name, kind }) => [name, kind === 'flag' ? 0 : 1]),
]) as Record<string, 0 | 1>;

/**
 * Splits a command line as yargs does. Options are also read as they were typed: the parser takes
 * `-disk` for four options and `--once=no` for `--once`, and does not report which value is missing.
 */
export function readWords(argv: readonly string[]): Words {
  const end = argv.indexOf('--');
  const full = argv.map((word, at) => (end >= 0 && at > end ? word : inFull(word)));
  const parsed = parse(full, {
    narg: VALUES_TAKEN,
    configuration: {
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'populate--': true,
    },
  });
  const first = parsed._.map(String);
  const { '--': rest = [], ...named } = parsed as Readonly<Record<string, unknown>>;
  return {
    options: typedOptions(argv),
    values: new Map(Object.entries(named).map(([name, given]) => [name, textsOf(given)])),
    others: [...first, ...textsOf(rest)],
    hasFirst: first.length > 0,
  };
}

/** The values of an option: one, or several if it was typed several times. */
function textsOf(given: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(given) ? given : [given];
  return all.filter((one) => typeof one === 'string');
}

const NEGATIVE_NUMBER = /^-(\d+(\.\d+)?|\.\d+)$/;

/**
 * The options as they were typed: every word before `--` that starts with a dash, except for negative numbers and `-`,
 * which are values.
 */
function typedOptions(argv: readonly string[]): readonly OptionWord[] {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end))
    .filter((word) => word.startsWith('-') && word !== '-' && !NEGATIVE_NUMBER.test(word))
    .map(optionWord);
}

function optionWord(word: string): OptionWord {
  const [, text = word, joined] = /^([^=]+)=([^]*)$/.exec(word) ?? [];
  const full = inFull(text);
  return { text, name: /^--[^-]/.test(full) ? full.slice(2) : full, joined };
}
