import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pl from 'nodejs-polars';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_CGROUP_NAMES } from '../../src/model/cgroup-names.ts';
import { ok } from '../../src/base/result.ts';
import type { CompletionColumns } from '../../src/model/completion-columns.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import type { RecordingSink } from '../../src/recording/file-sink.ts';
import { openRecording } from '../../src/recording/open-recording.ts';
import { rotatingFiles, singleFile } from '../../src/recording/recording-files.ts';
import { RecordingWriter } from '../../src/recording/recording-writer.ts';
import type { RecordingTarget } from '../../src/recording/recording-writer.ts';
import { columnBytes, copyOf, HEADER, joined, pattern, readRows } from './fixtures/record.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ioheat-writer-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A recording of a pattern with a clock that is moved by hand. */
function recordTo(target: RecordingTarget, rate = 2000) {
  const { source, moveTo } = pattern('mixed', 1, rate);
  let nowMs = 0;
  const started = RecordingWriter.start({
    header: HEADER,
    keys: source.info.keys,
    names: { devices: source.info, cgroups: NO_CGROUP_NAMES },
    target,
    nowMs: () => nowMs,
  });
  const taken: CompletionColumns[] = [];
  const runTo = async (second: number): Promise<void> => {
    if (!started.ok) throw new Error(started.error.what);
    nowMs = second * 1000;
    moveTo(second * 1e9);
    for (let rows = source.read(); rows.length > 0; rows = source.read()) {
      taken.push(copyOf(rows));
      started.value.append(rows);
    }
    started.value.tick(source.counters());
    await started.value.settled();
  };
  return { source, started, runTo, rows: () => joined(taken) };
}

function writerOf({ started }: ReturnType<typeof recordTo>): RecordingWriter {
  if (!started.ok) throw new Error(started.error.what);
  return started.value;
}

function readBack(path: string) {
  const reader = openRecording(path, new IdentityTable());
  if (!reader.ok) throw new Error(reader.error.what);
  const rows = readRows(reader.value);
  const problems = reader.value.problems();
  const { extent } = reader.value.header;
  reader.value.dispose();
  return { rows, problems, extent };
}

describe('a recording in a file', () => {
  it('holds what it was given, for its owner alone, and how far it reaches', async () => {
    const path = join(folder, 'io.ioheat');
    const recording = recordTo(singleFile(path));
    await recording.runTo(1);
    await recording.runTo(2);
    const onDisk = statSync(path).size;
    expect(onDisk).toBeGreaterThan(10_000);
    await recording.runTo(2.5);
    expect(statSync(path).size).toBe(onDisk);
    await writerOf(recording).end(recording.source.counters());
    const { rows, problems, extent } = readBack(path);
    const truth = recording.rows();
    expect([columnBytes(rows), problems]).toEqual([columnBytes(truth), []]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { completeNs } = truth;
    const [startNs, endNs] = [Math.min(...completeNs), Math.max(...completeNs)];
    expect(extent).toEqual({ startNs, endNs, rows: truth.length });
    expect(writerOf(recording).state).toMatchObject({
      rows: truth.length,
      bytes: statSync(path).size - 8,
    });
  });

  it.each<[string, (path: string) => void]>([
    [
      'a file',
      (path) => {
        writeFileSync(path, 'precious');
      },
    ],
    [
      'a link to nothing',
      (path) => {
        symlinkSync(join(folder, 'elsewhere'), path);
      },
    ],
    [
      'a link to a file',
      (path) => {
        symlinkSync('/etc/hostname', path);
      },
    ],
    [
      'a FIFO',
      (path) => {
        execFileSync('mkfifo', [path]);
      },
    ],
    [
      'a folder',
      (path) => {
        mkdirSync(path);
      },
    ],
  ])('never takes the place of %s', (_, make) => {
    const path = join(folder, 'io.ioheat');
    make(path);
    const { started } = recordTo(singleFile(path));
    expect(started).toMatchObject({ ok: false });
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
  });

  it('takes the place of an ordinary file when it is told to, and of nothing else', () => {
    const path = join(folder, 'io.ioheat');
    writeFileSync(path, 'old');
    expect(recordTo(singleFile(path, true)).started.ok).toBe(true);
    for (const [name, make] of [
      ['link', symlinkSync],
      ['dir', mkdirSync],
    ] as const) {
      const other = join(folder, name);
      if (make === symlinkSync) symlinkSync('/etc/hostname', other);
      else mkdirSync(other);
      expect(recordTo(singleFile(other, true)).started.ok).toBe(false);
    }
    expect(recordTo(singleFile('/dev/full', true)).started.ok).toBe(false);
  });
});

describe('a recording on a disk that refuses', () => {
  it.runIf(process.getuid?.() === 0)(
    'ends with a reason when the disk is full, and is whole',
    async () => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
      try {
        const path = join(folder, 'io.ioheat');
        const recording = recordTo(singleFile(path));
        for (let second = 1; second <= 4; second++) await recording.runTo(second);
        const writer = writerOf(recording);
        expect(writer.state.failure).toMatchObject({ why: 'there is no space left on the disk' });
        await writer.end(recording.source.counters());
        const { rows, problems } = readBack(path);
        const truth = recording.rows();
        expect(rows.length).toBeGreaterThan(100);
        expect(columnBytes(rows)).toEqual(columnBytes(truth, 0, rows.length));
        expect(problems.every(({ what }) => what.includes('no end mark'))).toBe(true);
      } finally {
        execFileSync('umount', [folder]);
      }
    },
  );

  it('ends when the disk is slower than what comes, and holds no more than it may', async () => {
    let written = 0;
    let release: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => (release = resolve));
    const sink: RecordingSink = {
      name: 'a stuck disk',
      write: (pieces) => {
        written += pieces.length;
        return stuck;
      },
      end: () => Promise.resolve(),
    };
    const recording = recordTo({ open: () => ok(sink), isFull: () => false }, 1_000_000);
    const writer = writerOf(recording);
    let second = 0;
    for (; writer.state.failure === undefined && second < 20; second++)
      void recording.runTo(second);
    expect(writer.state.failure).toMatchObject({
      why: expect.stringContaining('more slowly') as string,
    });
    const { rows } = writer.state;
    void recording.runTo(second + 1);
    expect(writer.state.rows).toBe(rows);
    expect(written).toBeLessThan(3);
    release();
    await writer.end(recording.source.counters());
  });

  it('tells the reader that went away from a disk that failed', async () => {
    const sink: RecordingSink = {
      name: 'a pipe',
      write: () => Promise.reject(Object.assign(new Error('broken'), { code: 'EPIPE' })),
      end: () => Promise.resolve(),
    };
    const recording = recordTo({ open: () => ok(sink), isFull: () => false });
    await recording.runTo(1);
    expect(writerOf(recording).state.failure).toMatchObject({ why: 'nobody reads it any more' });
  });
});

