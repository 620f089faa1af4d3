import yargs from 'yargs';
import type { Argv, Options as YargsOption } from 'yargs';
import type { Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';
import { PATTERNS } from '../source/patterns.ts';
import { checkWords } from './check-words.ts';
import type { CommandName, OptionSpec } from './option-spec.ts';
import { OPTION_TABLE } from './option-table.ts';
import type { Options, RawOptions } from './options.ts';
import { checkTraceCommand } from './export/export-options.ts';
import type { TraceCommand } from './export/export-options.ts';
import { checkPaintOptions } from './paint/paint-options.ts';
import type { PaintOptions } from './paint/paint-options.ts';
import { checkOptions, usageError } from './options.ts';

/** Either options to run with, or text to print and exit 0 (`--help`, `--version`). */
export type Parsed =
  | { readonly options: Options }
  | { readonly paint: PaintOptions }
  | { readonly trace: TraceCommand }
  | { readonly print: string };

/** Reads the command line. Never exits and never prints: `main` does. */
export async function parseArgs(argv: readonly string[], version: string): Promise<Result<Parsed>> {
  const words = checkWords(argv);
  if (!words.ok) return words;
  let chosen: { command: CommandName; raw: RawOptions } | undefined;
  const choose = (command: CommandName) => (raw: RawOptions) => {
    chosen = { command, raw: withDashes(raw) };
  };
  const parsed = { print: '', isRefused: false };
  const parser = buildParser(version, choose);
  const { positionals, options } = words.value;
  const ordered = [...positionals.map(withoutDash), ...options];
  await parser.parseAsync(ordered, {}, (failure: unknown, _argv, output) => {
    parsed.print = output;
    parsed.isRefused = failure !== null && failure !== undefined;
  });
  // Nothing that has passed the check is; should it be, the parser's own words would help nobody.
  if (parsed.isRefused) return err(usageError('the command line is not understood'));
  if (chosen === undefined) return ok({ print: parsed.print });
  if (chosen.command === 'paint') {
    const paint = checkPaintOptions(chosen.raw);
    return paint.ok ? ok({ paint: paint.value }) : paint;
  }
  if (chosen.command === 'export' || chosen.command === 'report') {
    const trace = checkTraceCommand(chosen.command, chosen.raw);
    return trace.ok ? ok({ trace: trace.value }) : trace;
  }
  const checked = checkOptions(chosen.command, chosen.raw);
  return checked.ok ? ok({ options: checked.value }) : checked;
}

/** Stands for the dash that a file name begins with: yargs takes it for an option, and `-` for nothing. */
const DASH = '\uE000';

function withoutDash(word: string): string {
  return word.startsWith('-') ? `${DASH}${word.slice(1)}` : word;
}

function withDashes(raw: RawOptions): RawOptions {
  const restored = (value: unknown): unknown =>
    typeof value === 'string' && value.startsWith(DASH) ? `-${value.slice(1)}` : value;
  const entries = Object.entries(raw).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(restored) : restored(value),
  ]);
  return Object.fromEntries(entries) as RawOptions;
}

function buildParser(
  version: string,
  choose: (command: CommandName) => (raw: RawOptions) => void,
): Argv {
  return yargs()
    .scriptName('ioheat')
    .usage(
      '$0 [live|demo|record|replay|doctor|paint|export|report] [options]\n\nDraws every block I/O of this machine as a heat map.',
    )
    .parserConfiguration({
      'camel-case-expansion': false,
      'greedy-arrays': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'boolean-negation': false,
      'dot-notation': false,
    })
    .command(
      ['live', '$0'],
      'trace this machine (needs root; the default)',
      (y) => withOptions(y, 'live'),
      choose('live'),
    )
    .command(
      'demo [pattern]',
      'draw a synthetic pattern, without root',
      demoOptions,
      choose('demo'),
    )
    .command(
      'record <file> [pattern]',
      'record without a screen, into a file or a pipe (-)',
      recordOptions,
      choose('record'),
    )
    .command(
      'replay <files..>',
      'show recordings and logs of other tools, without root; "-": standard input',
      replayOptions,
      choose('replay'),
    )
    .command(
      'doctor',
      'say whether this machine can be traced, and what is missing',
      (y) => withOptions(y, 'doctor'),
      choose('doctor'),
    )
    .command(
      'paint <text>',
      'write a text into the heat map of a disk by doing real I/O',
      paintOptions,
      choose('paint'),
    )
    .command(
      'export <file>',
      'a recording or a log of another tool as a table or a picture',
      (y) => traceOptions(y, 'export'),
      choose('export'),
    )
    .command(
      'report <file>',
      'a page of text about a recording or a log of another tool',
      (y) => traceOptions(y, 'report'),
      choose('report'),
    )
    .strict()
    .exitProcess(false)
    .wrap(80)
    .alias('help', 'h')
    .version(version)
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
    describe: 'what to draw',
  });
}

function recordOptions(parser: Argv): Argv {
  return withOptions(parser, 'record')
    .positional('file', {
      type: 'string',
      describe: 'a new file, such as io.ioheat; - for standard output',
    })
    .positional('pattern', {
      type: 'string',
      choices: PATTERNS.map(({ name }) => name),
      describe: 'with --source demo: what to record',
    });
}

function replayOptions(parser: Argv): Argv {
  return withOptions(parser, 'replay').positional('files', {
    type: 'string',
    array: true,
    describe: 'recordings, or what biosnoop and other tools wrote',
  });
}

function paintOptions(parser: Argv): Argv {
  return withOptions(parser, 'paint').positional('text', {
    type: 'string',
    describe: 'letters, digits and a few signs',
  });
}

function traceOptions(parser: Argv, command: 'export' | 'report'): Argv {
  return withOptions(parser, command).positional('file', {
    type: 'string',
    describe: 'the trace; - is standard input',
  });
}

function withOptions(parser: Argv, command: CommandName): Argv {
  for (const spec of OPTION_TABLE)
    if (spec.commands.includes(command)) parser.option(spec.name, yargsOption(spec));
  return parser;
}

function yargsOption(spec: OptionSpec): YargsOption {
  return {
    describe: spec.value === undefined ? spec.description : `${spec.value}: ${spec.description}`,
    type: spec.kind === 'flag' ? 'boolean' : spec.kind === 'list' ? 'array' : 'string',
    ...(spec.kind === 'list' ? { string: true } : {}),
    ...(spec.choices === undefined ? {} : { choices: spec.choices }),
    ...(spec.fallback === undefined ? {} : { defaultDescription: String(spec.fallback) }),
    requiresArg: spec.kind !== 'flag',
  };
}
