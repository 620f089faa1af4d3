import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compressionRegistry, CompressionType, tableFromIPC, tableToIPC } from 'apache-arrow';
import { compressFrameSync, decompressFrameSync } from 'lz4-napi';
import pl from 'nodejs-polars';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExitCode } from '../../../src/base/result.ts';
import { openTrace } from '../../../src/app/open/open-trace.ts';
import { deviceName } from '../../../src/model/device.ts';
import type { CompletionColumns } from '../../../src/model/completion-columns.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { opClass } from '../../../src/model/operation.ts';
import { errnoOf, flagsText } from '../../../src/model/request-text.ts';
import { END_OF_STREAM } from '../../../src/trace/recording/arrow/arrow-message.ts';
import type { EventSource } from '../../../src/trace/event-source.ts';
import type { TraceReader } from '../../../src/trace/trace-reader.ts';
import { summaryOf } from '../../history/fixtures.ts';
import { joinTraces } from '../../../src/trace/replay/join-traces.ts';
import { bytesOf, CLOCK_BASE, copyOf, encoderFor, joined, pattern } from './fixtures/record.ts';
import { must } from '../../must.ts';

const folder = mkdtempSync(join(tmpdir(), 'ioheat-rewritten-'));
let source: EventSource;
let rows: CompletionColumns;
let recording: Buffer;

