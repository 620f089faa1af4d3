import yargs from 'yargs';
import type { Argv, Options as YargsOption } from 'yargs';
import { COMMANDS } from '../app/options/command-names.ts';
import type { CommandName } from '../app/options/command-names.ts';
import { COMMAND_TABLE, commandWords } from './command-table.ts';
import type { OptionSpec } from './option-spec.ts';
import { OPTION_TABLE } from './option-table.ts';
import { POSITIONALS } from './positionals.ts';
import { letterOf } from './short-options.ts';

/** The text of `--help`: about one command, or about the program. */
export function helpText(about: CommandName | undefined): Promise<string> {
  return buildParser(about === undefined ? [] : [about]).getHelp();
}

function buildParser(words: readonly string[]): Argv {
  const parser = yargs(words)
    .scriptName('ioheat')
    .usage('$0 [command] [options]\n\nShows every block I/O of this machine as a heat map.')
    .wrap(80)
    .alias('help', 'h')
    .version()
    .alias('version', 'V')
    .epilogue(
      'Help on a command: ioheat help COMMAND. Keys: press ? while it runs.\nExit codes: 0 fine, 1 failed, 2 usage, 3 cannot trace here.',
    );
  for (const command of COMMANDS) {
    const names = command === 'live' ? [commandWords(command), '$0'] : [commandWords(command)];
    parser.command(names, COMMAND_TABLE[command], (y) => withWords(y, command));
  }
  return parser;
}

function withWords(parser: Argv, command: CommandName): Argv {
  for (const spec of OPTION_TABLE)
    if (spec.commands.includes(command)) parser.option(spec.name, yargsOption(spec));
  for (const { field, description, choices, fallback, isRepeated } of POSITIONALS[command])
    parser.positional(field, {
      type: 'string',
      describe: description,
      ...(isRepeated === true && { array: true }),
      ...(choices !== undefined && { choices }),
      ...(fallback !== undefined && { default: fallback }),
    });
  return parser;
}

function yargsOption(spec: OptionSpec): YargsOption {
  const letter = letterOf(spec.name);
  return {
    ...(letter !== undefined && { alias: letter }),
    describe: spec.value === undefined ? spec.description : `${spec.value}: ${spec.description}`,
    type: spec.kind === 'flag' ? 'boolean' : spec.kind === 'list' ? 'array' : 'string',
    ...(spec.kind === 'list' ? { string: true } : {}),
    ...(spec.choices === undefined ? {} : { choices: spec.choices }),
    ...(spec.fallback === undefined ? {} : { defaultDescription: String(spec.fallback) }),
  };
}
