import type { IoheatError } from '../base/result.ts';
import { nearest } from '../filter/language/words.ts';
import { shortened } from './option-rules.ts';
import type { CommandName } from './option-spec.ts';
import { OPTION_TABLE } from './option-table.ts';
import { usageError } from './options.ts';
import type { OptionWord } from './split-words.ts';

/** Of every command, and read by the parser itself. */
const QUESTIONS = ['help', 'version'];

/** An option that a command does not have, and what may have been meant. */
export function unknownOption(
  command: CommandName,
  { text, name, value }: OptionWord,
): IoheatError {
  const help = `see ioheat ${command} --help`;
  if (value !== undefined && (QUESTIONS.includes(name) || ['-h', '-V'].includes(name)))
    return usageError(`${text} takes no value`, undefined, `write ${text} alone`);
  const commands = OPTION_TABLE.filter((spec) => spec.name === name).flatMap((one) => one.commands);
  if (commands.length > 0)
    return usageError(
      text,
      `ioheat ${command} has no such option, only ${commands.join(', ')}`,
      help,
    );
  const meant = meantBy(command, name.replace(/^-+/, ''));
  const remedy = meant === undefined ? help : `did you mean --${meant}?`;
  return usageError(`unknown option ${shortened(text)}`, undefined, remedy);
}

/** By its beginning alone, or by a slip. */
function meantBy(command: CommandName, word: string): string | undefined {
  const specs = OPTION_TABLE.filter(({ commands }) => commands.includes(command));
  const names = [...specs.map(({ name }) => name), ...QUESTIONS];
  const begun = word.length < 2 ? [] : names.filter((name) => name.startsWith(word));
  return begun.length === 1 ? begun[0] : nearest(word, names);
}
