import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatError } from '../../src/base/result.ts';
import { parseArgs } from '../../src/cli/args.ts';
import { checkWords, ruleOf } from '../../src/cli/check-words.ts';
import { FILTER } from '../../src/cli/filter-rule.ts';
import { DISKS, FILE, FILE_OR_DASH } from '../../src/cli/option-rules.ts';
import type { ValueRule } from '../../src/cli/option-rules.ts';
import { OPTION_TABLE } from '../../src/cli/option-table.ts';
import { COMMANDS } from '../../src/app/options/command-names.ts';
import type { OptionSpec } from '../../src/cli/option-spec.ts';
import type { CommandName } from '../../src/app/options/command-names.ts';
import { POSITIONALS } from '../../src/cli/positionals.ts';

/** Words that no option takes that does not take any name. */
const NONSENSE = [
  ...['', ' ', '-', '--', '-1', '-0.5', '+1', 'NaN', 'Infinity', '-Infinity', 'null', 'undefined'],
  ...[
    'true',
    'false',
    '0x10',
    '1e400',
    '1e-400',
    '1_000',
    '٣',
    '½',
    '9'.repeat(400),
    '1,',
    ',',
    '%',
  ],
  ...['nonsense', 'constructor', '__proto__', 'x'.repeat(5000), '\0', '\x1b[31mred', '\ud800'],
];
/** What names may be: only these are wrong for one. */
const NO_NAME = ['', '\0', 'x'.repeat(5000)];

const PAIRS = OPTION_TABLE.flatMap((spec) =>
  spec.commands.map((command): [string, CommandName, OptionSpec] => [
    `ioheat ${command} --${spec.name}`,
    command,
    spec,
  ]),
);

/** The least that a command must be given. */
function required(command: CommandName): string[] {
  return POSITIONALS[command]
    .filter(({ isOptional }) => isOptional !== true)
    .map(({ choices }) => choices?.[0] ?? 'X');
}

/** Words for everything that an option needs besides. */
function needed({ needs }: OptionSpec): string[] {
  if (needs === undefined) return [];
  const samples: Readonly<Record<string, string>> = { rotate: '1h', write: 'X', output: 'X' };
  const value = needs.value ?? samples[needs.name];
  return [`--${needs.name}${value === undefined ? '' : `=${value}`}`];
}

function wrongWords(spec: OptionSpec, rule: ValueRule): readonly string[] {
  if (rule === FILE || rule === FILE_OR_DASH || rule === DISKS) return NO_NAME;
  if (rule === FILTER) return NONSENSE.filter((word) => word.trim() !== '');
  const { choices = [] } = spec;
  const former = 'aliases' in spec ? Object.keys(spec.aliases ?? {}) : [];
  return NONSENSE.filter((word) => !rule.parse(word).ok || ![...choices, ...former].includes(word));
}

/** The one sentence that is printed; what the parser itself would say must not be in it. */
async function refusal(argv: readonly string[]): Promise<string> {
  const parsed = await parseArgs(argv, '1.2.3');
  if (parsed.ok) throw new Error(`accepted: ${JSON.stringify(argv)}`);
  expect(parsed.error.exitCode).toBe(2);
  const sentence = formatError(parsed.error);
  expect(sentence.length).toBeLessThan(400);
  expect(sentence).not.toMatch(
    /Invalid values|Not enough|Unknown argument|Argument:|\bat .*:\d+:\d+/,
  );
  return sentence;
}

