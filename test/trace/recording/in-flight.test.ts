import { describe, expect, it } from 'vitest';
import { NO_CGROUP_NAMES } from '../../../src/model/cgroup-names.ts';
import { MERGED_FILES } from '../../../src/model/file.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import { inFlightAt, InFlightBook } from '../../../src/model/in-flight-book.ts';
import type { InFlightSpan, KnownInFlight } from '../../../src/model/in-flight.ts';
import { Op } from '../../../src/model/operation.ts';
import { END_OF_STREAM } from '../../../src/trace/recording/arrow/arrow-message.ts';
import { RecordingEncoder } from '../../../src/trace/recording/format/recording-encoder.ts';
import { JoinedHosts, TraceHost } from '../../../src/trace/replay/joined-hosts.ts';
import { joinedInFlight } from '../../../src/trace/replay/joined-in-flight.ts';
import type { SourceCounters } from '../../../src/trace/completion-summary.ts';
import { bytesOf, HEADER, pattern, readerOf, readRows } from './fixtures/record.ts';

const NONE_LOST: SourceCounters = { delivered: 0, summarised: 0, lost: 0, losses: {} };

const READ: InFlightSpan = {
  number: 4,
  sinceNs: 10e9,
  issueNs: 10.5e9,
  untilNs: Infinity,
  identity: {
    ...{ dev: 8 << 20, cmdFlags: Op.write, tgid: 7, tid: 8, comm: 'dd', cgroup: 1, error: 0 },
    marks: IdentityMark.indirect | IdentityMark.severalWriters,
    via: 'kworker/u8:1',
  },
  bytes: 4096,
  sector: 2 ** 35,
  file: undefined,
  fileOffset: undefined,
};

/** A recording of nothing but what is in flight. */
function recording(inFlight: KnownInFlight | undefined, startNs = 0) {
  const { source } = pattern('mixed');
  const { identities } = source.info;
  const encoder = new RecordingEncoder({
    ...{ header: HEADER, identities, inFlight },
    names: { devices: source.info, cgroups: NO_CGROUP_NAMES },
    recorded: () => ({ startNs, endNs: startNs + 60e9 }),
  });
  const parts: Uint8Array[] = [encoder.begin()];
  return {
    encoder,
    files: identities.files,
    flush: async () => parts.push(await bytesOf(encoder.flush(NONE_LOST))),
    read: () => {
      const reader = readerOf(Buffer.concat([...parts, END_OF_STREAM]));
      readRows(reader);
      return reader;
    },
  };
}

describe('I/O in flight in a recording', () => {
  it('I/O in flight in a recording is read back as it was noted, while it hangs without any other I/O and after it has ended', async () => {
    const book = new InFlightBook();
    const { encoder, flush, read } = recording(book);
    expect(encoder.hasNotes).toBe(false);
    book.put(READ);
    expect(encoder.hasNotes).toBe(true);
    await flush();
    expect(encoder.hasNotes).toBe(false);
    expect(read().inFlight?.spans()).toEqual([READ]);
    book.end(READ.number, 30e9);
    await flush();
    expect(read().inFlight?.spans()).toEqual([{ ...READ, untilNs: 30e9 }]);
  });

  it('I/O in flight in a recording is in its layer: that of disks, or of a volume', async () => {
    const book = new InFlightBook();
    const { flush, read } = recording(book);
    const ofVolume: InFlightSpan = {
      ...READ,
      number: 5,
      identity: { ...READ.identity, layer: 'volumes' },
    };
    book.put(READ);
    book.put(ofVolume);
    await flush();
    expect(read().inFlight?.spans()).toEqual([READ, ofVolume]);
    const stages = inFlightAt(read().inFlight!, 20e9).map(({ stage }) => stage);
    expect(stages).toEqual(['at the device', 'in the volume']);
  });

  it('I/O in flight in a recording has its file, although no I/O of that file has completed', async () => {
    const book = new InFlightBook();
    const { files, flush, read } = recording(book);
    const path = '/var/lib/mysql/orders.ibd';
    const file = files.intern({ kind: 'file', dev: 1, inode: 2, generation: 3, path });
    book.put({ ...READ, file: file + MERGED_FILES, fileOffset: 65536 });
    await flush();
    const identities = read();
    const [span] = identities.inFlight!.spans();
    expect(span).toMatchObject({ fileOffset: 65536 });
    expect(span!.file).toBeGreaterThan(MERGED_FILES);
  });

  it('I/O in flight in a recording may be anywhere in a file of any length', async () => {
    const book = new InFlightBook();
    const { files, flush, read } = recording(book);
    const file = files.intern({ kind: 'file', dev: 1, inode: 2, generation: 3, path: '/sparse' });
    book.put({ ...READ, file, fileOffset: 2 ** 62 });
    await flush();
    expect(read().inFlight?.spans()).toMatchObject([{ fileOffset: 2 ** 62 }]);
  });

  it('I/O in flight is unknown in a recording whose source did not know it', async () => {
    const { flush, read } = recording(undefined);
    await flush();
    expect(read().inFlight).toBeUndefined();
  });

  it('a file of a series of recordings starts with the I/O that is still in flight', async () => {
    const book = new InFlightBook();
    book.put({ ...READ, untilNs: 20e9 });
    book.put({ ...READ, number: 5 });
    const { flush, read } = recording(book, 60e9);
    await flush();
    expect(read().inFlight?.spans()).toEqual([{ ...READ, number: 5 }]);
  });
});

