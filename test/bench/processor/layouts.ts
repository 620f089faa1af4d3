import { JointMap } from '../../../src/heatmap/joint/joint-map.ts';
import { LaneMap } from '../../../src/heatmap/lanes/lane-map.ts';
import { laneSubjects } from '../../../src/heatmap/lanes/lane-subjects.ts';
import { LiveHeatmap } from '../../../src/heatmap/time/live-heatmap.ts';
import { createHistory } from '../../../src/history/history.ts';
import type { History } from '../../../src/history/history.ts';
import { createColumns } from '../../../src/model/completion-columns.ts';
import { packDevice } from '../../../src/model/device.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import type { CompiledFilter } from '../../../src/filter/match/match.ts';
import { parseFilter } from '../../../src/filter/language/parse.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { SeededRandom } from '../../random.ts';
import { bestMs } from '../support/best-ms.ts';
import { must } from '../../must.ts';

/**
 * Cost of the first picture of ten million single I/Os in each layout: counted at once, and of the first
 * part that answers a key. Processor time, the best of several rounds, so that other load on the machine
 * disturbs little.
 *
 *   npm run bench -- layouts
 */
const ROWS = 10_000_000;
const SPAN_NS = 180e9;
const KEYS = 200;
const BATCH_ROWS = 50_000;
const ROUNDS = 5;
const SIZE = { columnNs: 1e9, columns: 200 };

const DISKS = ['sda', 'sdb', 'sdc'].map((name, i) => {
  return { dev: packDevice(8, i * 16), name, sizeBytes: 2 ** 40 };
});
const identities = new IdentityTable();
for (let i = 0; i < KEYS; i++) {
  const comm = `worker${i >> 1}`;
  const dev = packDevice(8, (i % 3) * 16);
  const tgid = 1 + (i >> 1);
  identities.intern({ dev, cmdFlags: i % 2, tgid, tid: tgid, comm, cgroup: 1, error: 0, marks: 0 });
}
const info = {
  identities: identities,
  device: (dev: number) => DISKS.find((disk) => disk.dev === dev),
};

/** Latencies over three octaves around 100 µs with a slow tail, some flushes. */
function createPast(): History {
  const random = new SeededRandom(1, 1);
  const history = createHistory({ info, budgetBytes: 2 ** 30 });
  const rows = createColumns(BATCH_ROWS);
  rows.length = BATCH_ROWS;
  const spanNs = (SPAN_NS * BATCH_ROWS) / ROWS;
  for (let row = 0; row < BATCH_ROWS; row++) {
    const slow = random.next() < 0.01 ? 200 : 1;
    const isFlush = random.next() < 0.01;
    rows.completeNs[row] = Math.floor((row / BATCH_ROWS) * spanNs);
    rows.deviceNs[row] = 100e3 * slow * 2 ** (random.next() + random.next() + random.next() - 1.5);
    rows.queueNs[row] = 5e3 * 2 ** (3 * random.next());
    rows.sector[row] = isFlush ? NaN : random.below(2 ** 31);
    rows.bytes[row] = isFlush ? 0 : 4096 * 2 ** random.below(8);
    rows.identity[row] = random.below(KEYS);
  }
  for (let done = 0; done < ROWS; done += BATCH_ROWS) {
    history.append(rows);
    for (let row = 0; row < BATCH_ROWS; row++) rows.completeNs[row]! += spanNs;
  }
  return history;
}

function compiled(text: string): CompiledFilter {
  const filter = must(parseFilter(text));
  return compileFilter(filter, identities, info);
}

const history = createPast();
const common = { ...SIZE, scale: 'log', outlierCut: 0.001, bins: 90, disks: DISKS } as const;

/** As long as a session counts before it paints. */
const COUNT_MS = 15;

type Show = (filter: CompiledFilter) => {
  update(nowNs: number, shouldYield?: () => boolean): void;
};
const LAYOUTS: readonly (readonly [name: string, show: Show])[] = [
  ['one map', (filter) => new LiveHeatmap(history, { ...common, metric: 'total', filter })],
  [
    'size × latency',
    (filter) => new JointMap(history, { ...common, metric: 'total', across: 'size', filter }),
  ],
  [
    'offset × latency',
    (filter) => new JointMap(history, { ...common, metric: 'total', across: 'offset', filter }),
  ],
  [
    'disks, p99',
    (filter) => {
      const devs = DISKS.map(({ dev }) => dev);
      return new LaneMap(history, {
        ...SIZE,
        metric: 'total',
        figure: 'p99',
        filter,
        owners: { subjects: laneSubjects('disk', info), keys: devs },
      });
    },
  ],
];

process.stdout.write(`${history.rows} single I/Os, ${KEYS} keys: ms of processor time\n`);
for (const [name, show] of LAYOUTS) {
  const figures = ['', 'disk=sda', 'lat>1ms'].map((text) => {
    const ms = bestMs(ROUNDS, () => {
      show(compiled(text)).update(history.endNs);
    });
    const firstMs = bestMs(ROUNDS, () => {
      const overMs = performance.now() + COUNT_MS;
      show(compiled(text)).update(history.endNs, () => performance.now() >= overMs);
    });
    return `${text === '' ? 'everything' : text} ${ms.toFixed(0)}, first part ${firstMs.toFixed(0)}`;
  });
  process.stdout.write(`${name}: ${figures.join('; ')}\n`);
}
