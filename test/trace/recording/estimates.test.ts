import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdentityMark } from '../../../src/model/identity.ts';
import { END_OF_STREAM } from '../../../src/trace/recording/arrow/arrow-message.ts';
import { ensureBuilt, IOHEAT } from '../../e2e/build.ts';
import { keyOf, uniformSummary } from '../../history/fixtures.ts';
import { bytesOf, encoderFor, pattern } from './fixtures/record.ts';

const folder = mkdtempSync(join(tmpdir(), 'ioheat-estimates-'));
const path = join(folder, 'io.ioheat');
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const ROW = { completeNs: 0, deviceNs: 1000, queueNs: 0, sector: 0, bytes: 4096, key: 0 };

/** Two processes on one disk, whose I/O was counted and divided by a sample. */
async function write(): Promise<void> {
  const { source } = pattern('mixed');
  const encoder = encoderFor(source);
  const parts = [Buffer.from(encoder.begin())];
  for (const [tgid, countVariance] of [
    [1, 100],
    [2, 400],
  ] as const) {
    const key = keyOf({ tgid, tid: tgid, comm: `p${tgid}`, marks: IdentityMark.noDetail });
    const identity = source.info.identities.intern(key);
    encoder.appendSummary({ ...uniformSummary(0, identity, 1000, ROW), endNs: 1e9, countVariance });
  }
  parts.push(Buffer.from(await bytesOf(encoder.flush(undefined))));
  writeFileSync(path, Buffer.concat([...parts, END_OF_STREAM]));
}

interface Figures {
  readonly ios: number;
  readonly margin: number | null;
}

function report(...args: readonly string[]): string {
  return spawnSync(process.execPath, [IOHEAT, 'report', path, ...args]).stdout.toString();
}

function figures(...args: readonly string[]) {
  return JSON.parse(report('--json', ...args)) as {
    readonly totals: Figures;
    readonly disks: readonly Figures[];
    readonly processes: readonly Figures[];
  };
}

describe('the report of a recording with estimates', () => {
  beforeAll(async () => {
    ensureBuilt();
    await write();
  });

  it('the report of a recording with estimates says how far the I/O of a process may be off, and that all I/O is exact', () => {
    const { totals, disks, processes } = figures();
    expect(totals).toMatchObject({ ios: 2000, margin: null });
    expect(disks).toMatchObject([{ ios: 2000, margin: null }]);
    const margins = processes.map(({ margin }) => margin).sort();
    expect(margins).toEqual([expect.closeTo(0.0196), expect.closeTo(0.0196)]);
    expect(report()).toMatch(/p1 +\S+ ±2%/);
  });

  it('the report of a recording with estimates says how far all I/O may be off that a filter by owner selects', () => {
    const { totals, disks } = figures('--filter', 'pid=2');
    expect(totals).toMatchObject({ ios: 1000, margin: expect.closeTo(0.0196) as number });
    expect(disks[0]!.margin).toBeCloseTo(0.0196);
  });
});
