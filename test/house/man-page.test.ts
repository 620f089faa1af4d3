import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { OPTION_TABLE } from '../../src/cli/option-table.ts';
import { COMMANDS } from '../../src/app/options/command-names.ts';
import manifest from '../../package.json' with { type: 'json' };
import { needs } from '../needs.ts';
import { ROOT } from './documents.ts';

const PAGE = 'docs/ioheat.1';

/** What a program prints on both streams. */
function run(program: string, ...args: readonly string[]): { status: number | null; text: string } {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', MANWIDTH: '80', MANROFFOPT: '' };
  const done = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8', env });
  return { status: done.status, text: done.stdout + done.stderr };
}

describe('the man page', () => {
  test('the man page has nothing that mandoc complains about', needs({ program: 'mandoc' }), () => {
    expect(run('mandoc', '-Tlint', '-W', 'all', PAGE)).toEqual({ status: 0, text: '' });
  });

  test(
    'the man page is formatted by man without a warning, with every command and option',
    needs({ program: 'man' }),
    () => {
      const { status, text } = run('man', '--warnings=w', '-E', 'UTF-8', '-l', '-P', 'cat', PAGE);
      expect(status).toBe(0);
      expect(text).not.toMatch(/warning|troff|<standard input>/i);
      for (const { name } of OPTION_TABLE) expect(text).toContain(`--${name}`);
      for (const command of COMMANDS) expect(text).toMatch(new RegExp(`^ {7}${command}\\b`, 'm'));
    },
  );

  test('the man page is in the package', () => {
    expect(manifest.man).toBe(PAGE);
    expect(manifest.files).toContain('docs');
  });
});
