import { spawn } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { attachTracer } from '../../src/kernel/attach/attach.ts';
import { openLiveSource, type LiveSource } from '../../src/kernel/live/live-source.ts';
import { NO_CGROUP_NAMES } from '../../src/model/cgroup-names.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { openRecording } from '../../src/trace/recording/reading/open-recording.ts';
import { singleFile } from '../../src/trace/recording/writing/recording-files.ts';
import { RecordingWriter } from '../../src/trace/recording/writing/recording-writer.ts';
import { Summarizer } from '../../src/trace/recording/writing/summarizer.ts';
import type { EventSource } from '../../src/trace/event-source.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { buildLoad, startLoad } from '../load/load-process.ts';
import type { LoadReport } from '../load/load-process.ts';
import type { BundledEntry } from '../kernel/fixtures/bundle-entry.ts';
import { copyOf, HEADER, pattern } from '../trace/recording/fixtures/record.ts';
import type { CompletionColumns } from '../../src/model/completion-columns.ts';
import { must } from '../must.ts';
import { processorUs } from '../../src/base/processor-time.ts';

/**
 * What recording costs: bytes and CPU time per event on real traces, all threads together; how fast a
 * recording is read, how soon one of ten million events tells its extent. Needs root for the traces.
 *
 *   npm run bench -- recording
 */
function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ioheat-bench-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function startWriter(source: EventSource, path: string, nowMs: () => number): RecordingWriter {
  const { info } = source;
  const names = { devices: info, cgroups: NO_CGROUP_NAMES };
  const target = singleFile(path);
  return must(
    RecordingWriter.start({
      header: HEADER,
      identities: info.identities,
      names,
      target,
      nowMs,
    }),
  );
}

const BLOCK_BYTES = 4096;

/** CPU time of all threads, in ns. */
function cpuNs(): number {
  return processorUs() * 1000;
}

/** The batches of a trace as they came, and the second in which each did. */
interface KeptTrace {
  readonly source: EventSource;
  readonly batches: { rows: CompletionColumns; ms: number }[];
  readonly events: number;
  /** I/Os of each disk that came aggregated. */
  readonly inSum: ReadonlyMap<number, number>;
}

function openLive(): LiveSource {
  const { handover } = must(attachTracer());
  return must(openLiveSource(handover, new IdentityTable()));
}

/** Begins with the trace, so that it sees all of the load. */
async function traceWhile(begin: () => Promise<unknown>): Promise<KeptTrace> {
  const source = openLive();
  const batches: KeptTrace['batches'] = [];
  const inSum = new Map<number, number>();
  let shouldYield = false as boolean;
  const done = begin().then(() => (shouldYield = true));
  for (let events = 0; ;) {
    const over = shouldYield;
    for (let rows = source.read(); rows.length > 0; rows = source.read()) {
      batches.push({ rows: copyOf(rows), ms: performance.now() });
      events += rows.length;
    }
    for (const { identity: key, count } of source.readSummaries()) {
      const { dev } = source.info.identities.get(key);
      inSum.set(dev, (inSum.get(dev) ?? 0) + count);
    }
    if (over) {
      await done;
      source.dispose();
      return { source, batches, events, inSum };
    }
    source.audit();
    await sleep(20);
  }
}

/** Records a kept trace as if it came now, batch by batch with a flush a second of its own time. */
async function recordKept(name: string, { source, batches, events }: KeptTrace): Promise<void> {
  const costs: number[] = [];
  let bytes = 0;
  for (let round = 0; round < 5; round++) {
    const path = join(folder, `${name}-${round}.ioheat`);
    let nowMs = batches[0]!.ms;
    const writer = startWriter(source, path, () => nowMs);
    const before = cpuNs();
    for (const { rows, ms } of batches) {
      nowMs = ms;
      writer.append(rows);
      writer.tick(source.counters());
    }
    await writer.end(source.counters());
    costs.push((cpuNs() - before) / events);
    if (writer.state.failure !== undefined) throw new Error(writer.state.failure.why);
    bytes = statSync(path).size;
    rmSync(path);
  }
  const cost = Math.min(...costs).toFixed(0);
  print(
    `${name.padEnd(28)} ${String(events).padStart(8)} events  ${(bytes / events).toFixed(1)} bytes/event  ${cost} ns/event`,
  );
}

/**
 * What was seen of the I/O of a disk, beside what its programs did. Neighbours that one program submits
 * right after each other are merged into one I/O of two blocks: one in 131,072 here.
 */
function tellTruth({ source, batches, inSum }: KeptTrace, dev: number, truth: number): void {
  const { identities } = source.info;
  let rows = 0;
  let blocks = 0;
  for (const { rows: some } of batches)
    for (let row = 0; row < some.length; row++) {
      if (identities.get(some.identity[row]!).dev !== dev) continue;
      rows++;
      blocks += some.bytes[row]! / BLOCK_BYTES;
    }
  const sums = inSum.get(dev) ?? 0;
  const { lost, losses } = source.counters();
  const ways = Object.entries(losses).filter(([, count]) => count > 0);
  const missing = truth - blocks - sums - lost;
  print(
    `  of ${truth} I/Os ${rows} individual (${blocks - rows} more merged into them), ${sums} aggregated, ${lost} lost (${ways.map(String).join(' ') || 'none'}), ${missing} in no counter`,
  );
}

