import { COMMANDS } from '../app/options/command-names.ts';
import type { CommandName } from '../app/options/command-names.ts';
import { COMMAND_TABLE } from './command-table.ts';
import { OPTION_WORDS, PLACE_WORDS, spellings } from './completion-words.ts';
import type { Completes, OptionWords } from './completion-words.ts';

/** The script for zsh. It works when sourced, and as the file `_ioheat` in a folder of `fpath`. */
export function zshCompletion(): string {
  return `#compdef ioheat
# zsh completion for ioheat. Load it with: source <(ioheat completion zsh)
# or save it as _ioheat in a folder of fpath.
_ioheat_disks() {
    local -a disks=(/sys/block/*(N:t))
    compadd -a disks
}

_ioheat() {
    local curcontext="$curcontext" state line
    typeset -A opt_args
    local -a commands=(
${[...COMMANDS.map((name) => describe(name, COMMAND_TABLE[name])), describe('help', 'print help on a command')].join('\n')}
    )
    _arguments -C -A '-*' \\
${specsOf('live')}        '1: :->command' \\
        '*:: :->words'
    case $state in
        command) _describe command commands ;;
        words)
            case $line[1] in
${COMMANDS.map(commandCase).join('\n')}
                help) _arguments '1:command:(${COMMANDS.join(' ')})' ;;
            esac
            ;;
    esac
}

if [[ $funcstack[1] == _ioheat ]]; then
    _ioheat "$@"
else
    compdef _ioheat ioheat
fi
`;
}

function describe(name: string, description: string): string {
  return `        ${quoted(`${name}:${escaped(description, /:/g)}`)}`;
}

function commandCase(command: CommandName): string {
  const places = PLACE_WORDS.filter((place) => place.command === command).map(
    ({ place, title, isRepeated, completes }) =>
      `        ${quoted(`${isRepeated ? '*' : place}:${title}:${action(completes)}`)}`,
  );
  const specs = specsOf(command) + places.map((place) => `${place} \\\n`).join('');
  return `                ${command})
                    _arguments \\
${specs.trimEnd().replace(/ \\$/, '').replaceAll(/^/gm, '    '.repeat(4))}
                    ;;`;
}

/** The options of a command, a line each. */
function specsOf(command: CommandName): string {
  const options = OPTION_WORDS.filter(({ commands }) => commands.includes(command));
  return options
    .flatMap(specsOfOption)
    .map((spec) => `        ${quoted(spec)} \\\n`)
    .join('');
}

function specsOfOption(option: OptionWords): string[] {
  const { description, isRepeated, value } = option;
  const words = spellings(option);
  const others = isRepeated ? '*' : words.length > 1 ? `(${words.join(' ')})` : '';
  const end = value === undefined ? '' : `:${value.title}:${action(value)}`;
  return words.map((word) => {
    const joins = value !== undefined && word.startsWith('--') ? '=' : '';
    return `${others}${word}${joins}[${escaped(description, /[[\]]/g)}]${end}`;
  });
}

function action(completes: Completes): string {
  if (completes.kind === 'words') return `(${completes.words.join(' ')})`;
  if (completes.kind === 'files') return '_files';
  return completes.kind === 'disks' ? '_ioheat_disks' : ' ';
}

function escaped(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (sign) => `\\${sign}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