describe('I/O in flight in several recordings', () => {
  const trace = (spans: readonly InFlightSpan[], endNs = Infinity) => ({
    reader: { inFlight: { spans: () => spans, version: 1 } },
    ...{ offsetNs: 0, host: undefined, endNs, fileOf: undefined },
  });

  it('I/O in flight in several recordings is one I/O where the files of a series follow each other', () => {
    const whole = joinedInFlight([
      trace([READ], 20e9),
      trace([{ ...READ, number: 0, untilNs: 30e9 }]),
    ])!;
    expect(inFlightAt(whole, 15e9).map(({ ageNs }) => ageNs)).toEqual([5e9]);
    expect(inFlightAt(whole, 25e9).map(({ ageNs }) => ageNs)).toEqual([15e9]);
    expect(inFlightAt(whole, 31e9)).toEqual([]);
  });

  it('I/O in flight in several recordings keeps its number while others of any of them become known', () => {
    const other: InFlightSpan = { ...READ, sinceNs: 12e9 };
    const later: InFlightSpan = { ...READ, number: 7, sinceNs: 14e9 };
    const numbers = (...traces: (readonly InFlightSpan[])[]) =>
      joinedInFlight(traces.map((spans) => trace(spans)))!
        .spans()
        .map(({ sinceNs, number }) => [sinceNs, number] as const);
    const before = numbers([READ], [other]);
    const after = new Map(numbers([READ, later], [{ ...READ, untilNs: 90e9 }, other]));
    for (const [sinceNs, number] of before) expect(after.get(sinceNs)).toBe(number);
    expect(new Set(after.values()).size).toBe(3);
  });

  it('I/O in flight in several recordings ends with its file where others follow', () => {
    const whole = joinedInFlight([trace([READ], 20e9), trace([])])!;
    expect(inFlightAt(whole, 19e9)).toHaveLength(1);
    expect(inFlightAt(whole, 21e9)).toEqual([]);
  });

  it('I/O in flight in several recordings is at the time, on the disk and of the host of its recording', () => {
    const host = new TraceHost('db2', { devices: () => [] }, new JoinedHosts());
    const other = { ...trace([READ]), offsetNs: 1e9, host };
    expect(joinedInFlight([trace([]), other])?.spans()).toMatchObject([
      { sinceNs: 11e9, issueNs: 11.5e9, identity: { dev: 2 ** 32 + (8 << 20), comm: 'dd@db2' } },
    ]);
  });

  it('I/O in flight in several recordings is unknown where no recording has it', () => {
    expect(joinedInFlight([{ ...trace([]), reader: {} }])).toBeUndefined();
  });
});
