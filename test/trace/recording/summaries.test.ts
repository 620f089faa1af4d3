import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FINE_BINS, fineBin, OFFSET_BINS } from '../../../src/model/fine-bins.ts';
import { IdentityMark, type Identity } from '../../../src/model/identity.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { layerOf } from '../../../src/model/layer.ts';
import { OTHER_CALL } from '../../../src/model/call.ts';
import { opClass } from '../../../src/model/operation.ts';
import { Summarizer } from '../../../src/trace/recording/writing/summarizer.ts';
import type { CompletionSummary } from '../../../src/trace/completion-summary.ts';
import { summaryOf } from '../../history/fixtures.ts';
import { bytesOf, encoderFor, pattern, readerOf } from './fixtures/record.ts';

function histogram(size: number) {
  const bin = fc.tuple(fc.nat({ max: size - 1 }), fc.integer({ min: 1, max: 2 ** 32 - 1 }));
  return fc.array(bin, { maxLength: 20 }).map((bins) => {
    const counts = new Uint32Array(size);
    for (const [at, count] of bins) counts[at] = count;
    return counts;
  });
}

const sum = fc.double({ min: 0, max: 2 ** 60, noNaN: true });

const anySummary = fc.record({
  startNs: fc.integer({ min: 0, max: 2 ** 40 }),
  spanNs: fc.integer({ min: 0, max: 2 ** 40 }),
  count: fc.integer({ min: 0, max: 2 ** 40 }),
  bytes: fc.integer({ min: 0, max: 2 ** 52 }),
  errors: fc.option(fc.nat(), { nil: undefined }),
  countVariance: fc.option(sum, { nil: undefined }),
  deviceNsSum: sum,
  queueNsSum: sum,
  maxDeviceNs: sum,
  maxQueueNs: sum,
  offsetShift: fc.integer({ min: 0, max: 40 }),
  device: histogram(FINE_BINS),
  queue: histogram(FINE_BINS),
  total: histogram(FINE_BINS),
  size: histogram(FINE_BINS),
  offset: histogram(OFFSET_BINS),
});

function readSummaries(bytes: Uint8Array, identities: IdentityTable) {
  const reader = readerOf(bytes, identities);
  const found: CompletionSummary[] = [];
  for (let chunk = reader.next(); typeof chunk === 'object'; chunk = reader.next())
    found.push(...chunk.summaries);
  return found;
}

it('a recording gives back aggregates to the last digit', async () => {
  const { source } = pattern('mixed');
  const key = source.info.identities.intern({
    ...source.info.identities.get(1),
    marks: IdentityMark.noDetail,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anySummary, { minLength: 1, maxLength: 10 }), async (made) => {
      const summaries = made.map(({ spanNs, errors, countVariance, ...rest }) => ({
        ...{ ...rest, identity: key, endNs: rest.startNs + spanNs },
        ...(errors !== undefined && { errors }),
        ...(countVariance !== undefined && { countVariance }),
      }));
      const encoder = encoderFor(source);
      const begin = encoder.begin();
      for (const summary of summaries) encoder.appendSummary(summary);
      const body = await bytesOf(encoder.flush(undefined));
      const identities = new IdentityTable();
      const back = readSummaries(Buffer.concat([begin, body]), identities);
      expect(back.map((one) => ({ ...one, identity: key }))).toEqual(summaries);
      expect(identities.get(back[0]!.identity)).toEqual(source.info.identities.get(key));
    }),
    { numRuns: 50 },
  );
});

