import { COMMANDS } from '../app/options/command-names.ts';
import { COMMAND_TABLE } from './command-table.ts';
import { OPTION_WORDS, PLACE_WORDS, VALUED_WORDS } from './completion-words.ts';
import type { Completes, OptionWords, PlaceWords } from './completion-words.ts';

/** The script for fish, which offers files only where they are asked for. */
export function fishCompletion(): string {
  return `# fish completion for ioheat. Load it with: ioheat completion fish | source
# or save it as ioheat.fish in ~/.config/fish/completions.
function __ioheat_words
    set -l tokens (commandline -opc)
    set -l is_value 0
    for token in $tokens[2..-1]
        if test $is_value = 1
            set is_value 0
            continue
        end
        switch $token
            case ${VALUED_WORDS.join(' ')}
                set is_value 1
            case '-?*'
            case '*'
                printf '%s\\n' $token
        end
    end
end

function __ioheat_runs
    set -l words (__ioheat_words)
    set -l command live
    set -q words[1]; and set command $words[1]
    contains -- $command $argv
end

function __ioheat_at
    set -l words (__ioheat_words)
    test "$words[1]" = $argv[1]; and test (count $words) $argv[2] $argv[3]
end

complete -c ioheat -f
${[...COMMANDS.map((name) => commandLine(name, COMMAND_TABLE[name])), commandLine('help', 'print help on a command')].join('\n')}
complete -c ioheat -n '__ioheat_at help -eq 1' -a '${COMMANDS.join(' ')}'
${PLACE_WORDS.flatMap(placeLine).join('\n')}
${OPTION_WORDS.map(optionLine).join('\n')}
`;
}

function commandLine(name: string, description: string): string {
  return `complete -c ioheat -n 'not count (__ioheat_words) >/dev/null' -a ${name} -d ${quoted(description)}`;
}

function placeLine({ command, place, isRepeated, completes }: PlaceWords): string[] {
  const from = isRepeated ? '-ge' : '-eq';
  const values = valuesOf(completes);
  if (values === '') return [];
  return [`complete -c ioheat -n '__ioheat_at ${command} ${from} ${place}' ${values}`];
}

function optionLine({ commands, name, letter, description, value }: OptionWords): string {
  const short = letter === undefined ? '' : ` -s ${letter}`;
  const needs = value === undefined ? '' : value.kind === 'files' ? ' -r' : ' -x';
  const values = value === undefined ? '' : ` ${valuesOf(value)}`.trimEnd();
  const when = `-n '__ioheat_runs ${commands.join(' ')}'`;
  return `complete -c ioheat ${when} -l ${name}${short}${needs}${values} -d ${quoted(description)}`;
}

function valuesOf(completes: Completes): string {
  if (completes.kind === 'words') return `-a '${completes.words.join(' ')}'`;
  if (completes.kind === 'files') return '-F';
  return completes.kind === 'disks' ? "-a '(command ls /sys/block 2>/dev/null)'" : '';
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
