import type { CommandName } from '../app/options/command-names.ts';
import { nearest } from '../filter/language/words.ts';

/** What to do about a wrong word: type the choice that it resembles, or read the help. */
export function remedyFor(
  word: string,
  choices: readonly string[] | undefined,
  command: CommandName,
): string {
  const meant = choices === undefined ? undefined : nearest(word, choices);
  return meant === undefined ? `see ioheat ${command} --help` : `did you mean ${meant}?`;
}
