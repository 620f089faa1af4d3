import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/app/options/command-names.ts';
import { OPTION_TABLE } from '../../src/cli/option-table.ts';
import { SHELLS } from '../../src/cli/shells.ts';
import type { Shell } from '../../src/cli/shells.ts';
import { PATTERNS } from '../../src/trace/synthetic/patterns.ts';
import { needs } from '../needs.ts';
import { ensureBuilt, IOHEAT } from './build.ts';
import { startPty } from './pty.ts';

let folder: string;

beforeAll(() => {
  ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), 'ioheat-completion-'));
  writeFileSync(join(folder, 'sample.ioheat'), '');
  for (const shell of SHELLS)
    writeFileSync(join(folder, shell), execFileSync(IOHEAT, ['completion', shell]));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** What is typed before Tab, and what the line is then. */
const LINES = [
  ['ioheat dem', 'ioheat demo'],
  ['ioheat help rec', 'ioheat help record'],
  ['ioheat completion f', 'ioheat completion fish'],
  ['ioheat --layo', 'ioheat --layout'],
  ['ioheat --metric util', 'ioheat --metric utilization'],
  ['ioheat demo --metric util', 'ioheat demo --metric utilization'],
  ['ioheat demo --metric=util', 'ioheat demo --metric=utilization'],
  ['ioheat demo --scale=linear --pal', 'ioheat demo --scale=linear --palette'],
  ['ioheat demo -n 1s --palette col', 'ioheat demo -n 1s --palette colorblind'],
  ['ioheat demo ptero', 'ioheat demo pterodactyl'],
  ['ioheat demo --scale linear ptero', 'ioheat demo --scale linear pterodactyl'],
  ['ioheat paint --metric lat', 'ioheat paint --metric latency'],
  ['ioheat record io.ioheat ptero', 'ioheat record io.ioheat pterodactyl'],
  ['ioheat replay --speed 2 samp', 'ioheat replay --speed 2 sample.ioheat'],
  ['ioheat report a.ioheat samp', 'ioheat report a.ioheat sample.ioheat'],
  ['ioheat export samp', 'ioheat export sample.ioheat'],
  ['ioheat export --output samp', 'ioheat export --output sample.ioheat'],
  ['ioheat export --format par', 'ioheat export --format parquet'],
] as const;

const START: Readonly<Record<Exclude<Shell, 'fish'>, readonly string[]>> = {
  bash: ['--norc', '--noprofile', '-i'],
  zsh: ['-f', '-i'],
};

const LOAD: Readonly<Record<Exclude<Shell, 'fish'>, string>> = {
  bash: 'source ./bash; bind "set enable-bracketed-paste off"',
  zsh: 'autoload -U compinit; compinit -u -D; source ./zsh',
};

describe.each(['bash', 'zsh'] as const)('a %s in a terminal', (shell) => {
  test(
    'a shell in a terminal completes commands, options, their values and files at Tab',
    needs({ program: shell }),
    async () => {
      const terminal = startPty(shell, START[shell], {
        cwd: folder,
        columns: 120,
        env: { PS1: '> ', HOME: folder, HISTFILE: undefined },
      });
      terminal.type(`${LOAD[shell]}; printf '%s\\n' load''ed\r`);
      await terminal.waitFor(/^loaded$/);
      for (const [typed, completed] of LINES) {
        terminal.type('\x0c');
        await terminal.waitFor((screen) => /^\S*> *$/.test(screen[0]!));
        terminal.type(`${typed}\t`);
        await terminal.waitFor((screen) =>
          screen[0]!.replace(/[= ]*$/, '').endsWith(`> ${completed}`),
        );
        terminal.type('\x15');
      }
      await terminal.dispose();
    },
  );
});

describe('fish', () => {
  const complete = (line: string): string[] => {
    const code = 'source ./fish; complete -C $argv[1]';
    const args = ['--no-config', '-c', code, line];
    const { stdout, stderr } = spawnSync('fish', args, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder, LANG: 'C.UTF-8' },
    });
    expect(stderr).toBe('');
    return stdout
      .trimEnd()
      .split('\n')
      .map((one) => one.split('\t')[0]!);
  };

  test.each(LINES)(
    'fish completes "%s" to "%s"',
    needs({ program: 'fish' }),
    (typed, completed) => {
      expect(complete(typed)).toEqual([completed.split(' ').at(-1)]);
    },
  );

  test(
    'fish offers the options of the command and its places, and nothing else',
    needs({ program: 'fish' }),
    () => {
      const options = OPTION_TABLE.filter(({ commands }) => commands.includes('report'));
      const named = options.map(({ name }) => `--${name}`);
      expect(complete('ioheat report --').toSorted()).toEqual(
        [...named, '--help', '--version'].toSorted(),
      );
      expect(complete('ioheat ').toSorted()).toEqual([...COMMANDS, 'help'].toSorted());
      expect(complete('ioheat demo ').toSorted()).toEqual(
        PATTERNS.map(({ name }) => name).toSorted(),
      );
      expect(complete('ioheat doctor ')).toEqual(['']);
    },
  );
});

describe('bash', () => {
  const complete = (...words: readonly string[]): string[] => {
    const code = `source ./bash; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _ioheat; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const args = ['--norc', '-c', code, 'bash', ...words];
    const { stdout, stderr } = spawnSync('bash', args, { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trimEnd().split('\n');
  };

  test('bash offers all commands first, and of a command all its options', () => {
    expect(complete('ioheat', '')).toEqual([...COMMANDS, 'help']);
    for (const command of COMMANDS) {
      const options = OPTION_TABLE.filter(({ commands }) => commands.includes(command));
      const named = options.map(({ name }) => `--${name}`);
      expect(complete('ioheat', command, '--')).toEqual([...named, '--help', '--version']);
    }
  });

  test('bash offers the values of every option that has a choice', () => {
    for (const { name, commands, choices } of OPTION_TABLE)
      for (const command of choices === undefined ? [] : commands)
        expect(complete('ioheat', command, `--${name}`, '')).toEqual(choices);
  });

  test('bash offers the disks of this machine', () => {
    expect(complete('ioheat', '--disk', '')).toEqual(
      execFileSync('ls', ['/sys/block'], { encoding: 'utf8' }).trimEnd().split('\n'),
    );
  });
});
