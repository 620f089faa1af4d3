import { spawn } from 'node:child_process';
import { bundleEntry } from '../../kernel/fixtures/bundle-entry.ts';

/**
 * Runs `processor/NAME.ts` as the program itself is run, as one file: a test runner's way to import
 * makes such code up to three times as slow.
 */
export async function runBundled(name: string): Promise<void> {
  const entry = await bundleEntry(`test/bench/processor/${name}.ts`);
  try {
    await run(entry.path);
  } finally {
    entry.dispose();
  }
}

function run(path: string): Promise<void> {
  const child = spawn(process.execPath, ['--max-old-space-size=4096', path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.on('data', (chunk: Buffer) => process.stdout.write(chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${path} ended with ${String(code)}`));
    });
  });
}
