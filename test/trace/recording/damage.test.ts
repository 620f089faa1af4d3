import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import {
  openRecording,
  RecordingStream,
} from '../../../src/trace/recording/reading/open-recording.ts';
import type { RecordingReader } from '../../../src/trace/recording/reading/recording-reader.ts';
import { Random } from '../../../src/trace/synthetic/random.ts';
import type { TraceChunk } from '../../../src/trace/trace-reader.ts';
import { columnBytes, readerOf, readRows, recordPattern } from './fixtures/record.ts';
import { must } from '../../must.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ioheat-damage-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What can be read of bytes that may be anything, and whether it was told to be less than all. */
function salvage(bytes: Uint8Array) {
  const stream = new RecordingStream(new IdentityTable());
  stream.feed(bytes);
  stream.end();
  const reader = stream.open();
  if (!reader?.ok) return { rows: undefined, isTold: true };
  const rows = readRows(reader.value);
  return { rows, isTold: reader.value.problems().length > 0 };
}

describe('a recording that is cut', () => {
  it('a truncated recording gives every complete batch, wherever it ends', async () => {
    const { rows, parts } = await recordPattern('mixed', 4, { rate: 60 });
    const bytes = Buffer.concat(parts);
    const lengths = parts.map(({ length }) => length);
    // The head, four seconds, the end mark.
    expect(lengths).toHaveLength(6);
    const ends = lengths.map((_, index) => sum(lengths.slice(0, index + 1)));
    const counts = ends.map((end) => salvage(bytes.subarray(0, end)).rows?.length ?? 0);
    expect(counts[4]).toBe(rows.length);
    for (let cut = ends[2]!; cut < bytes.length; cut++) {
      const { rows: found, isTold } = salvage(bytes.subarray(0, cut));
      const whole = counts[ends.findLastIndex((end) => end <= cut)]!;
      expect([cut, found?.length, isTold]).toEqual([cut, whole, true]);
      expect(columnBytes(found!)).toEqual(columnBytes(rows, 0, whole));
    }
  }, 120_000);

  it('reading a truncated recording reports how many I/Os are missing, and since when', async () => {
    const { rows, parts } = await recordPattern('mixed', 2, { rate: 60 });
    const [head, first, second] = parts;
    const reader = readerOf(
      Buffer.concat([head!, first!, second!.subarray(0, second!.length - 1)]),
    );
    const missing = rows.length - readRows(reader).length;
    expect(missing).toBeGreaterThan(0);
    const [problem] = reader.problems();
    expect(problem).toMatchObject({ count: missing });
    expect(problem!.what).toContain('truncated');
  });

  it('a recording whose program was killed differs from a closed one', async () => {
    const { parts } = await recordPattern('mixed', 1, { rate: 60 });
    const whole = readerOf(Buffer.concat(parts));
    readRows(whole);
    expect(whole.problems()).toEqual([]);
    const killed = readerOf(Buffer.concat(parts.slice(0, -1)));
    readRows(killed);
    expect(killed.problems()[0]!.what).toContain('was not closed');
  });
});

