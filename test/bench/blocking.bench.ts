import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { RolldownOptions } from 'rolldown';
import { block } from './support/output.ts';
import { runProgram } from './support/run-bundled.ts';

/**
 * How long a key can hold up everything else: the longest turn of the event loop after each key, and how
 * soon the first frame is on its way, on ten million single I/Os while more arrive. The session runs in
 * one process, as it is released, before a terminal that takes everything at once.
 *
 *   npm run bench -- blocking
 *
 * BLOCK_ROWS, BLOCK_IOPS and BLOCK_ROUNDS change the past, the load and how often each key is pressed;
 * BLOCK_KEYS picks keys by the start of their names. All is done twice: with a history that holds every
 * single I/O, and with one that knows most of the past as aggregates only.
 */
const HISTORIES = { blocking: '1G', 'blocking-sums': '64M' } as const;
const RELEASE = new URL('../../rolldown.config.js', import.meta.url).href;
const ENTRY = new URL('./support/press-keys.ts', import.meta.url).pathname;
const MODULES = new URL('../../node_modules', import.meta.url).pathname;
const PROGRAM = 'press-keys.mjs';

async function bundle(dir: string): Promise<void> {
  const { plugins, external } = ((await import(RELEASE)) as { default: RolldownOptions }).default;
  const build = await rolldown({
    input: ENTRY,
    plugins: (plugins as { name: string }[]).filter(({ name }) => name !== 'with-fonts'),
    platform: 'node',
    ...(external !== undefined && { external }),
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  await build.write({ dir, format: 'esm', entryFileNames: PROGRAM, chunkFileNames: '[name].mjs' });
  await build.close();
}

const folder = mkdtempSync(join(tmpdir(), 'ioheat-blocking-'));
try {
  await bundle(folder);
  symlinkSync(MODULES, join(folder, 'node_modules'));
  const flags = process.env['BLOCK_NODE_FLAGS']?.split(' ') ?? [];
  for (const [name, history] of Object.entries(HISTORIES)) {
    block(name);
    await runProgram(join(folder, PROGRAM), flags, { BLOCK_HISTORY: history });
  }
} finally {
  rmSync(folder, { recursive: true });
}
