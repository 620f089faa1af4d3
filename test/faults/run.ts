import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { ensureBuilt, IOHEAT } from '../e2e/build.ts';

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const HOME = '/nonexistent';

/**
 * A script of sh in which `$IOHEAT` runs the built program, without a terminal. `whileRunning` begins
 * when the script has, and can ask whether that is over.
 */
export async function runScript(
  script: string,
  whileRunning: (hasEnded: () => boolean) => Promise<void> | void = () => undefined,
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  ensureBuilt();
  const command = `'${process.execPath}' '${IOHEAT}'`;
  const child = spawn('/bin/sh', ['-c', script.replaceAll('$IOHEAT', command)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME, LANG: 'C.UTF-8', TZ: 'UTC', ...env },
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  await whileRunning(() => child.exitCode !== null || child.signalCode !== null);
  const status = await closed;
  const text = (chunks: Buffer[]): string => Buffer.concat(chunks).toString();
  return { status, stdout: text(stdout), stderr: text(stderr) };
}

/** One sentence, nothing that acts on a terminal, no stack. */
export function expectSentence({ stderr, stdout }: Outcome): void {
  expect(stderr).toMatch(/^ioheat: [\x20-\x7e]+\n$/);
  expect(stderr.length).toBeLessThan(600);
  expect(stdout).toBe('');
}
