import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../..', import.meta.url).pathname;
const BUNDLE = join(ROOT, 'dist/ioheat.js');
export const IOHEAT = join(ROOT, 'bin/ioheat');

/** Builds `dist` if it is missing or older than any source, so that no test runs yesterday's code. */
export function ensureBuilt(): void {
  const builtMs = existsSync(BUNDLE) ? statSync(BUNDLE).mtimeMs : 0;
  if (newestMs(join(ROOT, 'src')) < builtMs) return;
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

function newestMs(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Math.max(
    ...files
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
}