it('a recording gives back whose and of which layer an aggregate is, also of calls and without an owner', async () => {
  const { source } = pattern('mixed');
  const { identities: made } = source.info;
  const nobody = { dev: 0, cmdFlags: 0xff, tgid: 0, tid: 0, comm: '', cgroup: 0, error: 0 };
  const { noDetail, ownerUnknown } = IdentityMark;
  const keys: readonly Identity[] = [
    { ...nobody, marks: noDetail | ownerUnknown, layer: 'calls' },
    {
      ...nobody,
      dev: 7,
      cmdFlags: 0,
      tgid: 3,
      tid: 3,
      comm: 'db',
      marks: noDetail,
      layer: 'calls',
    },
    { ...nobody, dev: 7, cmdFlags: OTHER_CALL, tgid: 3, tid: 3, marks: noDetail, layer: 'calls' },
    { ...nobody, dev: 8, cmdFlags: 1, marks: noDetail | ownerUnknown, layer: 'volumes' },
    { ...nobody, dev: 9, cmdFlags: 1, marks: noDetail | ownerUnknown },
  ];
  const encoder = encoderFor(source);
  const begin = encoder.begin();
  for (const key of keys)
    encoder.appendSummary(summaryOf({ identity: made.intern(key), count: 5 }));
  const body = await bytesOf(encoder.flush(undefined));
  const identities = new IdentityTable();
  const back = readSummaries(Buffer.concat([begin, body]), identities);
  expect(back.map(({ count }) => count)).toEqual(keys.map(() => 5));
  const found = back.map(({ identity }) => identities.get(identity));
  expect(found.map((key) => [layerOf(key), key.dev, key.tgid, key.comm])).toEqual(
    keys.map((key) => [layerOf(key), key.dev, key.tgid, key.comm]),
  );
  expect(found.map(({ cmdFlags }) => opClass(cmdFlags))).toEqual(
    keys.map(({ cmdFlags }) => opClass(cmdFlags)),
  );
});

it('a summary recording counts every I/O once, by process, disk and operation, in slices of time that end with it', () => {
  const { source, moveTo } = pattern('mixed', 5, 3000);
  const { identities } = source.info;
  const sums = new Summarizer(identities, (dev) => source.info.device(dev)?.sizeBytes, 10e9);
  const truth = new Map<string, { count: number; bytes: number; slow: number }>();
  const found = new Map<string, { count: number; bytes: number; slow: number }>();
  const add = (into: typeof truth, id: string, count: number, bytes: number, slow: number) => {
    const known = into.get(id) ?? { count: 0, bytes: 0, slow: 0 };
    into.set(id, {
      count: known.count + count,
      bytes: known.bytes + bytes,
      slow: known.slow + slow,
    });
  };
  const idOf = (slice: number, key: number) => {
    const { dev, tgid, comm, cmdFlags } = identities.get(key);
    return `${slice} ${dev} ${tgid} ${comm} ${cmdFlags & 0xff}`;
  };
  const edge = fineBin(1e6);
  let latestNs = 0;
  const take = (hasEnded: boolean) => {
    for (const one of sums.take(hasEnded)) {
      expect(identities.get(one.identity).marks & IdentityMark.noDetail).toBe(
        IdentityMark.noDetail,
      );
      expect(one.endNs).toBe(Math.min(one.startNs + 10e9, hasEnded ? latestNs + 1 : Infinity));
      const slow = one.device.reduce((total, n, bin) => total + (bin >= edge ? n : 0), 0);
      add(found, idOf(one.startNs / 10e9, one.identity), one.count, one.bytes, slow);
    }
  };
  for (let second = 1; second <= 35; second++) {
    moveTo(second * 1e9);
    for (let rows = source.read(); rows.length > 0; rows = source.read()) {
      for (let row = 0; row < rows.length; row++) {
        latestNs = Math.max(latestNs, rows.completeNs[row]!);
        const slice = Math.floor(rows.completeNs[row]! / 10e9);
        const slow = fineBin(rows.deviceNs[row]!) >= edge ? 1 : 0;
        add(truth, idOf(slice, rows.identity[row]!), 1, rows.bytes[row]!, slow);
      }
      sums.append(rows);
    }
    take(false);
  }
  expect(found.size).toBeGreaterThan(0);
  take(true);
  expect(new Map([...found].sort())).toEqual(new Map([...truth].sort()));
});
