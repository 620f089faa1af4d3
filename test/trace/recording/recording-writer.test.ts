import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pl from 'nodejs-polars';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_CGROUP_NAMES } from '../../../src/model/cgroup-names.ts';
import { err, ExitCode, ok } from '../../../src/base/result.ts';
import type { CompletionColumns } from '../../../src/model/completion-columns.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import type { RecordingSink } from '../../../src/trace/recording/writing/file-sink.ts';
import type { Losses } from '../../../src/trace/recording/format/recording-encoder.ts';
import { openRecording } from '../../../src/trace/recording/reading/open-recording.ts';
import { rotatingFiles, singleFile } from '../../../src/trace/recording/writing/recording-files.ts';
import { RecordingWriter } from '../../../src/trace/recording/writing/recording-writer.ts';
import type { RecordingTarget } from '../../../src/trace/recording/writing/recording-writer.ts';
import type { SourceCounters } from '../../../src/trace/completion-summary.ts';
import { needs } from '../../needs.ts';
import { columnBytes, copyOf, HEADER, joined, pattern, readRows } from './fixtures/record.ts';
import { must } from '../../must.ts';

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
    identities: source.info.identities,
    names: { devices: source.info, cgroups: NO_CGROUP_NAMES },
    target,
    nowMs: () => nowMs,
  });
  const taken: CompletionColumns[] = [];
  /** Passes on all I/O until then, and waits for nothing. */
  const goTo = (second: number, losses?: Losses): RecordingWriter => {
    const writer = must(started);
    nowMs = second * 1000;
    moveTo(second * 1e9);
    for (let rows = source.read(); rows.length > 0; rows = source.read()) {
      taken.push(copyOf(rows));
      writer.append(rows);
    }
    writer.tick({ ...source.counters(), ...losses });
    return writer;
  };
  const runTo = (second: number, losses?: Losses): Promise<void> => goTo(second, losses).settled();
  return { source, started, goTo, runTo, rows: () => joined(taken) };
}

