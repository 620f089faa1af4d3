import type { IoheatError, Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';
import { checkPositionals, isCommand, unknownCommand } from './positionals.ts';
import { oneOf, quoted } from './option-rules.ts';
import type { ValueRule } from './option-rules.ts';
import type { CommandName, OptionSpec } from './option-spec.ts';
import { OPTION_TABLE } from './option-table.ts';
import { usageError } from './options.ts';
import { splitWords } from './split-words.ts';
import type { OptionWord } from './split-words.ts';
import { unknownOption } from './unknown-option.ts';

/** The words of a command line in the only order that the parser makes no difference in. */
export interface CheckedWords {
  /** The command and what it is about, which may begin with a dash. */
  readonly positionals: readonly string[];
  /** Each with its value in the same word. */
  readonly options: readonly string[];
}

/**
 * The words of a command line, or the first thing that is wrong with them. The parser's own complaints
 * do not say what to type instead, and it overlooks an optional word behind `--`.
 */
export function checkWords(argv: readonly string[]): Result<CheckedWords> {
  const { options, positionals, hasFirst } = splitWords(argv);
  const [first, ...others] = positionals;
  const asked = options.find(isQuestion);
  if (asked !== undefined) return ok(question(asked.text, first));
  if (first === 'help') return ok(question('--help', others[0]));
  // What stands behind `--` is no command.
  const named = hasFirst ? first : undefined;
  if (named !== undefined && !isCommand(named)) {
    // It may be the value of an option that is spelt wrong.
    const unknown = options.find(({ name }) => !isKnown(name));
    return err(unknown === undefined ? unknownCommand(named) : unknownOption('live', unknown));
  }
  const command = named ?? 'live';
  const words = named === undefined ? positionals : others;
  const problem =
    options.map((option) => checkOption(command, option)).find(isProblem) ??
    checkPositionals(command, words) ??
    checkPattern(command, others, options) ??
    options.map((option) => checkNeed(command, option, options)).find(isProblem);
  if (problem !== undefined) return err(problem);
  return ok({ positionals: [command, ...words], options: options.map(asOneWord) });
}

function question(asked: string, about: string | undefined): CheckedWords {
  return { positionals: [about ?? ''].filter(isCommand), options: [asked] };
}

function asOneWord({ text, value }: OptionWord): string {
  return value === undefined ? text : `${text}=${value}`;
}

function isProblem(one: IoheatError | undefined): one is IoheatError {
  return one !== undefined;
}

/** Whatever else is wrong: who asks for help has seen that. */
function isQuestion({ text, isJoined }: OptionWord): boolean {
  return !isJoined && ['--help', '-h', '--version', '-V'].includes(text);
}

function checkOption(command: CommandName, option: OptionWord): IoheatError | undefined {
  const spec = specOf(command, option.name);
  if (spec === undefined) return unknownOption(command, option);
  return spec.kind === 'flag' ? checkFlag(option) : checkValue(command, option, ruleOf(spec));
}

function checkFlag({ text, value }: OptionWord): IoheatError | undefined {
  if (value === undefined) return undefined;
  return usageError(`${text} takes no value`, `${quoted(value)} was given`, `write ${text} alone`);
}

function checkValue(
  command: CommandName,
  { text, value }: OptionWord,
  { allowed, parse }: ValueRule,
): IoheatError | undefined {
  // A word with a dash has not been taken for one.
  if (value === undefined)
    return usageError(`${text} requires a value`, allowed, `write ${text}=VALUE`);
  const parsed = parse(value);
  return parsed.ok ? undefined : usageError(text, parsed.error, `see ioheat ${command} --help`);
}

/** What may stand as the value of an option that has one. */
export function ruleOf(spec: Exclude<OptionSpec, { kind: 'flag' }>): ValueRule {
  return spec.choices === undefined ? spec.rule : oneOf(spec.choices);
}

function isKnown(name: string): boolean {
  return OPTION_TABLE.some((spec) => spec.name === name);
}

function specOf(command: CommandName, name: string): OptionSpec | undefined {
  return OPTION_TABLE.find((spec) => spec.name === name && spec.commands.includes(command));
}

/** Who names a pattern does not mean to record the machine. */
function checkPattern(
  command: CommandName,
  [, pattern]: readonly string[],
  options: readonly OptionWord[],
): IoheatError | undefined {
  if (command !== 'record' || pattern === undefined) return undefined;
  if (options.findLast(({ name }) => name === 'source')?.value === 'demo') return undefined;
  const remedy = `add --source demo, or drop ${pattern} to record this machine`;
  return usageError('record', `the pattern ${pattern} requires --source demo`, remedy);
}

/** An option that would do nothing is a misunderstanding. */
function checkNeed(
  command: CommandName,
  { text, name }: OptionWord,
  options: readonly OptionWord[],
): IoheatError | undefined {
  const needs = specOf(command, name)?.needs;
  if (needs === undefined) return undefined;
  const given = options.findLast((option) => option.name === needs.name);
  if (given !== undefined && (needs.value === undefined || given.value === needs.value))
    return undefined;
  const needed = needs.value === undefined ? `--${needs.name}` : `--${needs.name} ${needs.value}`;
  return usageError(text, `no effect without ${needed}`, `add ${needed}, or drop ${text}`);
}
