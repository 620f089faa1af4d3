import type { CommandName } from '../app/options/command-names.ts';
import { POSITIONALS } from './positionals.ts';
import type { Positional } from './positionals.ts';

/** One line about each command; `--help`, the man page and completions are made from these. */
export const COMMAND_TABLE: Readonly<Record<CommandName, string>> = {
  live: 'trace this machine (needs root; the default)',
  demo: 'show a synthetic pattern, without root',
  record: 'record without a screen, to a file or a pipe (-)',
  replay: 'show recordings and logs of other tools, without root; - reads standard input',
  doctor: 'check whether this machine can be traced, and what is missing',
  paint: 'write text into the heat map of a disk with real I/O',
  export: 'convert recordings or logs of other tools to a table or a picture',
  report: 'summarize recordings or logs of other tools on one page',
  note: 'add a note to all your running recordings and live screens',
  completion: 'print completions for a shell: bash, zsh or fish',
};

/** A command with its words, as yargs reads them: `record <file> [pattern]`. */
export function commandWords(command: CommandName): string {
  return [command, ...POSITIONALS[command].map(word)].join(' ');
}

function word({ field, isOptional, isRepeated }: Positional): string {
  const name = isRepeated === true ? `${field}..` : field;
  return isOptional === true ? `[${name}]` : `<${name}>`;
}
