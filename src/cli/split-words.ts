import { OPTION_TABLE } from './option-table.ts';

/** An option as it was typed. */
export interface OptionWord {
  /** With its dashes: `--disk`, `-h`. */
  readonly text: string;
  readonly name: string;
  readonly value: string | undefined;
  /** Whether the value came behind an equals sign. */
  readonly isJoined: boolean;
}

export interface SplitWords {
  readonly options: readonly OptionWord[];
  /** Words that are no options and no values of options: a command, files. */
  readonly positionals: readonly string[];
  /** Whether the first of them stands before `--`. */
  readonly hasFirst: boolean;
}

const VALUED: ReadonlySet<string> = new Set(
  OPTION_TABLE.filter(({ kind }) => kind !== 'flag').map(({ name }) => name),
);

/** As the parser splits them: a value may be a negative number or `-`, and nothing else with a dash. */
export function splitWords(argv: readonly string[]): SplitWords {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const options: OptionWord[] = [];
  const positionals: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!isOption(word)) {
      positionals.push(word);
      continue;
    }
    const option = optionOf(word);
    const next = words[at + 1];
    const takesNext = !option.isJoined && VALUED.has(option.name) && next !== undefined;
    if (takesNext && !isOption(next)) at++;
    options.push(takesNext && !isOption(next) ? { ...option, value: next } : option);
  }
  const behind = end < 0 ? [] : argv.slice(end + 1);
  return { options, positionals: [...positionals, ...behind], hasFirst: positionals.length > 0 };
}

const NEGATIVE_NUMBER = /^-(\d+(\.\d+)?|\.\d+)$/;

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-' && !NEGATIVE_NUMBER.test(word);
}

function optionOf(word: string): OptionWord {
  const [, text = word, value] = /^([^=]+)=([^]*)$/.exec(word) ?? [];
  const name = /^--[^-]/.test(text) ? text.slice(2) : text;
  return { text, name, value, isJoined: value !== undefined };
}
