import { describe, expect, it } from 'vitest';
import { NO_CGROUP_NAMES } from '../../../src/model/cgroup-names.ts';
import { MachinePressure } from '../../../src/model/machine-pressure.ts';
import type { KnownPressure } from '../../../src/model/pressure.ts';
import type { SourceCounters } from '../../../src/trace/completion-summary.ts';
import { END_OF_STREAM } from '../../../src/trace/recording/arrow/arrow-message.ts';
import { RecordingEncoder } from '../../../src/trace/recording/format/recording-encoder.ts';
import { joinedPressure } from '../../../src/trace/replay/joined-pressure.ts';
import { bytesOf, HEADER, pattern, readerOf, readRows } from './fixtures/record.ts';

const NONE_LOST: SourceCounters = { delivered: 0, summarised: 0, lost: 0, losses: {} };
const SECOND = 1e9;

function sampleAt(second: number) {
  return { atNs: second * SECOND, someNs: second * 4e8, fullNs: second * 1e8 };
}

/** A recording that starts at `startNs`, of nothing but the pressure. */
function recording(pressure: KnownPressure | undefined, startNs = 0) {
  const { source } = pattern('mixed');
  const encoder = new RecordingEncoder({
    ...{ header: HEADER, identities: source.info.identities, pressure },
    names: { devices: source.info, cgroups: NO_CGROUP_NAMES },
    recorded: () => ({ startNs, endNs: startNs + 60 * SECOND }),
  });
  const parts: Uint8Array[] = [encoder.begin()];
  return {
    flush: async () => parts.push(await bytesOf(encoder.flush(NONE_LOST))),
    read: () => {
      const reader = readerOf(Buffer.concat([...parts, END_OF_STREAM]));
      readRows(reader);
      return reader.pressure?.samplesAfter(-Infinity);
    },
    readCgroup: (cgroup: number) => {
      const reader = readerOf(Buffer.concat([...parts, END_OF_STREAM]));
      readRows(reader);
      return reader.pressure?.cgroups.get(cgroup)?.samplesAfter(-Infinity);
    },
  };
}

describe('the pressure of the machine in a recording', () => {
  it('the pressure of a machine whose tasks have waited for more than 104 days is read back', async () => {
    const book = new MachinePressure();
    const { flush, read } = recording(book);
    const days = 86_400 * SECOND;
    const [first, second] = [200, 201].map((day) => ({ someNs: day * days, fullNs: 150 * days }));
    book.put({ atNs: SECOND, ...first! });
    book.put({ atNs: 2 * SECOND, ...second! });
    await flush();
    expect(read()?.map(({ someNs }) => someNs)).toEqual([200 * days, 201 * days]);
  });

  it('the pressure of the machine in a recording is read back as it was sampled, each sample once', async () => {
    const book = new MachinePressure();
    const { flush, read } = recording(book);
    const all = [1, 2, 3, 4].map(sampleAt);
    for (const sample of all.slice(0, 2)) book.put(sample);
    await flush();
    for (const sample of all.slice(2)) book.put(sample);
    await flush();
    await flush();
    expect(read()).toEqual(all);
  });

  it('the pressure of the machine in a recording is read back for each cgroup as well, each sample once', async () => {
    const book = new MachinePressure();
    const { flush, readCgroup } = recording(book);
    book.put(sampleAt(1));
    book.putCgroup({ cgroup: 7, ...sampleAt(1) });
    await flush();
    book.putCgroup({ cgroup: 7, ...sampleAt(2) });
    book.putCgroup({ cgroup: 9, ...sampleAt(2) });
    await flush();
    await flush();
    expect(readCgroup(7)).toEqual([sampleAt(1), sampleAt(2)]);
    expect(readCgroup(9)).toEqual([sampleAt(2)]);
    expect(readCgroup(8)).toBeUndefined();
  });

  it('the pressure of the machine in a recording starts with the recording', async () => {
    const book = new MachinePressure();
    for (const second of [1, 2, 3]) book.put(sampleAt(second));
    const { flush, read } = recording(book, 1.5 * SECOND);
    await flush();
    expect(read()).toEqual([sampleAt(2), sampleAt(3)]);
  });

  it('the pressure of the machine in a recording is unknown where it was unknown', async () => {
    const { flush, read } = recording(undefined);
    await flush();
    expect(read()).toBeUndefined();
  });
});

describe('the pressure of a machine in several recordings of it', () => {
  it('the pressure of a machine in several recordings of it is on one time axis, and known where one of them knows it', () => {
    const [first, second] = [new MachinePressure(), new MachinePressure()];
    for (const at of [0, 1, 2]) first.put(sampleAt(at));
    for (const at of [0, 1]) second.put(sampleAt(at));
    for (const book of [first, second]) book.putCgroup({ cgroup: 7, ...sampleAt(1) });
    const joined = joinedPressure([
      { reader: { pressure: first }, offsetNs: 0 },
      { reader: { pressure: second }, offsetNs: 10 * SECOND },
      { reader: { pressure: undefined }, offsetNs: 20 * SECOND },
    ])!;
    expect(joined.during(0, 11 * SECOND)).toEqual({
      ...{ someNs: 3 * 4e8, fullNs: 3 * 1e8, knownNs: 3 * SECOND },
    });
    expect(joined.samplesAfter(1.5 * SECOND).map(({ atNs }) => atNs / SECOND)).toEqual([2, 10, 11]);
    const ofCgroup = joined.cgroups.get(7)!.samplesAfter(-Infinity);
    expect(ofCgroup.map(({ atNs }) => atNs / SECOND)).toEqual([1, 11]);
  });
});
