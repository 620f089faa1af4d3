import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openImport } from '../../../src/trace/import/open-import.ts';
import { IDENTITY_CAPACITY, IdentityTable } from '../../../src/model/identity-table.ts';
import { importAll, textInput } from './fixtures/import-text.ts';
import type { Imported } from './fixtures/import-text.ts';
import { fixtureText, TOOLS } from './fixtures/seen-io.ts';
import { must } from '../../must.ts';

const SEED = 20_240_611;

/** Undefined when the bytes are refused as foreign. */
function importBytes(bytes: Uint8Array, pieceBytes = 1 << 16): Imported | undefined {
  const opened = openImport(textInput(bytes, pieceBytes), new IdentityTable());
  if (opened.ok) opened.value.dispose();
  return opened.ok ? importAll(textInput(bytes, pieceBytes)) : undefined;
}

function expectSound({ rows, problems, counters }: Imported, lines: number): void {
  expect(rows.length).toBeLessThanOrEqual(lines);
  for (const { completeNs, deviceNs, queueNs, sector, bytes, key } of rows) {
    expect(Number.isFinite(completeNs)).toBe(true);
    expect(deviceNs < 0 || deviceNs === Infinity).toBe(false);
    expect(queueNs < 0 || queueNs === Infinity).toBe(false);
    expect(sector < 0 || sector === Infinity).toBe(false);
    expect(bytes).toBeGreaterThanOrEqual(0);
    expect(key.comm.length).toBeLessThanOrEqual(1 << 12);
  }
  for (const { count, where, quote } of problems) {
    expect(count).toBeGreaterThan(0);
    expect(where).toMatch(/^line \d+$/);
    expect(quote?.length ?? 0).toBeLessThanOrEqual(200);
  }
  expect(counters?.delivered ?? 0).toBe(rows.length);
}

const lineCount = (bytes: Uint8Array) => 1 + bytes.filter((byte) => byte === 0x0a).length;

/** What happens to files: bytes change, parts are missing, come twice, or change places. */
const mutation = fc.record({
  kind: fc.constantFrom('change', 'cut', 'repeat', 'insert'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(300),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }),
});

function mutated(bytes: Buffer, { kind, at, length, bytes: fresh }: MutationOf): Buffer {
  const from = Math.floor(at * bytes.length);
  const to = Math.min(bytes.length, from + length);
  const [before, part, after] = [
    bytes.subarray(0, from),
    bytes.subarray(from, to),
    bytes.subarray(to),
  ];
  if (kind === 'cut') return Buffer.concat([before, after]);
  if (kind === 'repeat') return Buffer.concat([before, part, part, after]);
  if (kind === 'insert') return Buffer.concat([before, fresh, part, after]);
  return Buffer.concat([
    before,
    fresh,
    bytes.subarray(Math.min(bytes.length, from + fresh.length)),
  ]);
}
type MutationOf = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

describe('imports', () => {
  it('random bytes are refused or imported as valid rows', () => {
    const property = fc.property(fc.uint8Array({ maxLength: 4000 }), (bytes) => {
      const imported = importBytes(bytes);
      if (imported !== undefined) expectSound(imported, lineCount(bytes));
    });
    fc.assert(property, { numRuns: 300, seed: SEED });
  });

  it('random lines after a known heading are counted as unreadable', () => {
    const heading = 'TIME(s)     COMM           PID     DISK      T SECTOR     BYTES  LAT(ms)';
    const line = '0.000004    supervise      1950    xvda1     W 13092560   4096       0.74';
    const noise = fc.array(
      fc.string({ minLength: 1 }).map((text) => `x${text.replaceAll('\n', ' ')}`),
    );
    const property = fc.property(noise, (lines) => {
      const imported = importBytes(Buffer.from([heading, line, ...lines].join('\n')));
      expect(imported?.rows).toHaveLength(1);
      const damaged = imported?.problems.reduce((sum, { count }) => sum + count, 0);
      expect(damaged).toBe(lines.length);
    });
    fc.assert(property, { numRuns: 100, seed: SEED });
  });

  it.each(TOOLS)('a damaged %s is imported as valid rows', (tool) => {
    const original = fixtureText(tool);
    const damage = fc.tuple(
      fc.array(mutation, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 9000 }),
    );
    const property = fc.property(damage, ([mutations, pieceBytes]) => {
      const bytes = mutations.reduce(mutated, original);
      const imported = importBytes(bytes, pieceBytes);
      if (imported !== undefined) expectSound(imported, lineCount(bytes));
    });
    fc.assert(property, { numRuns: 120, seed: SEED });
  });

  it.each(TOOLS)(
    'a truncated %s has the same rows as before, except for its last lines',
    (tool) => {
      const original = fixtureText(tool);
      const whole = importAll(textInput(original)).rows;
      const property = fc.property(fc.integer({ min: 1, max: original.length }), (length) => {
        const part = importBytes(original.subarray(0, length))?.rows ?? [];
        const certain = part.slice(0, -1);
        expect(certain.map(({ sector, bytes }) => [sector, bytes])).toEqual(
          whole.slice(0, certain.length).map(({ sector, bytes }) => [sector, bytes]),
        );
      });
      fc.assert(property, { numRuns: 60, seed: SEED });
    },
  );

  it('importing an endless line does not use memory for it', () => {
    const line = '0.000004    supervise      1950    xvda1     W 13092560   4096       0.74\n';
    const bytes = Buffer.concat([
      Buffer.from(line),
      Buffer.alloc(8 << 20, 'x'),
      Buffer.from(`\n${line}`),
    ]);
    const { rows, problems } = importAll(textInput(bytes));
    expect(rows).toHaveLength(2);
    expect(problems).toMatchObject([{ where: 'line 2', count: 1 }]);
  });

  it('importing endlessly many process names keeps within the tables', () => {
    const lines = Array.from({ length: IDENTITY_CAPACITY + 5000 }, (_, at) => {
      return `0.000004    p${at} ${at} disk${at % 5000} W 13092560   4096       0.74`;
    });
    const identities = new IdentityTable();
    const opened = must(openImport(textInput(lines.join('\n')), identities));
    let rows = 0;
    for (;;) {
      const chunk = opened.next();
      if (typeof chunk === 'string') break;
      rows += chunk.rows.length;
    }
    expect(rows).toBe(lines.length);
    expect(opened.devices().length).toBeLessThanOrEqual(4097);
    expect(identities.isFull).toBe(true);
  });

  it.each(TOOLS)(
    'a %s with lines built to be slow to parse is finished, and the lines are counted',
    (tool) => {
      const original = fixtureText(tool);
      const lines = [
        `0.1 ${' '.repeat(2000)}${'1 '.repeat(1000)}x`,
        `8,0 1 1 0.1 1 Q R ${'( 1'.repeat(1300)}`,
        `8,0 1 1 0.1 1 Q R ${'['.repeat(4000)}x`,
        `${'a-1 '.repeat(900)}0.1: block_rq_issue: 8,0 R ${'() '.repeat(100)}`,
        `${' 1/1 [1] '.repeat(400)}block_rq_issue: 8,0 R 1 () 1 + 1 [x]`,
        `${'1'.repeat(2000)}${' '.repeat(2000)}x`,
        'a-1 [1] '.repeat(500),
      ];
      const before = importAll(textInput(original)).rows.length;
      const bytes = Buffer.concat([original, Buffer.from(`${lines.join('\n')}\n`.repeat(20))]);
      expect(importAll(textInput(bytes)).rows).toHaveLength(before);
    },
  );
});