beforeAll(async () => {
  compressionRegistry.set(CompressionType.LZ4_FRAME, {
    encode: (raw: Uint8Array) => compressFrameSync(Buffer.from(raw)),
    decode: (raw: Uint8Array) => decompressFrameSync(Buffer.from(raw)),
  });
  const made = pattern('mixed', 3, 300);
  ({ source } = made);
  const encoder = encoderFor(source);
  const parts = [Buffer.from(encoder.begin())];
  const taken: CompletionColumns[] = [];
  const nobody = source.info.identities.intern({
    ...{ ...source.info.identities.get(0), comm: '', tgid: 0, tid: 0 },
    marks: IdentityMark.ownerUnknown | IdentityMark.noDetail,
  });
  for (const second of [1, 2, 3]) {
    made.moveTo(second * 1e9);
    const read = copyOf(source.read());
    read.queueNs[0] = NaN;
    read.sector[1] = NaN;
    taken.push(read);
    encoder.append(read);
    if (second === 2)
      encoder.appendSummary(
        summaryOf({ startNs: 1e9, endNs: 2e9, identity: nobody, count: 77, bytes: 6e9 }),
      );
    const lost = { unseen: second };
    const counters = { delivered: 0, summarised: 0, lost: second, losses: lost };
    parts.push(Buffer.from(await bytesOf(encoder.flush(counters))));
  }
  rows = joined(taken);
  recording = Buffer.concat([...parts, END_OF_STREAM]);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function opened(bytes: Uint8Array, identities: IdentityTable): Promise<TraceReader> {
  const path = join(mkdtempSync(join(folder, 'one-')), 'rewritten.arrow');
  writeFileSync(path, bytes);
  return must(await openTrace(path, identities));
}

interface Io {
  readonly wallNs: bigint;
  readonly times: readonly number[];
  readonly what: readonly unknown[];
}

function iosOf(
  columns: CompletionColumns,
  identities: IdentityTable,
  names: Pick<EventSource['info'], 'device'>,
  wallNs: bigint,
): Io[] {
  return Array.from({ length: columns.length }, (_, row) => {
    const { dev, cmdFlags, tgid, tid, comm, error } = identities.get(columns.identity[row]!);
    return {
      wallNs: wallNs + BigInt(Math.round(columns.completeNs[row]!)),
      times: [
        columns.deviceNs[row]!,
        columns.queueNs[row]!,
        columns.sector[row]!,
        columns.bytes[row]!,
      ],
      what: [
        deviceName(names, dev),
        opClass(cmdFlags),
        flagsText({ cmdFlags, marks: 0 }),
        tgid,
        tid,
        comm,
        errnoOf(error),
      ],
    };
  });
}

async function expectSame(bytes: Uint8Array): Promise<TraceReader> {
  const identities = new IdentityTable();
  const reader = await opened(bytes, identities);
  const taken: CompletionColumns[] = [];
  let summarised = 0;
  let lost: unknown;
  for (let chunk = reader.next(); typeof chunk === 'object'; chunk = reader.next()) {
    taken.push(copyOf(chunk.rows));
    for (const { count, startNs, endNs } of chunk.summaries) {
      summarised += count;
      expect(endNs - startNs).toBe(1e9);
    }
    lost = chunk.counters?.losses;
  }
  reader.dispose();
  const names = { device: (dev: number) => reader.devices().find((one) => one.dev === dev) };
  expect([summarised, lost, reader.problems()]).toEqual([77, { unseen: 3 }, []]);
  const found = iosOf(joined(taken), identities, names, reader.header.clockBase.wallNs);
  expect(found).toEqual(iosOf(rows, source.info.identities, source.info, CLOCK_BASE.wallNs));
  return reader;
}

describe('a recording that another program wrote again', () => {
  it('a recording that Polars wrote again is read, as stream or file, uncompressed or LZ4', async () => {
    const frame = pl.readIPCStream(recording);
    for (const compression of ['uncompressed', 'lz4'] as const) {
      await expectSame(frame.writeIPCStream({ compression }));
      await expectSame(frame.writeIPC({ compression }));
    }
  });

  it('rewritten parts of a recording, one per disk, are of several disks when they are read together', async () => {
    const frame = pl.readIPCStream(recording).withColumns(pl.col('device').cast(pl.Utf8));
    const disks = ['nvme0n1', 'sda', 'sdb'];
    const parts = disks.map(async (name) => {
      const identities = new IdentityTable();
      const part = frame.filter(pl.col('device').eq(pl.lit(name)));
      return { name, identities, reader: await opened(part.writeIPCStream(), identities) };
    });
    const joint = joinTraces(await Promise.all(parts), {
      ...{ identities: new IdentityTable(), oneHost: false },
    });
    for (const { reader } of joint.feeds) while (reader.next() !== 'ended');
    expect(
      joint.info
        .devices()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(disks);
  });

  it('a recording of which Polars kept no row is empty', async () => {
    const frame = pl.readIPCStream(recording).filter(pl.col('bytes').lt(pl.lit(0)));
    const reader = await opened(frame.writeIPCStream(), new IdentityTable());
    expect([reader.next(), reader.problems()]).toEqual(['ended', []]);
    reader.dispose();
  });

  it('the spelling of flags in early recordings is still understood', async () => {
    const flags = pl.col('flags').cast(pl.Utf8);
    const early = flags.str.replaceAll('readahead', 'readAhead').alias('flags');
    const frame = pl.readIPCStream(recording).withColumns(early);
    expect(frame.getColumn('flags').toArray()).toContain('readAhead');
    await expectSame(frame.writeIPCStream());
  });

  it('a recording that Apache Arrow wrote again is read, with what its schema says', async () => {
    const { header } = await expectSame(tableToIPC(tableFromIPC(recording), 'stream'));
    expect(header).toMatchObject({ writer: 'ioheat test, rewritten', host: 'fileserver' });
  });

  it('a rewritten recording is refused by name when compressed with zstd, or lacking a column', async () => {
    const frame = pl.readIPCStream(recording);
    const why = async (bytes: Uint8Array) => {
      const reader = await opened(bytes, new IdentityTable()).catch((cause: unknown) => cause);
      if (reader instanceof Error) return reader.message;
      const one = reader as TraceReader;
      while (typeof one.next() === 'object');
      one.dispose();
      return one
        .problems()
        .map(({ what }) => what)
        .join();
    };
    expect(await why(frame.writeIPC({ compression: 'zstd' }))).toContain('zstd');
    expect(await why(frame.drop('time').writeIPC())).toContain('no column "time"');
  });

  it('a recording whose buffers claim to be huge needs no more memory than its rows', async () => {
    const bytes = Buffer.from(pl.readIPCStream(recording).writeIPCStream({ compression: 'lz4' }));
    const frame = bytes.indexOf(Buffer.from('04224d18', 'hex'));
    for (const claim of [2n ** 40n, 2n ** 30n, 2n ** 62n]) {
      const bomb = Buffer.from(bytes);
      for (let at = frame; at > 0; at = bomb.indexOf(Buffer.from('04224d18', 'hex'), at + 1))
        bomb.writeBigInt64LE(claim, at - 8);
      const before = process.memoryUsage.rss();
      const reader = await opened(bomb, new IdentityTable()).catch((cause: unknown) => cause);
      if (reader instanceof Error) expect(reader.message).toMatch(/length|size/);
      else {
        const one = reader as TraceReader;
        while (typeof one.next() === 'object');
        expect(one.problems().length).toBeGreaterThan(0);
        one.dispose();
      }
      expect(process.memoryUsage.rss() - before).toBeLessThan(200 << 20);
    }
  });
});

it('of a recording that ends in its first message, the message names the reason, and no format', async () => {
  const path = join(folder, 'start.ioheat');
  writeFileSync(path, recording.subarray(0, 100));
  const opened = await openTrace(path, new IdentityTable());
  expect(opened).toEqual({
    ok: false,
    error: {
      exitCode: ExitCode.failed,
      what: `${path}: cannot read any I/O from this Arrow file`,
      why: 'it is truncated',
    },
  });
});
