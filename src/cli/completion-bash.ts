import { COMMANDS } from '../app/options/command-names.ts';
import { OPTION_WORDS, PLACE_WORDS, spellings, VALUED_WORDS } from './completion-words.ts';
import type { Completes, OptionWords, PlaceWords } from './completion-words.ts';

/** The script for bash, which makes a word of the `=` between an option and its value. */
export function bashCompletion(): string {
  return `# bash completion for ioheat. Load it with: source <(ioheat completion bash)
_ioheat() {
    local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
    local command=live words= kind=unknown place=0 at
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev=\${COMP_WORDS[COMP_CWORD-2]}
    fi
    for ((at = 1; at < COMP_CWORD; at++)); do
        case \${COMP_WORDS[at]} in
            =) ((at++)) ;;
            ${VALUED_WORDS.join('|')})
                [[ \${COMP_WORDS[at+1]} == = ]] || ((at++))
                ;;
            -?*) ;;
            *)
                ((place++ == 0)) && command=\${COMP_WORDS[at]}
                ;;
        esac
    done
    case $command:$prev in
${OPTION_WORDS.flatMap(valueCase).join('\n')}
        *)
            if [[ $cur == -* ]]; then
                kind=words
                case $command in
${[...COMMANDS, 'help'].map(optionCase).join('\n')}
                esac
            elif ((place == 0)); then
                kind=words words='${[...COMMANDS, 'help'].join(' ')}'
            else
                case $command:$place in
${PLACE_WORDS.map(placeCase).join('\n')}
                    help:1) kind=words words='${COMMANDS.join(' ')}' ;;
                esac
            fi
            ;;
    esac
    COMPREPLY=()
    case $kind in
        words) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur") ;;
        disks) mapfile -t COMPREPLY < <(compgen -W "$(ls /sys/block 2>/dev/null)" -- "$cur") ;;
        files)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
            ;;
    esac
}
complete -F _ioheat ioheat
`;
}

function valueCase(option: OptionWords): string[] {
  const { value, commands } = option;
  if (value === undefined) return [];
  const patterns = commands.flatMap((name) => spellings(option).map((word) => `${name}:${word}`));
  return [`        ${patterns.join('|')}) ${assign(value)} ;;`];
}

function optionCase(command: string): string {
  const options = OPTION_WORDS.filter(({ commands }) => commands.some((name) => name === command));
  const words = options.map(({ name }) => `--${name}`).join(' ');
  return `                    ${command}) words='${words || '--help --version'}' ;;`;
}

function placeCase({ command, place, isRepeated, completes }: PlaceWords): string {
  return `                    ${command}:${isRepeated ? '*' : place}) ${assign(completes)} ;;`;
}

function assign(completes: Completes): string {
  const { kind } = completes;
  return kind === 'words' ? `kind=words words='${completes.words.join(' ')}'` : `kind=${kind}`;
}
