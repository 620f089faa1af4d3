import { describe, expect, it } from 'vitest';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { createColumns } from '../../../src/model/completion-columns.ts';
import type { DiskBusy } from '../../../src/model/disk-busy.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { Monitor } from '../../../src/monitor/monitor.ts';
import type { EventSource } from '../../../src/trace/event-source.ts';
import type { SourceCounters } from '../../../src/trace/completion-summary.ts';
import { END_OF_STREAM } from '../../../src/trace/recording/arrow/arrow-message.ts';
import { ReplayClock } from '../../../src/trace/replay/replay-clock.ts';
import { ReplaySource } from '../../../src/trace/replay/replay-source.ts';
import { summaryOf } from '../../history/fixtures.ts';
import { bytesOf, encoderFor, pattern, readerOf } from './fixtures/record.ts';

const NONE_LOST: SourceCounters = { delivered: 0, summarised: 0, lost: 0, losses: {} };
const SECOND = 1e9;
const SHARES = [0.25, 0.5, 0.875, 0.125];
/** The last second is not over when the last I/O is known. */
const OVER = SHARES.slice(0, -1);

/** The disk of a pattern, which is busy for a part of each second, with I/O that is only counted. */
function countedSource(): { source: EventSource; dev: number } {
  const { source } = pattern('mixed');
  const { identities } = source.info;
  const { dev } = source.info.devices()[0]!;
  const nobody = { cmdFlags: 0, tgid: 0, tid: 0, comm: '', cgroup: 0, error: 0 };
  const marks = IdentityMark.noDetail | IdentityMark.ownerUnknown;
  const identity = identities.intern({ ...nobody, dev, marks });
  const seconds = SHARES.map((_, second) => second * SECOND);
  let counts = seconds.map((at) =>
    summaryOf({ startNs: at, endNs: at + SECOND, identity, count: 1000 }),
  );
  let stretches = seconds.map((at, i) => ({
    ...{ dev, fromNs: at, toNs: at + SECOND, busyNs: SHARES[i]! * SECOND },
  }));
  const taken = <T>(list: readonly T[], clear: () => void): readonly T[] => {
    clear();
    return list;
  };
  return {
    dev,
    source: {
      info: source.info,
      read: () => createColumns(0),
      readSummaries: () => taken(counts, () => (counts = [])),
      readBusy: () => taken(stretches, () => (stretches = [])),
      counters: () => NONE_LOST,
      dispose: () => undefined,
    },
  };
}

function monitorOf(source: EventSource): Monitor {
  return new Monitor({ source, historyBytes: 64 * 2 ** 20, filter: NO_FILTER });
}

/** What the table of disks shows of the first seconds. */
function shown(monitor: Monitor): readonly (readonly [number | undefined, boolean | undefined])[] {
  return OVER.map((_, second) => {
    const startNs = second * SECOND;
    const range = { scope: 'picture', startNs, endNs: startNs + SECOND } as const;
    const [disk] = monitor.report(range).disks;
    return [disk?.utilization, disk?.isUtilizationPartial];
  });
}

/** Records what passes through a monitor, and replays it. */
async function replayed(source: EventSource): Promise<{ live: Monitor; replay: Monitor }> {
  const encoder = encoderFor(source);
  const parts = [encoder.begin()];
  const live = monitorOf(source);
  live.tee = {
    append: () => undefined,
    appendSummary: (summary) => encoder.appendSummary(summary),
    appendBusy: (busy) => {
      encoder.appendBusy(busy);
    },
  };
  live.pump();
  parts.push(await bytesOf(encoder.flush(NONE_LOST)), END_OF_STREAM);
  const identities = new IdentityTable();
  const reader = readerOf(Buffer.concat(parts), identities);
  const clock = new ReplayClock(() => 0);
  const traces = [{ name: 'a', reader, identities }];
  const again = new ReplaySource(traces, clock, { identities, oneHost: false });
  again.loadsAll = true;
  const replay = monitorOf(again);
  while (!replay.pump());
  return { live, replay };
}

function stretchAt(second: number): DiskBusy {
  return { dev: 8 << 20, fromNs: second * SECOND, toNs: (second + 1) * SECOND, busyNs: 7e8 };
}

function readBusy(bytes: Uint8Array): DiskBusy[] {
  const reader = readerOf(bytes);
  const found: DiskBusy[] = [];
  for (let chunk = reader.next(); typeof chunk === 'object'; chunk = reader.next())
    found.push(...(chunk.busy ?? []));
  return found;
}

describe("the kernel's own count of how long disks were busy, in a recording", () => {
  it("the kernel's own count of busy time in a recording is read back as it was counted, each stretch once, also without any I/O", async () => {
    const encoder = encoderFor(pattern('mixed').source);
    const parts = [encoder.begin()];
    const all = [0, 1, 2, 3].map(stretchAt);
    expect(encoder.hasNotes).toBe(false);
    for (const busy of all.slice(0, 2)) encoder.appendBusy(busy);
    expect(encoder.hasNotes).toBe(true);
    parts.push(await bytesOf(encoder.flush(NONE_LOST)));
    expect(encoder.hasNotes).toBe(false);
    for (const busy of all.slice(2)) encoder.appendBusy(busy);
    parts.push(await bytesOf(encoder.flush(NONE_LOST)));
    parts.push(await bytesOf(encoder.flush(NONE_LOST)), END_OF_STREAM);
    expect(readBusy(Buffer.concat(parts))).toEqual(all);
  });

  it('a replay shows the utilization that the live screen showed where I/O was only counted', async () => {
    const { live, replay } = await replayed(countedSource().source);
    expect(shown(live)).toEqual(OVER.map((share) => [share, false]));
    expect(shown(replay)).toEqual(shown(live));
  });

  it('in a recording without busy times, utilization stays a lower bound', async () => {
    const { source } = countedSource();
    const { replay } = await replayed({ ...source, readBusy: () => [] });
    expect(shown(replay).map(([, isPartial]) => isPartial)).toEqual([true, true, true]);
  });
});
