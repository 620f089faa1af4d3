import type { Layout, Metric, OutlierCut, ScaleKind } from '../../model/metric.ts';

/** The picture in which a pattern is seen best. */
export interface PatternLook {
  /** Width of a column, in ns: a picture of them is what the pattern starts with. */
  readonly columnNs: number;
  /** The part of the pattern that has to be in the picture: columns are wider where there are few. */
  readonly run?: PatternRun;
  readonly view?: PatternView;
}

/** The layout, metric and so on, if they are not the defaults. */
export interface PatternView {
  readonly layout?: Layout;
  readonly metric?: Metric;
  readonly scale?: ScaleKind;
  readonly outlierCut?: OutlierCut;
}

/** A part of a cycle of a pattern, in ns. */
export interface PatternRun {
  readonly cycleNs: number;
  /** Counted from the start of the cycle. */
  readonly endNs: number;
}

/** A workload with a known picture. */
export interface Pattern {
  readonly name: string;
  readonly title: string;
  /** What to look for in the picture that it opens with. */
  readonly whatToSee: string;
  readonly look: PatternLook;
  /** The mean rate over a cycle. */
  readonly completionsPerSecond: number;
}

export const STORM_PER_SECOND = 200_000;

export const PATTERNS = [
  {
    name: 'mixed',
    title: 'a busy server with three disks',
    whatToSee:
      'mysqld keeps nvme0n1 busy, the reads of postgres on sda slow down fourfold while rsync runs, and sdb stalls once a minute',
    look: { columnNs: 500e6 },
    completionsPerSecond: 2164,
  },
  {
    name: 'two-bands',
    title: 'cache and disk',
    whatToSee:
      'a dense line of cache hits near 45 µs, a cloud of disk reads from 2 to 10 ms, and nothing between',
    look: { columnNs: 500e6 },
    completionsPerSecond: 4400,
  },
  {
    name: 'icy-lake',
    title: 'synchronous writes to a stripe of six disks',
    whatToSee:
      'one line per disk, rising and falling between 0.6 and 8.3 ms (filter by one disk, and one line stays)',
    look: { columnNs: 1e9, view: { scale: 'linear' } },
    completionsPerSecond: 216,
  },
  {
    name: 'pterodactyl',
    title: 'sequential reads, one more disk every two seconds',
    whatToSee:
      'a beak of two lines up to 8 disks, the head, a thin neck at 13, the wing from 15, then bus contention up to 48',
    look: { columnNs: 1e9, view: { scale: 'linear' }, run: { cycleNs: 120e9, endNs: 95e9 } },
    completionsPerSecond: 4424,
  },
  {
    name: 'levels',
    title: 'the same block read again from ever more disks',
    whatToSee:
      'thin levels: a new one with the 9th, 14th and 19th disk, and old ones promoted to higher ones',
    look: { columnNs: 1e9, view: { scale: 'linear' }, run: { cycleNs: 120e9, endNs: 90e9 } },
    completionsPerSecond: 2960,
  },
  {
    name: 'bursts',
    title: 'a flusher every five seconds next to steady reads',
    whatToSee:
      'spikes of writes five seconds apart above a steady band of reads (filter op=read hides them, queue latency shows why)',
    look: { columnNs: 1e9 },
    completionsPerSecond: 1045,
  },
  {
    name: 'shouting',
    title: 'two shouts at a shelf of disks',
    whatToSee:
      'two spikes above one second each minute, 14 s apart, among 8,000 fast writes a second, which no average shows',
    look: { columnNs: 1e9, view: { outlierCut: 0 } },
    completionsPerSecond: 8006,
  },
  {
    name: 'offsets',
    title: 'a sequential and a random reader',
    whatToSee:
      'a diagonal from end to end of vda in 80 s (dd) through an even cloud (postgres), and in sizes two lines, 8 and 512 KiB',
    look: { columnNs: 1e9, view: { metric: 'offset' }, run: { cycleNs: 90e9, endNs: 80e9 } },
    completionsPerSecond: 1078,
  },
  {
    name: 'storm',
    title: '200,000 I/Os a second on four flash disks',
    whatToSee: 'reads near 92 µs, writes near 24 µs, a screen that stays smooth, and nothing lost',
    look: { columnNs: 100e6 },
    completionsPerSecond: STORM_PER_SECOND,
  },
  {
    name: 'layers',
    title: 'postgres and a limited backup on a mirror of two disks',
    whatToSee:
      'checkpoints queue on sdb, fsync waits above, and between them tar waits 60 ms per read that no disk took: its container has a limit',
    look: { columnNs: 500e6, view: { layout: 'layers' } },
    completionsPerSecond: 786,
  },
] as const satisfies readonly Pattern[];

export type PatternName = (typeof PATTERNS)[number]['name'];

export const PATTERN_NAMES: readonly PatternName[] = PATTERNS.map(({ name }) => name);

export const DEFAULT_PATTERN: PatternName = 'mixed';

export function findPattern(name: string): Pattern | undefined {
  return PATTERNS.find((pattern) => pattern.name === name);
}