describe('a recording that is damaged', () => {
  it.each([
    { where: 'columns', inBody: true, what: 'I/Os of damaged batches are missing' },
    { where: 'names', inBody: false, what: 'I/Os in a damaged part are missing' },
  ])(
    'a recording damaged in the $where gives what is intact before and after',
    async ({ inBody, what }) => {
      const { rows, parts } = await recordPattern('mixed', 6, { rate: 2000 });
      const bytes = Buffer.concat(parts);
      const [, , , third] = parts;
      const endAt = sum(parts.slice(0, 4).map(({ length }) => length));
      // Its metadata stand before the columns, the times first.
      const from = Math.floor(endAt - third!.length * (inBody ? 0.85 : 1));
      bytes.fill(0, from, from + Math.floor(inBody ? 1000 : third!.length * 0.9));
      const reader = readerOf(bytes);
      const found = readRows(reader);
      const seconds = countBySecond(found.completeNs);
      const truth = countBySecond(rows.completeNs);
      expect(seconds).toEqual(new Map([...truth].filter(([second]) => second !== 2)));
      const told = reader.problems().map((problem) => [problem.what, problem.count]);
      expect(told).toContainEqual([what, truth.get(2)]);
      expect(reader.problems()[0]!.where).toMatch(/^byte \d+$/);
    },
  );

  it.each([0.85, 1])(
    'reading a damaged recording reports the missing time as a gap',
    async (share) => {
      const { parts } = await recordPattern('mixed', 6, { rate: 2000 });
      const bytes = Buffer.concat(parts);
      const endAt = sum(parts.slice(0, 4).map(({ length }) => length));
      bytes.fill(0, Math.floor(endAt - parts[3]!.length * share), endAt - 10_000);
      const gaps = gapsOf(readerOf(bytes));
      expect(gaps).toHaveLength(1);
      expect(gaps[0]!.startNs).toBeCloseTo(2e9, -7);
      expect(gaps[0]!.endNs).toBeCloseTo(3e9, -7);
      expect(gapsOf(readerOf(Buffer.concat(parts)))).toEqual([]);
    },
  );

  it('damage to process names loses their epoch and no more', async () => {
    const { rows, parts } = await recordPattern('mixed', 8, { rate: 100_000 });
    const bytes = Buffer.concat(parts);
    // The first batch names nearly all; what lacks them is left out until they are named again.
    bytes.fill(0, parts[0]!.length, parts[0]!.length + 20_000);
    const reader = readerOf(bytes);
    const found = readRows(reader);
    const missing = rows.length - found.length;
    expect(missing).toBeGreaterThan(60_000);
    expect(found.length).toBeGreaterThan(rows.length / 2);
    expect(columnBytes(found)).toEqual(columnBytes(rows, missing, rows.length));
    const told = reader.problems().filter(({ what }) => what.includes('are missing'));
    expect(sum(told.map(({ count }) => count))).toBe(missing);
  });

  it('a recording damaged by bytes of which each could start a message gives what is intact after them', async () => {
    const { rows, parts } = await recordPattern('mixed', 6, { rate: 2000 });
    const bytes = Buffer.concat(parts);
    const endAt = sum(parts.slice(0, 4).map(({ length }) => length));
    bytes.fill(0xff, endAt - parts[3]!.length, endAt - 100);
    const truth = countBySecond(rows.completeNs);
    const intact = new Map([...truth].filter(([second]) => second !== 2));
    expect(countBySecond(readRows(readerOf(bytes)).completeNs)).toEqual(intact);
    const path = join(folder, 'io.ioheat');
    writeFileSync(path, bytes);
    const reader = must(openRecording(path, new IdentityTable()));
    expect(countBySecond(readRows(reader).completeNs)).toEqual(intact);
    reader.dispose();
  });

  it('a recording with a damaged header starts at its first intact batch', async () => {
    const { rows, parts } = await recordPattern('mixed', 3, { rate: 200 });
    const bytes = Buffer.concat(parts);
    bytes.fill(0x55, 2000, 2100);
    const stream = new RecordingStream(new IdentityTable());
    stream.feed(bytes);
    stream.end();
    const reader = stream.open();
    expect(reader?.ok && readRows(reader.value).length).toBe(rows.length);
  });

  it('a recording survives 2,000 mutations with the part before the first of them', async () => {
    const { rows, parts } = await recordPattern('mixed', 5, { rate: 100 });
    const bytes = Buffer.concat(parts);
    const ends = parts.map((_, index) =>
      sum(parts.slice(0, index + 1).map(({ length }) => length)),
    );
    const counts = ends.map((end) => salvage(bytes.subarray(0, end)).rows?.length ?? 0);
    const random = new Random();
    let undetected = 0;
    for (let round = 0; round < 2000; round++) {
      random.reseed(20_261_121, round);
      const { mutated, firstAt } = mutate(bytes, random);
      const { rows: found, isTold } = salvage(mutated);
      if (found === undefined) {
        expect(firstAt).toBeLessThan(ends[0]!);
        continue;
      }
      const whole = counts[ends.findLastIndex((end) => end <= firstAt)] ?? 0;
      expect([round, found.length >= whole]).toEqual([round, true]);
      expect([round, columnBytes(found, 0, whole)]).toEqual([round, columnBytes(rows, 0, whole)]);
      if (!isTold) undetected++;
    }
    // Dictionaries and columns that only other programs read are not looked at.
    expect(undetected).toBeLessThan(1200);
  }, 120_000);
});

function gapsOf(reader: RecordingReader) {
  const gaps: NonNullable<TraceChunk['gap']>[] = [];
  for (let chunk = reader.next(); typeof chunk === 'object'; chunk = reader.next())
    if (chunk.gap !== undefined) gaps.push(chunk.gap);
  return gaps;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function countBySecond(times: Float64Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (const time of times) {
    const second = Math.floor(time / 1e9);
    counts.set(second, (counts.get(second) ?? 0) + 1);
  }
  return counts;
}

/** Flips, overwrites, inserts or removes up to three times; says where the first change is. */
function mutate(bytes: Buffer, random: Random): { mutated: Buffer; firstAt: number } {
  let mutated = Buffer.from(bytes);
  let firstAt = Infinity;
  const changes = 1 + random.below(3);
  for (let change = 0; change < changes; change++) {
    const at = random.below(mutated.length);
    const length = 1 + Math.floor(random.next() ** 3 * 300);
    firstAt = Math.min(firstAt, at);
    mutated = changed(mutated, at, length, random);
  }
  return { mutated, firstAt };
}

const EVIL = [0, 0xff, 0x7f, 0x80, 1];

function changed(bytes: Buffer<ArrayBuffer>, at: number, length: number, random: Random) {
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + length)];
  const noise = Buffer.from(Array.from({ length }, () => random.below(256)));
  const evil = Buffer.alloc(length, EVIL[random.below(EVIL.length)]);
  switch (random.below(6)) {
    case 0:
      bytes[at]! ^= 1 << random.below(8);
      return bytes;
    case 1:
      return Buffer.concat([before, noise, after]);
    case 2:
      return Buffer.concat([before, evil, after]);
    case 3:
      return Buffer.concat([before, after]);
    case 4:
      return Buffer.concat([before, noise, bytes.subarray(at)]);
    default:
      return Buffer.concat([before, bytes.subarray(random.below(bytes.length))]);
  }
}