describe('a recording in a series of files', () => {
  function series(options: { maxBytes?: number; maxMs?: number; keep?: number }) {
    let wallMs = Date.UTC(2026, 0, 31, 14, 2, 11);
    const wallClock = () => (wallMs += 1000);
    return rotatingFiles({ path: join(folder, 'io.ioheat'), wallMs: wallClock, ...options });
  }

  it('begins a new one when time or size is up, each readable alone', async () => {
    const recording = recordTo(series({ maxMs: 2000 }));
    for (let second = 1; second <= 5; second++) await recording.runTo(second);
    await writerOf(recording).end(recording.source.counters());
    const names = readdirSync(folder).sort();
    expect(names).toHaveLength(3);
    expect(names[0]).toBe('io-20260131T140212Z.ioheat');
    const parts = names.map((name) => readBack(join(folder, name)));
    expect(parts.flatMap(({ problems }) => problems)).toEqual([]);
    expect(columnBytes(joined(parts.map(({ rows }) => rows)))).toEqual(
      columnBytes(recording.rows()),
    );
  });

  it('keeps the last files and removes nothing that is not of the series', async () => {
    const others = [
      'io-20250101T000000Z.txt',
      'io-notes.ioheat',
      'io.ioheat',
      'zio-20250101T000000Z.ioheat',
    ];
    for (const name of others) writeFileSync(join(folder, name), 'mine');
    const old = 'io-20250101T000000Z.ioheat';
    writeFileSync(join(folder, old), readFileSync('/etc/hostname'));
    const recording = recordTo(series({ maxBytes: 1, keep: 2 }));
    for (let second = 1; second <= 4; second++) await recording.runTo(second);
    await writerOf(recording).end(recording.source.counters());
    const left = readdirSync(folder).filter((name) => !others.includes(name));
    expect(left).toHaveLength(2);
    expect(left.sort()[1]).toBe(basename(writerOf(recording).state.name));
    expect(left).not.toContain(old);
    for (const name of others) expect(existsSync(join(folder, name))).toBe(true);
  });
});

it('records losses and what was only counted as the source tells it', async () => {
  const path = join(folder, 'io.ioheat');
  const recording = recordTo(singleFile(path));
  const writer = writerOf(recording);
  const counters = { delivered: 5, summarised: 7, lost: 3, losses: { overwritten: 2, skipped: 1 } };
  await recording.runTo(1);
  await writer.end(counters);
  const reader = openRecording(path, new IdentityTable());
  if (!reader.ok) throw new Error(reader.error.what);
  let last: unknown;
  for (let chunk = reader.value.next(); typeof chunk === 'object'; chunk = reader.value.next())
    last = chunk.counters;
  reader.value.dispose();
  expect(last).toEqual(counters);
  // Those who read the columns alone find them there.
  const frame = pl.readIPCStream(readFileSync(path));
  const lost = frame.filter(pl.col('kind').cast(pl.Utf8).eq(pl.lit('lost')));
  expect(lost.getColumn('comm').cast(pl.Utf8).toArray()).toEqual(['overwritten', 'skipped']);
  expect(lost.getColumn('count').toArray().map(Number)).toEqual([2, 1]);
});
