import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { RolldownOptions } from 'rolldown';

/**
 * How long a key can hold up everything else: the longest turn of the event loop after each key, and how
 * soon the first frame is on its way, on ten million single I/Os while more arrive. The session runs in
 * one process, as it is released, before a terminal that takes everything at once.
 *
 *   npx vitest run --config test/bench/vitest.config.ts blocking
 *
 * BLOCK_ROWS, BLOCK_IOPS and BLOCK_ROUNDS change the past, the load and how often each key is pressed;
 * BLOCK_HISTORY the budget, with less of which a part of the past is known in sum only. BLOCK_KEYS picks
 * keys by the start of their names.
 */
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
  spawnSync(process.execPath, [...flags, join(folder, PROGRAM)], { stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true });
}