/** Of a sink that is no file. */
const NO_FILE = {
  takeBack: () => Promise.resolve(false),
  check: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

function writerOf({ started }: ReturnType<typeof recordTo>): RecordingWriter {
  return must(started);
}

function readBack(path: string) {
  const reader = must(openRecording(path, new IdentityTable()));
  const rows = readRows(reader);
  const problems = reader.problems();
  const { extent } = reader.header;
  reader.dispose();
  return { rows, problems, extent };
}

describe('a recording in a file', () => {
  it('a recording contains what was written and its time range, readable only by its owner', async () => {
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
  ])('a recording never replaces %s', (_, make) => {
    const path = join(folder, 'io.ioheat');
    make(path);
    const { started } = recordTo(singleFile(path));
    expect(started).toMatchObject({ ok: false });
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
  });

  it('a recording replaces an ordinary file when asked to, and nothing else', () => {
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

describe('a recording that replaces a file', () => {
  it('a recording replaces a file with its first bytes, so that a kill leaves the old file or a new one', async () => {
    const path = join(folder, 'io.ioheat');
    writeFileSync(path, 'old');
    const recording = recordTo(singleFile(path, true));
    expect(readFileSync(path, 'utf8')).toBe('old');
    await writerOf(recording).settled();
    expect(readBack(path).rows).toHaveLength(0);
    expect(readdirSync(folder)).toEqual(['io.ioheat']);
    await recording.runTo(1);
    await writerOf(recording).end(recording.source.counters());
    expect(readBack(path).rows.length).toBeGreaterThan(0);
  });

  it(
    'a recording that cannot write its first bytes leaves the file that it was to replace',
    needs('root'),
    async () => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', folder]);
      try {
        const path = join(folder, 'io.ioheat');
        writeFileSync(path, 'old');
        writeFileSync(join(folder, 'others'), Buffer.alloc(4096));
        const recording = recordTo(singleFile(path, true));
        await recording.runTo(1);
        const writer = writerOf(recording);
        await writer.end(recording.source.counters());
        expect(writer.state.failure).toMatchObject({
          what: `cannot record to ${path}`,
          why: 'no space left on the disk',
        });
        expect(readFileSync(path, 'utf8')).toBe('old');
        expect(readdirSync(folder).sort()).toEqual(['io.ioheat', 'others']);
      } finally {
        execFileSync('umount', [folder]);
      }
    },
  );
});

describe('a recording on a disk that refuses', () => {
  it(
    'a recording ends with a reason when the disk is full, and is valid',
    needs('root'),
    async () => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96k', 'tmpfs', folder]);
      try {
        const path = join(folder, 'io.ioheat');
        const recording = recordTo(singleFile(path));
        for (let second = 1; second <= 4; second++) await recording.runTo(second);
        const writer = writerOf(recording);
        expect(writer.state.failure).toMatchObject({ why: 'no space left on the disk' });
        await writer.end(recording.source.counters());
        const { rows, problems } = readBack(path);
        const truth = recording.rows();
        expect(rows.length).toBeGreaterThan(100);
        expect(columnBytes(rows)).toEqual(columnBytes(truth, 0, rows.length));
        expect(problems).toEqual([]);
      } finally {
        execFileSync('umount', [folder]);
      }
    },
  );

  it('a recording ends when the disk is too slow, and its buffer stays within bounds', async () => {
    let written = 0;
    let release: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => (release = resolve));
    const sink: RecordingSink = {
      name: 'a stuck disk',
      write: (pieces) => {
        written += pieces.length;
        return stuck;
      },
      ...NO_FILE,
    };
    const recording = recordTo({ open: () => ok(sink), isFull: () => false }, 1_000_000);
    const writer = writerOf(recording);
    let second = 0;
    for (; writer.state.failure === undefined && second < 20; second++)
      void recording.runTo(second);
    expect(writer.state.failure).toMatchObject({
      why: expect.stringContaining('cannot keep up') as string,
    });
    const { rows } = writer.state;
    void recording.runTo(second + 1);
    expect(writer.state.rows).toBe(rows);
    expect(written).toBeLessThan(3);
    release();
    await writer.end(recording.source.counters());
  });

  it('a reader that closed the pipe is not taken for a disk that failed', async () => {
    const sink: RecordingSink = {
      name: 'a pipe',
      write: () => Promise.reject(Object.assign(new Error('broken'), { code: 'EPIPE' })),
      ...NO_FILE,
    };
    const recording = recordTo({ open: () => ok(sink), isFull: () => false });
    await recording.runTo(1);
    expect(writerOf(recording).state.failure).toMatchObject({
      why: 'its reader has closed the pipe',
    });
  });
});

describe('a recording in a series of files', () => {
  /** `stepMs`: how far the wall clock moves from one file to the next. */
  function series(
    options: { maxBytes?: number; maxMs?: number; keep?: number },
    stepMs = 1000,
  ): RecordingTarget {
    let wallMs = Date.UTC(2026, 0, 31, 14, 2, 11);
    const wallClock = () => (wallMs += stepMs);
    return rotatingFiles({ path: join(folder, 'io.ioheat'), wallMs: wallClock, ...options });
  }

  it('a rotated recording starts a new file by time or size, each readable alone', async () => {
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

  it('a rotated recording keeps the last files and removes no other files', async () => {
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

  it('a rotated recording that keeps one file has the latest I/O, and goes on', async () => {
    const recording = recordTo(series({ maxBytes: 1, keep: 1 }));
    for (let second = 1; second <= 4; second++) await recording.runTo(second);
    await writerOf(recording).end(recording.source.counters());
    const { name, failure, unwritten } = writerOf(recording).state;
    expect([failure, unwritten]).toEqual([undefined, 0]);
    expect(readdirSync(folder)).toEqual([basename(name)]);
    expect(readBack(name).problems).toEqual([]);
  });

  it('a rotated recording removes its oldest files also when the wall clock is set back', async () => {
    const recording = recordTo(series({ maxBytes: 1, keep: 2 }, -3600_000));
    for (let second = 1; second <= 4; second++) await recording.runTo(second);
    await writerOf(recording).end(recording.source.counters());
    expect(writerOf(recording).state.failure).toBeUndefined();
    const parts = readdirSync(folder)
      .sort()
      .map((name) => readBack(join(folder, name)).rows);
    const [all, kept] = [recording.rows(), joined(parts)];
    expect(parts).toHaveLength(2);
    expect(columnBytes(kept)).toEqual(columnBytes(all, all.length - kept.length));
  });

  it('a rotated recording does not remove a file that it still writes, however slow the disk is', async () => {
    const recording = recordTo(series({ maxMs: 1000, keep: 1 }));
    const writer = writerOf(recording);
    for (let second = 1; second <= 4; second++) recording.goTo(second);
    await writer.end(recording.source.counters());
    expect(writer.state.failure).toBeUndefined();
    expect(readdirSync(folder)).toEqual([basename(writer.state.name)]);
  });

  it('a recording whose next file cannot be created stops, and has all I/O until then', async () => {
    const files = series({ maxMs: 2000 });
    const cannotCreate = err({ exitCode: ExitCode.failed, what: 'cannot create the next file' });
    let opened = 0;
    const open = () => (opened++ === 0 ? files.open() : cannotCreate);
    const recording = recordTo({ ...files, open });
    for (let second = 1; second <= 2; second++) await recording.runTo(second);
    await writerOf(recording).end(recording.source.counters());
    const { failure, unwritten, name } = writerOf(recording).state;
    expect([failure, unwritten]).toEqual([cannotCreate.error, 0]);
    const { rows, problems } = readBack(name);
    expect(problems).toEqual([]);
    expect(columnBytes(rows)).toEqual(columnBytes(recording.rows()));
  });

  it('a recording whose oldest file cannot be removed stops, and says why', async () => {
    const gone = rotatingFiles({ path: join(folder, 'gone/io'), keep: 1, wallMs: () => 0 });
    const recording = recordTo({ ...gone, open: () => series({}).open() });
    await recording.runTo(1);
    expect(writerOf(recording).state.failure).toMatchObject({
      what: 'the recording stopped',
      why: 'cannot remove its oldest file: no such file or directory',
    });
    await writerOf(recording).end(recording.source.counters());
    expect(readBack(writerOf(recording).state.name).problems).toEqual([]);
  });
});

/** A file by its own words, and as its reader finds it. */
function ownWords(path: string) {
  const reader = must(openRecording(path, new IdentityTable()));
  let counters: SourceCounters | undefined;
  const found = { delivered: 0, summarised: 0 };
  for (let chunk = reader.next(); typeof chunk === 'object'; chunk = reader.next()) {
    counters = chunk.counters ?? counters;
    found.delivered += chunk.rows.length;
    for (const { count } of chunk.summaries) found.summarised += count;
  }
  const problems = reader.problems().map(({ what }) => what);
  reader.dispose();
  if (counters === undefined) throw new Error(`${path} has no counts`);
  return { counters, found, problems };
}

it('the end of a recording has its counts, and losses as the source reported them', async () => {
  const path = join(folder, 'io.ioheat');
  const recording = recordTo(singleFile(path));
  const writer = writerOf(recording);
  const losses = { lost: 3, losses: { overwritten: 2, skipped: 1 } };
  await recording.runTo(1);
  await writer.end({ delivered: 5, summarised: 7, ...losses });
  const { counters, found } = ownWords(path);
  expect(found.delivered).toBe(recording.rows().length);
  expect(counters).toEqual({ ...found, ...losses });
  // Those who read the columns alone find them there.
  expect(lostRows(path)).toEqual([
    ['overwritten', 2],
    ['skipped', 1],
  ]);
});

function lostRows(path: string): [string, number][] {
  const frame = pl.readIPCStream(readFileSync(path));
  const lost = frame.filter(pl.col('kind').cast(pl.Utf8).eq(pl.lit('lost')));
  const counts = lost.getColumn('count').toArray().map(Number);
  const names = lost.getColumn('comm').cast(pl.Utf8).toArray();
  return names.map((name, index) => [name, counts[index]!]);
}

it('losses before a rotated recording started are counted in none of its files', async () => {
  let wallMs = Date.UTC(2026, 0, 31);
  const wallClock = () => (wallMs += 1000);
  const path = join(folder, 'io.ioheat');
  const recording = recordTo(rotatingFiles({ path, maxMs: 2000, wallMs: wallClock }));
  for (let second = 1; second <= 5; second++)
    await recording.runTo(second, { lost: second, losses: { skipped: second } });
  await writerOf(recording).end({
    ...recording.source.counters(),
    lost: 6,
    losses: { skipped: 6 },
  });
  const files = readdirSync(folder).map((name) => ownWords(join(folder, name)));
  for (const { counters, found } of files) expect(counters).toMatchObject(found);
  expect(files.map(({ counters }) => counters.lost).reduce((a, b) => a + b)).toBe(6);
});

describe('a disk that takes no more', () => {
  /** As a file, but with room for so many bytes; beyond it fails. */
  function limited(room: number, code: string): { target: RecordingTarget; path: string } {
    const path = join(folder, 'limited.ioheat');
    const sink = must(singleFile(path).open());
    let held = 0;
    const target = {
      open: () =>
        ok<RecordingSink>({
          name: path,
          write: async (pieces) => {
            const size = pieces.reduce((sum, { length }) => sum + length, 0);
            if (held + size > room) throw Object.assign(new Error(code), { code });
            held += size;
            await sink.write(pieces);
          },
          takeBack: async (bytes) => {
            held -= bytes;
            return sink.takeBack(bytes);
          },
          check: sink.check.bind(sink),
          close: sink.close.bind(sink),
        }),
      isFull: () => false,
    };
    return { target, path };
  }

  it.each(
    ['ENOSPC', 'EDQUOT', 'EFBIG'].flatMap((code) =>
      [20_000, 30_001, 47_777, 50_000].map((room) => [code, room] as const),
    ),
  )('after %s at %i bytes, a recording is valid and counts what is missing', async (code, room) => {
    const { target, path } = limited(room, code);
    const recording = recordTo(target);
    for (let second = 1; second <= 4; second++) await recording.runTo(second);
    const writer = writerOf(recording);
    await writer.end(recording.source.counters());
    const { counters, found, problems } = ownWords(path);
    const { rows, unwritten, failure } = writer.state;
    expect(failure).toBeDefined();
    expect(problems).toEqual([]);
    expect(counters).toEqual({ ...found, lost: unwritten, losses: { unwritten } });
    expect(found.delivered).toBe(rows);
    expect(unwritten).toBeGreaterThan(0);
    expect(rows + unwritten).toBe(recording.rows().length);
    expect(statSync(path).size).toBeLessThanOrEqual(room);
    expect(lostRows(path)).toEqual([['unwritten', unwritten]]);
  });

  it('after a disk error, a recording keeps what is complete, and counts no more', async () => {
    const { target, path } = limited(30_000, 'EIO');
    const recording = recordTo(target);
    for (let second = 1; second <= 4; second++) await recording.runTo(second);
    const writer = writerOf(recording);
    await writer.end(recording.source.counters());
    const { counters, found } = ownWords(path);
    expect(counters).toMatchObject(found);
    expect(writer.state.rows).toBe(found.delivered);
    expect(writer.state.rows + writer.state.unwritten).toBe(recording.rows().length);
  });
});

describe('a file that is taken away while it is recorded', () => {
  it.each([
    ['deleted', () => undefined],
    [
      'replaced',
      (path: string) => {
        writeFileSync(path, 'mine');
      },
    ],
  ])(
    'a recording file that is %s ends the recording within a second, and counts nothing as recorded',
    async (_, then) => {
      const path = join(folder, 'io.ioheat');
      const recording = recordTo(singleFile(path));
      const writer = writerOf(recording);
      await recording.runTo(1);
      expect(writer.state.rows).toBeGreaterThan(0);
      rmSync(path);
      then(path);
      await recording.runTo(2);
      expect(writer.state.failure).toMatchObject({ why: 'the file was deleted or replaced' });
      await writer.end(recording.source.counters());
      expect(writer.state).toMatchObject({ rows: 0, bytes: 0, unwritten: recording.rows().length });
      if (existsSync(path)) expect(readFileSync(path, 'utf8')).toBe('mine');
    },
  );

  it('recording continues into a file that is renamed, and says so at the end', async () => {
    const path = join(folder, 'io.ioheat');
    const recording = recordTo(singleFile(path));
    const writer = writerOf(recording);
    await recording.runTo(1);
    renameSync(path, `${path}.moved`);
    await recording.runTo(2);
    expect(writer.state.failure).toBeUndefined();
    await writer.end(recording.source.counters());
    expect(writer.state.failure).toMatchObject({ why: 'the file was moved while recording' });
    const { counters, found, problems } = ownWords(`${path}.moved`);
    expect([counters.delivered, problems]).toEqual([found.delivered, []]);
    expect(found.delivered).toBe(recording.rows().length);
  });
});
