import { bundleEntry } from '../kernel/fixtures/bundle-entry.ts';
import { block, say, table } from './support/output.ts';
import { modelled, sizesOf } from './support/scale-model.ts';
import type { Parameters, Scale } from './support/scale-model.ts';
import { simulate } from './support/scale-reader.ts';
import type { Simulated } from './support/scale-reader.ts';
import { sharedAdditionNs } from './support/shared-addition.ts';

/**
 * Machines that nobody here has: I/O at up to 40 million a second from a simulated kernel, through the real reader with
 * history, picture and tables in the budgeted mode, and a model of it (support/scale-model.ts) whose parameters are
 * measured in the same run. Takes five minutes.
 *
 *   npm run bench -- scale
 */
const BUDGET = 0.05;
/** By then V8 has compiled everything, and frames are as rare as they become (`FrameBudget`). */
const TIMES = { warmMs: 34_000, measuredMs: 10_000 };
const SIMULATED: readonly Scale[] = [
  { cpus: 16, disks: 4, perSecond: 1e6 },
  { cpus: 384, disks: 8, perSecond: 20e6 },
  { cpus: 384, disks: 8, perSecond: 40e6 },
  { cpus: 384, disks: 24, perSecond: 40e6 },
];
const MODELLED: readonly Scale[] = [
  { cpus: 1, disks: 1, perSecond: 1e6 },
  { cpus: 16, disks: 4, perSecond: 1e6 },
  { cpus: 16, disks: 4, perSecond: 5e6 },
  { cpus: 64, disks: 12, perSecond: 5e6 },
  { cpus: 64, disks: 12, perSecond: 20e6 },
  { cpus: 384, disks: 8, perSecond: 20e6 },
  { cpus: 384, disks: 8, perSecond: 40e6 },
  { cpus: 384, disks: 24, perSecond: 20e6 },
  { cpus: 384, disks: 24, perSecond: 40e6 },
];
const DETAIL: Scale = { cpus: 16, disks: 1, perSecond: 200_000 };

const reader = await bundleEntry('test/bench/processor/scale.ts');

function run(scale: Scale, budget?: number): Promise<Simulated> {
  const { cpus, disks, perSecond } = scale;
  const sizes = { ...sizesOf(cpus, disks), cpus, disks };
  return simulate(reader, { perSecond, sizes, budget, ...TIMES });
}

/** Owners whose share is within their margin; all I/O since it measures is of somebody. */
function withinMargin({ owners, shareOf }: Simulated): string {
  const known = owners.filter(({ tgid }) => tgid > 0);
  const all = owners.reduce((sum, { count }) => sum + count, 0);
  const within = known.filter(
    ({ tgid, count, margin }) => Math.abs(count - shareOf(tgid) * all) <= margin * count,
  );
  return `${within.length} of ${known.length}`;
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const percent = (share: number, digits = 1): string => (100 * share).toFixed(digits);
const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
const named = ({ cpus, disks, perSecond }: Scale): string[] =>
  [cpus, disks, perSecond / 1e6].map(String);

function simulatedRow(scale: Scale, found: Simulated): string[] {
  const { completed, delivered, summarised, reported, lost } = found;
  const wrong = Math.abs(completed - reported) + Math.abs(completed - delivered - summarised);
  return [
    ...named(scale),
    ...[percent(found.share), String(found.oneIn), whole(found.rowsPerSecond)],
    percent(found.rowsPerSecond / scale.perSecond, 3),
    ...[whole(completed), whole(wrong), whole(lost), withinMargin(found)],
    ...[(found.takeUs / 1000).toFixed(1), found.takesPerSecond.toFixed(1), mib(found.rssBytes)],
  ];
}

function modelRow(scale: Scale, known: Parameters): string[] {
  const found = modelled(scale, BUDGET, known);
  return [
    ...named(scale),
    ...[mib(found.sizes.ringBytes), (found.allSeconds * 1000).toFixed(0)],
    ...[found.detailSeconds.toFixed(0), String(found.sizes.stripes), mib(found.summaryBytes)],
    (found.counterBytes / 1024).toFixed(1),
    ...[String(found.oneIn), whole(found.rowsPerSecond), (found.takeUs / 1000).toFixed(1)],
    String(found.takesPerSecond),
    ...[percent(found.share), percent(found.busiest, 0)],
  ];
}

async function measured(): Promise<Parameters> {
  const { rowUs } = await run(DETAIL);
  const on = (cpus: number, disks: number): Promise<Simulated> =>
    run({ cpus, disks, perSecond: 1e6 }, BUDGET);
  // One processor has one stripe, 16 have four.
  const [least, striped, wide] = [await on(1, 1), await on(16, 1), await on(1, 8)];
  const takeSummaryUs = Math.max(0, (striped.takeUs - least.takeUs) / 6);
  const takeDiskUs = Math.max(0, (wide.takeUs - least.takeUs) / 7 - 2 * takeSummaryUs);
  const restDisk = Math.max(0, (restOf(wide) - restOf(least)) / 7);
  return {
    rowUs,
    passes: Math.max(0, ((least.rowUs - rowUs) * least.rowsPerSecond) / 1e6),
    ...{ takeDiskUs, takeSummaryUs, restDisk },
    takeUs: Math.max(0, least.takeUs - takeDiskUs - 2 * takeSummaryUs),
    rest: Math.max(0, restOf(least) - restDisk),
    sharedNs: await sharedAdditionNs(2),
  };
}

function restOf({ share, takeUs, takesPerSecond, rowUs, rowsPerSecond }: Simulated): number {
  return share - (takeUs * takesPerSecond + rowUs * rowsPerSecond) / 1e6;
}

function sayParameters(known: Parameters): void {
  const { rowUs, passes, takeUs, takeDiskUs, takeSummaryUs } = known;
  const { rest, restDisk, sharedNs } = known;
  say(`row ${(rowUs * 1000).toFixed(0)} ns; looking at the ring ${percent(passes)} % of a core`);
  say(
    `take ${takeUs.toFixed(0)} µs + ${takeDiskUs.toFixed(0)} per disk ` +
      `+ ${takeSummaryUs.toFixed(1)} per summary`,
  );
  say(`rest ${percent(rest)} % of a core + ${percent(restDisk, 2)} per disk`);
  say(`addition to memory that two processors share ${sharedNs.toFixed(1)} ns`);
}

try {
  const settled: Simulated[] = [];
  for (const scale of SIMULATED) settled.push(await run(scale, BUDGET));
  block('scale-simulated');
  const head = ['processors', 'disks', 'M I/O/s'];
  table(
    [
      ...[...head, '% of a core', 'one in', 'rows/s', '% in detail'],
      ...['I/Os', 'off', 'lost', 'owners within ±', 'ms a take', 'takes/s', 'resident MiB'],
    ],
    SIMULATED.map((scale, i) => simulatedRow(scale, settled[i]!)),
  );
  const known = await measured();
  block('scale-parameters');
  sayParameters(known);
  block('scale-model');
  table(
    [
      ...[...head, 'ring MiB', 'ms of all', 's of detail', 'stripes', 'summaries MiB'],
      ...['counters KiB', 'one in', 'rows/s', 'ms a take', 'takes/s', '% of a core', 'busiest %'],
    ],
    MODELLED.map((scale) => modelRow(scale, known)),
  );
} finally {
  reader.dispose();
}
