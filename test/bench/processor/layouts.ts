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
import { SeededRandom } from '../../random.ts';
import { bestMs } from '../support/best-ms.ts';
import { must } from '../../must.ts';
import { fillBusyRows, THREE_DISKS } from '../support/busy-rows.ts';
import { workerIdentities } from '../support/worker-identities.ts';

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

const identities = workerIdentities(KEYS, (i) => packDevice(8, (i % 3) * 16));
const info = {
  identities,
  device: (dev: number) => THREE_DISKS.find((disk) => disk.dev === dev),
};

function createPast(): History {
  const random = new SeededRandom(1, 1);
  const history = createHistory({ info, budgetBytes: 2 ** 30 });
  const rows = createColumns(BATCH_ROWS);
  rows.length = BATCH_ROWS;
  const spanNs = (SPAN_NS * BATCH_ROWS) / ROWS;
  fillBusyRows(rows, random, KEYS);
  for (let row = 0; row < BATCH_ROWS; row++)
    rows.completeNs[row] = Math.floor((row / BATCH_ROWS) * spanNs);
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
const common = { ...SIZE, scale: 'log', outlierCut: 0.001, bins: 90, disks: THREE_DISKS } as const;

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
      const devs = THREE_DISKS.map(({ dev }) => dev);
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
