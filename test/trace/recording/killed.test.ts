import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleEntry } from '../../kernel/fixtures/bundle-entry.ts';
import type { BundledEntry } from '../../kernel/fixtures/bundle-entry.ts';
import type { CompletionColumns } from '../../../src/model/completion-columns.ts';
import { SeededRandom } from '../../random.ts';
import { columnBytes, joined, copyOf, pattern, readerOf, readRows } from './fixtures/record.ts';

const ROUNDS = 100;
const AT_ONCE = 4;

let program: BundledEntry;
let folder: string;

beforeAll(async () => {
  program = await bundleEntry('test/trace/recording/fixtures/endless-entry.ts', ['lz4-napi']);
  folder = mkdtempSync(join(tmpdir(), 'ioheat-killed-'));
});

afterAll(() => {
  program.dispose();
  rmSync(folder, { recursive: true });
});

/** What the program records, as far as it can have come. */
function truth() {
  const { source, moveTo } = pattern('mixed', 1, 20_000);
  moveTo(60e9);
  const taken = [];
  for (let rows = source.read(); rows.length > 0; rows = source.read()) taken.push(copyOf(rows));
  return joined(taken);
}

async function killAfter(ms: number, path: string): Promise<void> {
  const child = spawn(process.execPath, [program.path, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await sleep(ms);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
}

it('every batch but the last is readable, at whatever moment the recorder is killed', async () => {
  const all = truth();
  const random = new SeededRandom(4, 100);
  const found: number[] = [];
  for (let group = 0; group < ROUNDS / AT_ONCE; group++) {
    const rounds = Array.from({ length: AT_ONCE }, (_, index) => group * AT_ONCE + index);
    const paths = rounds.map((round) => join(folder, `${round}.ioheat`));
    await Promise.all(paths.map((path) => killAfter(random.next() * 100, path)));
    for (const path of paths) found.push(checkPrefix(path, all));
  }
  expect(found).toHaveLength(ROUNDS);
  expect(new Set(found).size).toBeGreaterThan(10);
}, 120_000);

/** What is there must be whole, from the beginning on; returns how much it is. */
function checkPrefix(path: string, all: CompletionColumns): number {
  const reader = readerOf(readFileSync(path));
  rmSync(path);
  const rows = readRows(reader);
  expect([path, rows.length > 0]).toEqual([path, true]);
  expect([path, columnBytes(rows)]).toEqual([path, columnBytes(all, 0, rows.length)]);
  // What is not there is at most one batch, and said to be missing.
  expect(reader.problems()).toHaveLength(1);
  expect(reader.problems()[0]!.what).toMatch(/truncated|not closed/);
  return rows.length;
}
