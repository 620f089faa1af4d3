import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTrace } from '../../../src/app/open/open-trace.ts';
import { openStream } from '../../../src/app/open/stdin-trace.ts';
import { failureText } from '../../../src/app/process/fail-by-bug.ts';
import { runExport } from '../../../src/app/run/run-export.ts';
import { reading } from '../../../src/base/read-failure.ts';
import { parseArgs } from '../../../src/cli/args.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import type { TraceReader } from '../../../src/trace/trace-reader.ts';
import { RecordingFolder } from '../../trace/replay/recording-file.ts';
import { makeWriteOnly } from './write-only.ts';
import { must } from '../../must.ts';

const folder = new RecordingFolder();
const log = join(folder.path, 'biosnoop.log');
let recording = '';

beforeAll(async () => {
  const lines = ['TIME(s)     COMM           PID    DISK      T SECTOR     BYTES  LAT(ms)'];
  // More than is read in one turn.
  for (let at = 0; at < 60_000; at++)
    lines.push(
      `${(at / 1e4).toFixed(6)}    dd             892    vda       R ${at * 8}   4096   0.25`,
    );
  writeFileSync(log, `${lines.join('\n')}\n`);
  recording = await folder.add('mixed.ioheat', { name: 'mixed', seconds: 20, rate: 5000 });
});

afterAll(() => {
  folder.remove();
});

/** What the program says at its end. */
async function lastWords(run: () => Promise<unknown>): Promise<string> {
  return run().then(
    () => 'nothing',
    (cause: unknown) => failureText(cause),
  );
}

async function readAll(reader: TraceReader): Promise<void> {
  while (reader.next() !== 'ended') await nextTurn();
}

test('a log or recording that cannot be read any more is an error that names it, not a bug', async () => {
  for (const file of [log, recording]) {
    const reader = must(await openTrace(file, new IdentityTable()));
    reader.next();
    expect(makeWriteOnly(file)).toBe(1);
    const text = await lastWords(() => readAll(reader));
    expect(text).toBe(`cannot read ${file}: bad file descriptor`);
    reader.dispose();
  }
});

test('an error that is not of the system is a bug, whatever was read', () => {
  const bug = () => {
    Buffer.alloc(1).readUInt32LE(9);
  };
  expect(() => {
    reading('a.log', bug);
  }).toThrow(RangeError);
});

test('an export leaves no part of its file where the trace cannot be read any more', async () => {
  const output = join(folder.path, 'out.csv');
  const parsed = must(await parseArgs(['export', log, '-o', output], ''));
  if (!('trace' in parsed) || parsed.trace.command !== 'export') throw new Error('no export');
  const { options, asked } = parsed.trace;
  const text = lastWords(() => runExport(options, asked));
  while (!existsSync(`${output}.part`) || makeWriteOnly(log) === 0) await nextTurn();
  expect(await text).toBe(`cannot read ${log}: bad file descriptor`);
  expect(existsSync(`${output}.part`)).toBe(false);
});

test('a stream that fails half way is read as far as it came, and the trace says that the rest is missing', async () => {
  const trace = new PassThrough();
  trace.write(readFileSync(log));
  const reader = must(await openStream(trace, new IdentityTable()));
  // The kernel answers EIO where a process has no memory, as at address 0.
  createReadStream('/proc/self/mem')
    .on('error', (cause) => trace.destroy(cause))
    .resume();
  await readAll(reader);
  expect(reader.problems()).toEqual([
    { what: 'cannot read the rest: i/o error', where: 'standard input', count: 1 },
  ]);
});
