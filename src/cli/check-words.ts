import type { CommandName } from '../app/options/command-names.ts';
import { usageError } from '../app/options/usage-error.ts';
import { quoted } from '../base/quote.ts';
import type { IoheatError, Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';
import type { RawOptions } from './raw-options.ts';
import { oneOf } from './option-rules.ts';
import type { ValueRule } from './option-rules.ts';
import type { OptionGiven, OptionSpec } from './option-spec.ts';
import { OPTION_TABLE } from './option-table.ts';
import { checkPositionals, isCommand, POSITIONALS, unknownCommand } from './positionals.ts';
import { questionAsked } from './questions.ts';
import { remedyFor } from './remedy-for.ts';
import { readWords } from './read-words.ts';
import type { OptionWord, Words } from './read-words.ts';
import { unknownOption } from './unknown-option.ts';

/** A question about the program, or a command and what it was given. */
export type CheckedWords =
  | { readonly question: 'help'; readonly about: CommandName | undefined }
  | { readonly question: 'version' }
  | { readonly command: CommandName; readonly raw: RawOptions };

/** A command with the words that came with it. */
interface Typed {
  readonly command: CommandName;
  readonly words: Words;
  /** Words that are neither options nor values of options, without the command. */
  readonly others: readonly string[];
}

/** What a command line asks for, or the first error in it. */
export function checkWords(argv: readonly string[]): Result<CheckedWords> {
  const words = readWords(argv);
  const [first, ...others] = words.others;
  const question = questionOf(words);
  if (question !== undefined) return question;
  // A word after `--` is not a command.
  const named = words.hasFirst ? first : undefined;
  if (named !== undefined && !isCommand(named)) {
    // The word may be the value of a misspelt option.
    const unknown = words.options.find(({ name }) => !isKnown(name));
    return err(unknown === undefined ? unknownCommand(named) : unknownOption('live', unknown));
  }
  const typed = {
    command: named ?? 'live',
    words,
    others: named === undefined ? words.others : others,
  };
  const problem = problemOf(typed);
  return problem === undefined ? ok({ command: typed.command, raw: rawOf(typed) }) : err(problem);
}

/** Help is shown even when something else is wrong, unless it is about an unknown command. */
function questionOf({ options, others }: Words): Result<CheckedWords> | undefined {
  const asked = options.find(
    ({ text, joined }) => joined === undefined && questionAsked(text) !== undefined,
  );
  const isHelpWord = asked === undefined && others[0] === 'help';
  if (asked === undefined && !isHelpWord) return undefined;
  if (asked !== undefined && questionAsked(asked.text) === 'version')
    return ok({ question: 'version' });
  const about = others[isHelpWord ? 1 : 0];
  if (about !== undefined && isCommand(about)) return ok({ question: 'help', about });
  if (about === undefined || about === 'help') return ok({ question: 'help', about: undefined });
  return isHelpWord ? err(unknownCommand(about)) : ok({ question: 'help', about: undefined });
}

function problemOf(typed: Typed): IoheatError | undefined {
  const { command, words, others } = typed;
  const { options } = words;
  return (
    options.map((option) => checkOption(typed, option)).find(isProblem) ??
    checkPositionals(command, others) ??
    checkPattern(typed) ??
    options.map((option) => checkEffect(typed, option)).find(isProblem)
  );
}

function isProblem(one: IoheatError | undefined): one is IoheatError {
  return one !== undefined;
}

function checkOption({ command, words }: Typed, option: OptionWord): IoheatError | undefined {
  const spec = specOf(command, option.name);
  if (spec === undefined) return unknownOption(command, option);
  return spec.kind === 'flag' ? checkFlag(option) : checkValues(command, option, spec, words);
}

function checkFlag({ text, joined }: OptionWord): IoheatError | undefined {
  if (joined === undefined) return undefined;
  return usageError(`${text} takes no value`, `${quoted(joined)} was given`, `write ${text} alone`);
}

/** Checks all values of an option that was typed several times. */
function checkValues(
  command: CommandName,
  { text, name }: OptionWord,
  spec: Exclude<OptionSpec, { kind: 'flag' }>,
  { options, values }: Words,
): IoheatError | undefined {
  const { allowed, parse } = ruleOf(spec);
  const given = values.get(name) ?? [];
  if (given.length < options.filter((option) => option.name === name).length)
    return usageError(`${text} requires a value`, allowed, `write ${text}=VALUE`);
  for (const value of given) {
    const parsed = parse(value);
    if (!parsed.ok) return usageError(text, parsed.error, remedyFor(value, spec.choices, command));
  }
  return undefined;
}

/** What is allowed as the value of an option. */
export function ruleOf(spec: Exclude<OptionSpec, { kind: 'flag' }>): ValueRule {
  return spec.choices === undefined ? spec.rule : oneOf(spec.choices, spec.aliases);
}

function isKnown(name: string): boolean {
  return OPTION_TABLE.some((spec) => spec.name === name);
}

function specOf(command: CommandName, name: string): OptionSpec | undefined {
  return OPTION_TABLE.find((spec) => spec.name === name && spec.commands.includes(command));
}

/** A pattern requires `--source demo`: it cannot be recorded from the machine. */
function checkPattern({ command, words, others }: Typed): IoheatError | undefined {
  const [, pattern] = others;
  if (command !== 'record' || pattern === undefined) return undefined;
  if (words.values.get('source')?.at(-1) === 'demo') return undefined;
  const remedy = `add --source demo, or drop ${pattern} to record this machine`;
  return usageError('record', `the pattern ${pattern} requires --source demo`, remedy);
}

/** An option without effect is an error. */
function checkEffect(
  { command, words }: Typed,
  { text, name }: OptionWord,
): IoheatError | undefined {
  const { needs, idleWith } = specOf(command, name) ?? {};
  if (needs !== undefined && !isGiven(words, needs)) {
    const needed = textOf(needs);
    return usageError(text, `no effect without ${needed}`, `add ${needed}, or drop ${text}`);
  }
  if (idleWith === undefined || !isGiven(words, idleWith)) return undefined;
  const why = `no effect with ${textOf(idleWith)}`;
  const { unless } = idleWith;
  if (unless === undefined) return usageError(text, why, `drop ${text}`);
  if (isGiven(words, { name: unless })) return undefined;
  return usageError(text, `${why} alone`, `add --${unless}, or drop ${text}`);
}

function isGiven({ options, values }: Words, { name, value }: OptionGiven): boolean {
  return (
    options.some((option) => option.name === name) &&
    (value === undefined || values.get(name)?.at(-1) === value)
  );
}

function textOf({ name, value }: OptionGiven): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function rawOf({ command, words, others }: Typed): RawOptions {
  const options = words.options.map(({ name }) => {
    const spec = specOf(command, name);
    const rule = spec?.choices === undefined ? undefined : ruleOf(spec);
    const values = (words.values.get(name) ?? []).map((value) => choiceOf(rule, value) ?? value);
    const kind = spec?.kind;
    // The last value of a repeated option applies, so that an alias can be overridden.
    return [name, kind === 'flag' ? true : kind === 'list' ? values : values.at(-1)];
  });
  const positionals = POSITIONALS[command].map(({ field, rule, isRepeated, fallback }, index) => [
    field,
    isRepeated === true ? others.slice(index) : (choiceOf(rule, others[index]) ?? fallback),
  ]);
  return Object.fromEntries([...options, ...positionals]) as RawOptions;
}

/** The choice that a word means, where there are choices; other values are read later. */
function choiceOf(rule: ValueRule | undefined, word: string | undefined): string | undefined {
  if (rule === undefined || word === undefined) return word;
  const parsed = rule.parse(word);
  return parsed.ok && typeof parsed.value === 'string' ? parsed.value : word;
}
