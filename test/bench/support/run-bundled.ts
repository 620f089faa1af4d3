import { spawn } from 'node:child_process';
import { bundleEntry } from '../../kernel/fixtures/bundle-entry.ts';

/**
 * Runs `processor/NAME.ts` as the program itself is run, as one file: a test runner's way to import
 * makes such code up to three times as slow.
 */
export async function runBundled(name: string): Promise<void> {
  const entry = await bundleEntry(`test/bench/processor/${name}.ts`);
  try {
    await runProgram(entry.path, ['--max-old-space-size=4096']);
  } finally {
    entry.dispose();
  }
}

/** What it prints is printed here, and so belongs to the block. */
export function runProgram(
  path: string,
  flags: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(process.execPath, [...flags, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...settings },
  });
  child.stdout.on('data', (chunk: Buffer) => process.stdout.write(chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${path} ended with ${String(code)}`));
    });
  });
}