describe.each(PAIRS)('%s', (_, command, spec) => {
  const begun = [command, ...required(command)];

  if (spec.kind === 'flag') {
    it('a flag takes no value', async () => {
      for (const word of ['7', 'true', 'false', '', 'maybe', 'no'])
        expect(await refusal([...begun, `--${spec.name}=${word}`])).toBe(
          `--${spec.name} takes no value: "${word}" was given; write --${spec.name} alone`,
        );
    });
  } else {
    const { allowed } = ruleOf(spec);

    it('an option refuses values that make no sense, and names what is allowed', async () => {
      for (const word of wrongWords(spec, ruleOf(spec))) {
        const sentence = await refusal([...begun, ...needed(spec), `--${spec.name}=${word}`]);
        expect(sentence.startsWith(`--${spec.name}: `), sentence).toBe(true);
        if (ruleOf(spec) === FILTER) continue;
        expect(sentence).toContain(`is not ${allowed}; `);
        expect(sentence).toMatch(/; (see ioheat \w+ --help|did you mean \S+\?)$/);
      }
    });

    it('an option refuses a wrong value also before or after a right one', async () => {
      const [right] = spec.choices ?? [spec.fallback ?? 'x'];
      const [wrong = ''] = wrongWords(spec, ruleOf(spec)).slice(-1);
      const words = [`--${spec.name}=${right}`, `--${spec.name}=${wrong}`];
      for (const both of [words, words.toReversed()])
        expect(await refusal([...begun, ...both])).toContain(`--${spec.name}: `);
    });

    it('an option that takes a value requires one', async () => {
      const sentence = `--${spec.name} requires a value: ${allowed}; write --${spec.name}=VALUE`;
      expect(await refusal([...begun, `--${spec.name}`])).toBe(sentence);
      expect(await refusal([...begun, `--${spec.name}`, '--verbose'])).toBe(sentence);
      expect(await refusal([`--${spec.name}`, '--', ...begun])).toContain(`--${spec.name}`);
    });
  }

  it('a misspelt or shortened option is answered with its name, and one dash is refused', async () => {
    const { name } = spec;
    const slip = name.length > 3 ? `--${name.slice(0, 2)}${name.slice(3)}` : `--${name}x`;
    expect(await refusal([...begun, slip])).toMatch(
      /^unknown option --\S+; (did you mean --|see )/,
    );
    expect(await refusal([...begun, `-${name}`])).toBe(
      `unknown option -${name}; did you mean --${name}?`,
    );
  });

  if (spec.needs !== undefined)
    it('an option is refused where it has no effect', async () => {
      const value = spec.kind === 'flag' ? '' : `=${spec.fallback ?? '40'}`;
      expect(await refusal([...begun, `--${spec.name}${value}`])).toMatch(
        new RegExp(`^--${spec.name}: no effect without --\\S+( \\S+)?; add --`),
      );
    });
});

describe('an option of other commands', () => {
  it('an option of another command is refused with the commands that have it', async () => {
    for (const { name } of OPTION_TABLE)
      for (const command of COMMANDS) {
        const specs = OPTION_TABLE.filter((spec) => spec.name === name);
        const commands = specs.flatMap((spec) => spec.commands);
        if (commands.includes(command)) continue;
        expect(await refusal([command, ...required(command), `--${name}`])).toBe(
          `--${name}: not an option of ioheat ${command}, only of ${commands.join(', ')}; see ioheat ${command} --help`,
        );
      }
  });
});

describe('the table of options', () => {
  it('the option table has each option once per command, and of one kind in all', () => {
    for (const { name, kind } of OPTION_TABLE) {
      const specs = OPTION_TABLE.filter((spec) => spec.name === name);
      const commands = specs.flatMap((spec) => spec.commands);
      expect(new Set(commands).size, name).toBe(commands.length);
      expect(
        specs.every((spec) => (spec.kind === 'flag') === (kind === 'flag')),
        name,
      ).toBe(true);
    }
  });

  it('the defaults in the option table are accepted by their options', () => {
    for (const spec of OPTION_TABLE)
      if (spec.kind !== 'flag' && spec.fallback !== undefined)
        expect(ruleOf(spec).parse(String(spec.fallback)), spec.name).toMatchObject({ ok: true });
  });
});

const WORDS = fc.oneof(
  fc.constantFrom(
    ...COMMANDS,
    '--',
    '-',
    '-h',
    '-V',
    '-x',
    '--help',
    '--version',
    'storm',
    '7',
    '-7',
    'help',
  ),
  fc.constantFrom(...OPTION_TABLE.map(({ name }) => `--${name}`)),
  fc
    .tuple(
      fc.constantFrom(...OPTION_TABLE),
      fc.constantFrom('7', '1s', '64M', '', 'x', 'demo', 'a=b'),
    )
    .map(([{ name, choices }, word]) => `--${name}=${choices?.[0] ?? word}`),
  fc.string({ maxLength: 6 }),
);

describe('any words', () => {
  it('any command line is refused in one sentence or reaches the command with each value as typed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(WORDS, { maxLength: 6 }), async (argv) => {
        const checked = checkWords(argv);
        if (!checked.ok) {
          expect(await refusal(argv)).toBe(formatError(checked.error));
        } else if ('raw' in checked.value) {
          const end = argv.indexOf('--');
          const before = end < 0 ? argv : argv.slice(0, end);
          const typed = before.filter((word) => word.startsWith('--') && word.includes('='));
          const [, name = '', value] = /^--([^=]+)=([^]*)$/.exec(typed.at(-1) ?? '') ?? [];
          const given = checked.value.raw[name];
          if (typeof given === 'object') expect(given).toContain(value);
          else expect([undefined, value]).toContain(given === true ? undefined : given);
        }
      }),
      { numRuns: 400 },
    );
  });
});
