import { COMMANDS } from '../../src/app/options/command-names.ts';
import type { CommandName } from '../../src/app/options/command-names.ts';
import { COMMAND_TABLE } from '../../src/cli/command-table.ts';
import { OPTION_TABLE } from '../../src/cli/option-table.ts';
import type { OptionSpec } from '../../src/cli/option-spec.ts';
import { POSITIONALS } from '../../src/cli/positionals.ts';
import { letterOf } from '../../src/cli/short-options.ts';
import { FILTER_FIELDS, operatorsOf } from '../../src/filter/fields.ts';
import { KEY_TABLE } from '../../src/view/keys/key-table.ts';
import manifest from '../../package.json' with { type: 'json' };

/** Of the text that is not generated; readers of man pages expect a date in the title. */
const PAGE_DATE = '2026-11-22';

const LINE_BYTES = 78;

const DESCRIPTION = `ioheat attaches eBPF programs to the tracepoints of the block layer and draws each I/O:
time runs along x, latency, offset or size along y, and the colour shows how many I/Os fell into the cell.
Tables below it rank processes and disks by the waiting they cause.`;

const ROOT_ONLY_TO_ATTACH = `live, record and doctor need root to attach, and paint to open a disk.
live, record and paint drop all privileges after that, before they open any other file or read a key;
doctor keeps them and opens no file that you name; every other command drops them first.`;

const EXIT_CODES: readonly (readonly [string, string])[] = [
  ['0', 'success; also when Ctrl-C ends ioheat record'],
  ['1', 'failed; also when a recording could not be written completely'],
  ['2', 'wrong usage'],
  ['3', 'cannot trace here; ioheat doctor says why'],
  ['128 + N', 'ended by signal N'],
];

const EXAMPLES: readonly (readonly [string, string])[] = [
  ['ioheat demo', 'Show a synthetic pattern, without root.'],
  ["sudo ioheat --disk sda --filter 'lat>10ms'", 'Trace slow I/O of one disk.'],
  ['sudo ioheat record io.ioheat --duration 1m', 'Record this machine for a minute.'],
  ['ioheat replay io.ioheat', 'Show the recording.'],
  ['ioheat export io.ioheat --output io.html', 'Make a page of it that a browser shows.'],
];

/** `docs/ioheat.1`, in the macros of man(7). */
export function manPage(): string {
  const version = `ioheat ${manifest.version}`;
  return [
    `.TH IOHEAT 1 ${PAGE_DATE} "${version}" "User Commands"`,
    '.SH NAME',
    `ioheat \\- ${roff('a top-like terminal monitor that draws every block I/O as a heat map')}`,
    '.SH SYNOPSIS',
    ...COMMANDS.flatMap((command, index) => [...(index === 0 ? [] : ['.br']), synopsis(command)]),
    '.SH DESCRIPTION',
    roff(DESCRIPTION),
    '.PP',
    roff(ROOT_ONLY_TO_ATTACH),
    '.SH COMMANDS',
    ...COMMANDS.flatMap((command) => tagged(bold(command), COMMAND_TABLE[command])),
    ...tagged(`${bold('help')} ${italic('COMMAND')}`, 'print the options of a command'),
    '.SH OPTIONS',
    ...OPTION_TABLE.flatMap((spec) => tagged(optionTitle(spec), optionText(spec))),
    '.SH FILTERS',
    roff(
      'A filter is a list of conditions; all of them must hold. They are joined by and, or, not and parentheses.',
    ),
    ...FILTER_FIELDS.flatMap((field) =>
      tagged(`${bold(field.name)} ${roff(operatorsOf(field).join(' '))}`, field.description),
    ),
    '.SH KEYS',
    ...KEY_TABLE.filter(({ modes }) => modes.includes('main')).flatMap(({ keys, description }) =>
      tagged(keys.map(bold).join(' '), description),
    ),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(([code, meaning]) => tagged(bold(code), meaning)),
    '.SH FILES',
    ...tagged(
      italic('~/.config/ioheat/settings.json'),
      'view settings that the key W saved; in $XDG_CONFIG_HOME where that is set',
    ),
    '.SH EXAMPLES',
    ...EXAMPLES.flatMap(([command, what]) => tagged(bold(command), what)),
    '.SH SEE ALSO',
    ['biosnoop', 'blktrace', 'iostat', 'perf']
      .map((name) => `${bold(name)}(${name === 'biosnoop' || name === 'blktrace' ? 8 : 1})`)
      .join(',\n'),
    '',
  ].join('\n');
}

function synopsis(command: CommandName): string {
  const places = POSITIONALS[command].map(({ name, isOptional, isRepeated }) => {
    const word = `${italic(name)}${isRepeated === true ? ' ...' : ''}`;
    return isOptional === true ? `[${word}]` : word;
  });
  const name = command === 'live' ? `[${bold('live')}]` : bold(command);
  return [bold('ioheat'), name, ...places, `[${italic('options')}]`].join(' ');
}

function optionTitle({ name, value, choices }: OptionSpec): string {
  const letter = letterOf(name);
  const names = [...(letter === undefined ? [] : [`-${letter}`]), `--${name}`].map(bold).join(', ');
  if (choices !== undefined) return `${names} ${choices.map(bold).join('|')}`;
  return value === undefined ? names : `${names} ${value.split('|').map(italic).join('|')}`;
}

function optionText({ description, fallback, commands, kind }: OptionSpec): string {
  const otherwise = kind === 'flag' || fallback === undefined ? '' : `; default: ${fallback}`;
  return `${description}${otherwise} (${commands.join(', ')})`;
}

function tagged(title: string, text: string): string[] {
  return ['.TP', titleLines(title), roff(text)];
}

/** mandoc wants short input lines; `\c` joins those of a title. */
function titleLines(title: string): string {
  return title.length <= LINE_BYTES ? title : title.replaceAll(/(?<=\|)(?=\\)/g, '\\c\n');
}

function bold(text: string): string {
  return `\\fB${plain(text)}\\fR`;
}

function italic(text: string): string {
  return `\\fI${plain(text)}\\fR`;
}

/** Text in short lines; none begins like a macro. */
function roff(text: string): string {
  const lines: string[] = [];
  for (const word of plain(text).split(/\s+/)) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trimStart();
    if (lines.length > 0 && Buffer.byteLength(longer) <= LINE_BYTES)
      lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join('\n').replaceAll(/^(?=[.'])/gm, '\\&');
}

/** Text without a character that starts an escape sequence or that has another meaning in roff. */
function plain(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('~', '\\(ti')
    .replaceAll('^', '\\(ha')
    .replaceAll('`', '\\(ga')
    .replaceAll("'", '\\(aq')
    .replaceAll(/[^\n -~]/gu, (sign) => `\\[u${codeOf(sign)}]`);
}

/** As groff names a character: at least four digits. */
function codeOf(sign: string): string {
  return (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
