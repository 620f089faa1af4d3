import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  test('npm install --global puts the man page where man looks for it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ioheat-man-'));
    try {
      // Without dependencies and scripts: npm needs no registry for the rest.
      const { name, version, bin, man, files } = manifest;
      const parts = { name, version, bin, man, files };
      writeFileSync(join(folder, 'package.json'), JSON.stringify(parts));
      for (const path of [PAGE, bin.ioheat]) cpSync(join(ROOT, path), join(folder, path));
      const prefix = join(folder, 'prefix');
      const npm = (...args: readonly string[]): void => {
        const { status, text } = run('npm', '--prefix', prefix, ...args);
        expect(status, text).toBe(0);
      };
      npm('pack', folder, '--pack-destination', folder);
      npm('install', '--global', '--offline', join(folder, `${name}-${version}.tgz`));
      const installed = join(prefix, 'share/man/man1/ioheat.1');
      expect(readFileSync(installed)).toEqual(readFileSync(join(ROOT, PAGE)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
