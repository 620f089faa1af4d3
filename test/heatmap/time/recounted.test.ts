import { describe, expect, it } from 'vitest';
import { compileFilter } from '../../../src/filter/match/match.ts';
import type { HeatmapSpec } from '../../../src/heatmap/time/heatmap-spec.ts';
import { LiveHeatmap } from '../../../src/heatmap/time/live-heatmap.ts';
import { createHistory, MIN_BUDGET_BYTES } from '../../../src/history/history.ts';
import type { History } from '../../../src/history/history.ts';
import type { HistoryInfo } from '../../../src/history/slices/identity-facts.ts';
import { fineBin, fineBinLow } from '../../../src/model/fine-bins.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import type { CompletionSummary } from '../../../src/trace/completion-summary.ts';
import { parsed } from '../../filter/fixtures.ts';
import { columnsOf, createInfo, keyOf, SDA, summaryOf } from '../../history/fixtures.ts';
import { SeededRandom } from '../../random.ts';

const SECOND = 1e9;
const OWNERS = 5;
/** Between two looks at what was only counted: frames are about this far apart. */
const LEAST_NS = 90e6;
const MOST_NS = 510e6;

function aggregates(): HistoryInfo {
  const owners = Array.from({ length: OWNERS }, (_, i) =>
    keyOf({ tgid: i + 1, comm: `p${i + 1}`, marks: IdentityMark.noDetail }),
  );
  return createInfo([...owners, keyOf({ tgid: 9, comm: 'row' })]);
}

/** What an owner did in a stretch: most of it in a few bins of latency. */
function counted(random: SeededRandom, identity: number, startNs: number, endNs: number) {
  const found = { ...summaryOf({ startNs, endNs, identity }) };
  for (let n = 0; n < 12; n++) {
    const ns = fineBinLow(fineBin(10_000 * 2 ** (8 * random.next())));
    const count = random.between(1, 4000);
    for (const bins of [found.device, found.total]) bins[fineBin(ns)]! += count;
    found.queue[0]! += count;
    found.size[fineBin(4096)]! += count;
    found.count += count;
    found.bytes += 4096 * count;
    found.deviceNsSum += ns * count;
    found.maxDeviceNs = Math.max(found.maxDeviceNs, ns);
  }
  return found;
}

/** Looks at irregular times; `show` is called after each, as for a frame. */
function run(history: History, seconds: number, seed: number, show: (take: Take) => void): void {
  const random = new SeededRandom(seed);
  for (let atNs = 0; atNs < seconds * SECOND;) {
    const untilNs = atNs + random.between(LEAST_NS, MOST_NS);
    const rows = columnsOf([
      { completeNs: untilNs - 1, deviceNs: 50_000, queueNs: 0, key: OWNERS },
    ]);
    history.append(rows);
    const summaries = Array.from({ length: OWNERS }, (_, owner) =>
      counted(random, owner, atNs, untilNs),
    );
    for (const summary of summaries) history.appendAggregate(summary);
    show({ rows, summaries, untilNs });
    atNs = untilNs;
  }
}

interface Take {
  readonly rows: ReturnType<typeof columnsOf>;
  readonly summaries: readonly CompletionSummary[];
  readonly untilNs: number;
}

function specOf(info: HistoryInfo, columnNs: number, filter = ''): HeatmapSpec {
  return {
    ...{ metric: 'device', scale: 'log', outlierCut: 0, bins: 30, columns: 120, columnNs },
    filter: compileFilter(parsed(filter), info.identities, info),
    disks: [{ dev: SDA, sizeBytes: 2 ** 30 }],
    domain: { low: 1000, high: 1e8 },
  };
}

describe('a picture of I/O that was only counted', () => {
  it.each([
    ['50 ms', 50e6, ''],
    ['100 ms', 100e6, ''],
    ['250 ms', 250e6, 'pid!=2'],
    ['a second', 1e9, ''],
  ])(
    'a picture of I/O that was only counted is the same when it is counted again, in columns of %s',
    (_, columnNs, filter) => {
      const info = aggregates();
      const history = createHistory({ info });
      const spec = specOf(info, columnNs, filter);
      const live = new LiveHeatmap(history, spec);
      let nowNs = 0;
      live.update(nowNs);
      run(history, 20, 1, ({ rows, summaries, untilNs }) => {
        live.append(rows);
        for (const summary of summaries) live.appendAggregate(summary);
        live.update((nowNs = untilNs));
      });
      const again = new LiveHeatmap(history, spec);
      again.update(nowNs);
      expect([...again.map.counts]).toEqual([...live.map.counts]);
      expect(again.map.counts.some((count) => count > 0)).toBe(true);
    },
  );

  it('a picture of I/O that was only counted has all I/O once where the memory for it is used up, and where its rows are gone', () => {
    const info = aggregates();
    const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES, detailRows: 500 });
    let [all, nowNs] = [0, 0];
    run(history, 1500, 2, ({ rows, summaries, untilNs }) => {
      all += rows.length + summaries.reduce((sum, { count }) => sum + count, 0);
      nowNs = untilNs;
    });
    const picture = new LiveHeatmap(history, specOf(info, 20e9));
    picture.update(nowNs);
    const shown = [...picture.map.counts].reduce((sum, count) => sum + count, 0);
    expect(shown).toBe(all);
    expect(history.memoryBytes).toBeLessThanOrEqual(MIN_BUDGET_BYTES);
  });
});