function shell(command: string): Promise<void> {
  return new Promise((resolve) => {
    spawn('sh', ['-c', command], { stdio: 'ignore' }).on('close', () => {
      resolve();
    });
  });
}

describe.runIf(process.getuid?.() === 0)('recordings of real traces', () => {
  let disk: LoopDevice;
  let program: BundledEntry;

  beforeAll(async () => {
    disk = LoopDevice.create({ bytes: 1 << 30, directIo: true });
    program = await buildLoad();
  });

  afterAll(() => {
    disk.dispose();
    program.dispose();
  });

  function fastest(writes: number): Promise<LoadReport[]> {
    const { path } = disk;
    const shape = { path, depth: 64, batch: 16, count: 400_000, blockBytes: 4096 };
    const orders = [1, 2].map((seed) => ({ ...shape, spanBytes: 1 << 30, seed, writes }));
    return Promise.all(orders.map((order) => startLoad(program, order).report));
  }

  it('a recording has the I/O of two processes that submit as fast as they can', async () => {
    for (const [name, writes] of [
      ['two processes, reads', 0],
      ['two processes, 30% writes', 0.3],
    ] as const) {
      let truth = 0;
      const kept = await traceWhile(async () => {
        for (const done of await fastest(writes)) truth += done.reads + done.writes;
      });
      tellTruth(kept, disk.dev, truth);
      await recordKept(name, kept);
    }
  });

  it('a recording has the I/O of a file system that is copied to and read directly', async () => {
    const mount = join(folder, 'mount');
    mkdirSync(mount);
    execFileSync('mkfs.ext4', ['-q', '-F', disk.path]);
    execFileSync('mount', [disk.path, mount]);
    try {
      const copies = `cp -r node_modules/typescript node_modules/ink ${mount}; sync; echo 3 >/proc/sys/vm/drop_caches; cat $(find ${mount} -type f) >/dev/null`;
      await recordKept('ext4, copied and read again', await traceWhile(() => shell(copies)));
      const direct = `for i in 1 2 3 4; do (dd if=/dev/zero of=${mount}/f$i bs=4k count=3000 oflag=direct; dd if=${mount}/f$i of=/dev/null bs=4k iflag=direct) & done; wait`;
      await recordKept('ext4, four dd at once', await traceWhile(() => shell(direct)));
    } finally {
      execFileSync('umount', [mount]);
    }
  });
});

describe('a large recording', () => {
  it('a recording of ten million events opens with its extent and is read to its end', async () => {
    const { source, moveTo } = pattern('storm', 1, 1_000_000);
    const path = join(folder, 'ten-million.ioheat');
    let nowMs = 0;
    const writer = startWriter(source, path, () => nowMs);
    for (let step = 1; writer.state.rows < 10_000_000; step++) {
      nowMs = step * 50;
      moveTo(nowMs * 1e6);
      for (let rows = source.read(); rows.length > 0; rows = source.read()) writer.append(rows);
      writer.tick(source.counters());
      await writer.settled();
    }
    await writer.end(source.counters());
    const { rows } = writer.state;
    print(
      `${rows} events in ${(statSync(path).size / 2 ** 20).toFixed(0)} MiB, ${(statSync(path).size / rows).toFixed(1)} bytes/event`,
    );
    for (let round = 0; round < 3; round++) readAll(path);
  });

  function readAll(path: string): void {
    const beforeMs = performance.now();
    const reader = must(openRecording(path, new IdentityTable()));
    const openedMs = performance.now();
    const { extent } = reader.header;
    let rows = 0;
    let firstMs = 0;
    for (let chunk = reader.next(); typeof chunk === 'object'; chunk = reader.next()) {
      rows += chunk.rows.length;
      if (firstMs === 0) firstMs = performance.now();
    }
    const readMs = performance.now() - openedMs;
    const rss = process.memoryUsage().rss / 2 ** 20;
    print(
      `extent of ${extent?.rows ?? 0} after ${(openedMs - beforeMs).toFixed(1)} ms, first rows after ${(firstMs - beforeMs).toFixed(1)} ms, read at ${(rows / readMs / 1000).toFixed(1)} M events/s, ${rss.toFixed(0)} MiB resident`,
    );
    reader.dispose();
  }
});

describe('summaries', () => {
  it('a recording of summaries takes little space for a busy server', async () => {
    const { source, moveTo } = pattern('mixed');
    const path = join(folder, 'sums.ioheat');
    const { info } = source;
    const sums = new Summarizer(info.identities, (dev) => info.device(dev)?.sizeBytes);
    let nowMs = 0;
    const writer = startWriter(source, path, () => nowMs);
    const seconds = 600;
    for (let second = 1; second <= seconds; second++) {
      nowMs = Math.floor(second / 10) * 10_000;
      moveTo(second * 1e9);
      for (let rows = source.read(); rows.length > 0; rows = source.read()) sums.append(rows);
      for (const summary of sums.take()) writer.appendSummary(summary);
      writer.tick(source.counters());
    }
    await writer.end(source.counters());
    const perDay = (statSync(path).size / seconds) * 86_400;
    print(
      `sums of ten minutes: ${statSync(path).size} bytes, ${(perDay / 2 ** 20).toFixed(0)} MiB a day`,
    );
  });
});
