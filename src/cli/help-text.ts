import yargs from 'yargs';
import type { Argv, Options as YargsOption } from 'yargs';
import type { CommandName } from '../app/options/command-names.ts';
import { PATTERNS } from '../trace/synthetic/patterns.ts';
import type { OptionSpec } from './option-spec.ts';
import { OPTION_TABLE } from './option-table.ts';
import { letterOf } from './short-options.ts';

/** What `--help` prints: of one command, or of the program. */
export function helpText(about: CommandName | undefined): Promise<string> {
  return buildParser(about === undefined ? [] : [about]).getHelp();
}

function buildParser(words: readonly string[]): Argv {
  return yargs(words)
    .scriptName('ioheat')
    .usage(
      '$0 [live|demo|record|replay|doctor|paint|export|report] [options]\n\nShows every block I/O of this machine as a heat map.',
    )
    .command(['live', '$0'], 'trace this machine (needs root; the default)', (y) =>
      withOptions(y, 'live'),
    )
    .command('demo [pattern]', 'show a synthetic pattern, without root', demoOptions)
    .command(
      'record <file> [pattern]',
      'record without a screen, to a file or a pipe (-)',
      recordOptions,
    )
    .command(
      'replay <files..>',
      'show recordings and logs of other tools, without root; - reads standard input',
      replayOptions,
    )
    .command('doctor', 'check whether this machine can be traced, and what is missing', (y) =>
      withOptions(y, 'doctor'),
    )
    .command('paint <text>', 'write text into the heat map of a disk with real I/O', paintOptions)
    .command(
      'export <files..>',
      'convert recordings or logs of other tools to a table or a picture',
      (y) => traceOptions(y, 'export'),
    )
    .command('report <files..>', 'summarize recordings or logs of other tools on one page', (y) =>
      traceOptions(y, 'report'),
    )
    .wrap(80)
    .alias('help', 'h')
    .version()
    .alias('version', 'V')
    .epilogue(
      'Keys: press ? while it runs. Exit codes: 0 fine, 1 failed, 2 usage, 3 cannot trace here.',
    );
}

function demoOptions(parser: Argv): Argv {
  return withOptions(parser, 'demo').positional('pattern', {
    type: 'string',
    choices: PATTERNS.map(({ name }) => name),
    default: 'mixed',
    describe: 'the pattern to show',
  });
}

function recordOptions(parser: Argv): Argv {
  return withOptions(parser, 'record')
    .positional('file', {
      type: 'string',
      describe: 'the file to create, such as io.ioheat; - is standard output',
    })
    .positional('pattern', {
      type: 'string',
      choices: PATTERNS.map(({ name }) => name),
      describe: 'the pattern to record; requires --source demo',
    });
}

function replayOptions(parser: Argv): Argv {
  return withOptions(parser, 'replay').positional('files', {
    type: 'string',
    array: true,
    describe: 'recordings, or logs of biosnoop and other tools',
  });
}

function paintOptions(parser: Argv): Argv {
  return withOptions(parser, 'paint').positional('text', {
    type: 'string',
    describe: 'the text to paint: letters, digits and a few signs',
  });
}

function traceOptions(parser: Argv, command: 'export' | 'report'): Argv {
  return withOptions(parser, command).positional('files', {
    type: 'string',
    array: true,
    describe: 'recordings or logs, several as one trace; - is standard input',
  });
}

function withOptions(parser: Argv, command: CommandName): Argv {
  for (const spec of OPTION_TABLE)
    if (spec.commands.includes(command)) parser.option(spec.name, yargsOption(spec));
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
