import type { IoheatError } from '../base/result.ts';
import { nearest } from '../filter/language/words.ts';
import { shortened } from '../base/quote.ts';
import type { CommandName } from '../app/options/command-names.ts';
import { OPTION_TABLE } from './option-table.ts';
import { usageError } from '../app/options/usage-error.ts';
import { QUESTIONS, questionAsked } from './questions.ts';
import type { OptionWord } from './read-words.ts';

/** The error for an option that a command does not have, with the likely intended one. */
export function unknownOption(
  command: CommandName,
  { text, name, joined }: OptionWord,
): IoheatError {
  const help = `see ioheat ${command} --help`;
  if (joined !== undefined && questionAsked(text) !== undefined)
    return usageError(`${text} takes no value`, undefined, `write ${text} alone`);
  const commands = OPTION_TABLE.filter((spec) => spec.name === name).flatMap((one) => one.commands);
  if (commands.length > 0)
    return usageError(
      text,
      `not an option of ioheat ${command}, only of ${commands.join(', ')}`,
      help,
    );
  const meant = meantBy(command, name.replace(/^-+/, ''));
  const remedy = meant === undefined ? help : `did you mean --${meant}?`;
  return usageError(`unknown option ${shortened(text)}`, undefined, remedy);
}

/** The option of which the word is probably an abbreviation or a typo. */
function meantBy(command: CommandName, word: string): string | undefined {
  const specs = OPTION_TABLE.filter(({ commands }) => commands.includes(command));
  const names = [...specs, ...QUESTIONS].map(({ name }) => name);
  const begun = word.length < 2 ? [] : names.filter((name) => name.startsWith(word));
  return begun.length === 1 ? begun[0] : nearest(word, names);
}
