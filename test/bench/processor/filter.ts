import { BLOCK_ROWS } from '../../../src/heatmap/time/binning.ts';
import { binRows } from '../../../src/heatmap/time/bin-rows.ts';
import { Heatmap } from '../../../src/heatmap/time/heatmap.ts';
import { createLogScale } from '../../../src/heatmap/axis/log-scale.ts';
import { LiveHeatmap } from '../../../src/heatmap/time/live-heatmap.ts';
import { reportActivity } from '../../query/fixtures/at-once.ts';
import { createHistory } from '../../../src/history/history.ts';
import type { History } from '../../../src/history/history.ts';
import { createColumns } from '../../../src/model/completion-columns.ts';
import type { CompletionColumns } from '../../../src/model/completion-columns.ts';
import { packDevice } from '../../../src/model/device.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import type { CompiledFilter } from '../../../src/filter/match/match.ts';
import { parseFilter } from '../../../src/filter/language/parse.ts';
import type { IdentityTable } from '../../../src/model/identity-table.ts';
import { SeededRandom } from '../../random.ts';
import { bestMs, cpuMs } from '../support/best-ms.ts';
import { workerIdentities } from '../support/worker-identities.ts';
import { must } from '../../must.ts';
import { THREE_DISKS } from '../support/busy-rows.ts';

/**
 * Cost of asking a filter of ten million single I/Os: judging alone, judging and binning, and all that
 * a changed filter costs on the screen. Processor time, the best of several rounds, so that other load
 * on the machine disturbs little.
 *
 *   npm run bench -- filter
 */
const ROWS = 10_000_000;
const SPAN_NS = 180e9;
const KEYS = 1_000;
const COLUMNS = 200;
const BINS = 90;
const BATCH_ROWS = 50_000;
/** What a session gives a turn of counting. */
const TURN_MS = 15;

const FILTERS = [
  '',
  'disk=sda',
  'lat>10ms',
  'lat<10ms',
  'disk=sda op=write lat>10ms',
  'disk=sda op=write lat>10ms comm~worker1 size>=8k offset<512g not pid=1',
  '(op=read lat>1ms) or (op=write (size=4k,16k or not qlat<10us))',
  'lat>100us or dlat<80us or qlat>20us or size=8k or offset<100g',
  'size=4k,8k,16k,32k or offset>=100g offset<200g or sector>=1000000000',
  'comm~work*1? lat>100us lat<1ms or comm!~worker2 dlat>50us dlat<=200us',
  'not (disk=sda or (lat>90us lat<110us) or not (size>=8k size<=16k) or qlat=10us)',
  'not (op=read (lat>1ms or not (dlat>60us (qlat<20us or not (size=4k offset<900g)))))',
  '(pid=1,2,3 lat>50us) or (disk=sdb size!=4k) or (op=read qlat>8us) or not (disk=sda lat<200us)',
  '(lat<80us or lat>120us) (qlat<8us or qlat>12us) (size=4k,16k or size>20k) (offset<300g or offset>500g) (dlat<70us or dlat>90us)',
];

/** A thousand keys on three disks, reads and writes. */
function createKeys(): IdentityTable {
  return workerIdentities(KEYS, (i) => packDevice(8, (i % 3) * 16));
}

const identities = createKeys();
const info = {
  identities,
  device: (dev: number) => THREE_DISKS.find((disk) => disk.dev === dev),
};

/** Latencies over three octaves around 100 µs with a slow tail. */
function createRows(count: number, fromNs: number, spanNs: number): CompletionColumns {
  const random = new SeededRandom(1, 1);
  const rows = createColumns(count);
  rows.length = count;
  for (let row = 0; row < count; row++) {
    const slow = random.next() < 0.01 ? 200 : 1;
    const octaves = random.next() + random.next() + random.next() - 1.5;
    rows.completeNs[row] = Math.floor(fromNs + (row / count) * spanNs);
    rows.deviceNs[row] = 100e3 * slow * 2 ** octaves;
    rows.queueNs[row] = 5e3 * 2 ** (3 * random.next());
    rows.sector[row] = random.below(2 ** 31);
    rows.bytes[row] = 4096 * 2 ** random.below(4);
    rows.identity[row] = random.below(KEYS);
  }
  return rows;
}

function createPast(): History {
  const history = createHistory({ info, budgetBytes: 2 ** 30 });
  const batch = createRows(BATCH_ROWS, 0, (SPAN_NS * BATCH_ROWS) / ROWS);
  for (let done = 0; done < ROWS; done += BATCH_ROWS) {
    history.append(batch);
    for (let row = 0; row < BATCH_ROWS; row++)
      batch.completeNs[row]! += (SPAN_NS * BATCH_ROWS) / ROWS;
  }
  return history;
}

function compiled(text: string): CompiledFilter {
  const filter = must(parseFilter(text));
  return compileFilter(filter, identities, info);
}

function judge(history: History, filter: CompiledFilter): void {
  for (const { rows, from, to } of history.chunks(0, Infinity)) {
    for (let block = from; block < to; block += BLOCK_ROWS)
      filter.judgeRows(rows, block, Math.min(to, block + BLOCK_ROWS));
  }
}

function bin(history: History, filter: CompiledFilter): void {
  const scale = createLogScale({ low: 10e3, high: 100e6 }, BINS);
  const map = new Heatmap({
    metric: 'device',
    scale,
    columns: COLUMNS,
    columnNs: 1e9,
    startNs: 0,
  });
  const selection = {
    fromNs: 0,
    toNs: Infinity,
    filter: filter.passesAll ? undefined : filter,
  };
  for (const { rows, from, to, timesOf } of history.query(0, Infinity).chunks)
    binRows(map, rows, from, to, selection, timesOf);
}

interface Shown {
  /** Counts the whole picture at once. */
  all(filter: CompiledFilter): void;
  /** Counts it in turns; the longest. */
  inTurns(filter: CompiledFilter): number;
}

function createLive(history: History): Shown {
  const spec = {
    metric: 'device',
    scale: 'log',
    outlierCut: 0.001,
    columnNs: 1e9,
    columns: COLUMNS,
    bins: BINS,
    disks: THREE_DISKS,
  } as const;
  const live = new LiveHeatmap(history, { ...spec, filter: compiled('') });
  const turn = (): number => {
    const endMs = performance.now() + TURN_MS;
    return cpuMs(() => {
      live.update(history.endNs, () => performance.now() >= endMs);
    });
  };
  return {
    all: (filter) => {
      live.show({ ...spec, filter });
      live.update(history.endNs);
    },
    inTurns: (filter) => {
      live.show({ ...spec, filter });
      let longest = turn();
      while (live.isCounting) longest = Math.max(longest, turn());
      return longest;
    },
  };
}

let worst = { ms: 0, text: '' };
const history = createPast();
const show = createLive(history);
process.stdout.write(`${history.rows} single I/Os, ${KEYS} keys: ms of processor time\n`);
for (const text of FILTERS) {
  const filter = compiled(text);
  const judged = bestMs(5, () => {
    judge(history, filter);
  });
  const binned = bestMs(5, () => {
    bin(history, filter);
  });
  const nothing = compileFilter(NO_FILTER, identities, info);
  show.all(nothing);
  const shown = bestMs(5, () => {
    show.all(compiled(text));
  });
  const turns = Array.from({ length: 5 }, () => {
    show.all(nothing);
    return show.inTurns(compiled(text));
  });
  if (shown > worst.ms) worst = { ms: shown, text };
  const reported = bestMs(5, () => {
    reportActivity(history, history.endNs - 5e9, history.endNs, filter, info);
  });
  const figures = [
    `judge ${judged.toFixed(0)}`,
    `judge and bin ${binned.toFixed(0)}`,
    `new picture ${shown.toFixed(0)}`,
    `longest turn ${Math.min(...turns).toFixed(0)}`,
    `report of 5 s ${reported.toFixed(1)}`,
  ];
  process.stdout.write(`${text === '' ? '(none)' : text}: ${figures.join(', ')}\n`);
}
process.stdout.write(`the worst new picture: ${worst.ms.toFixed(0)} ms, of ${worst.text}\n`);
