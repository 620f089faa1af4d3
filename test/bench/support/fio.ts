import { execFile } from 'node:child_process';

export interface LoadFigures {
  readonly ios: number;
  readonly iops: number;
  readonly p99Us: number;
}

export interface FioOrder {
  readonly seconds: number;
  /** In all; undefined for as many as go. */
  readonly perSecond?: number | undefined;
  /** Processes that read; as many as keep two processors busy by default. */
  readonly jobs?: number;
  readonly kind?: LoadKind;
}

/** Of 4 KiB at random places: reads, or three writes in ten, unbuffered; or writes to the page cache, synced at the end. */
export type LoadKind = 'reads' | 'mixed' | 'writeback';

const KINDS: Readonly<Record<LoadKind, readonly string[]>> = {
  reads: ['--direct=1', '--rw=randread'],
  mixed: ['--direct=1', '--rw=randrw', '--rwmixread=70'],
  writeback: ['--rw=randwrite', '--end_fsync=1'],
};

/** What one process of fio is asked for at most, so that it keeps its rate evenly. */
const ONE_JOB_UP_TO = 50_000;

/** `path` may be several, with colons between. */
export function runFio(disk: { readonly path: string }, order: FioOrder): Promise<LoadFigures> {
  const { seconds, perSecond, kind = 'reads' } = order;
  const many = perSecond === undefined || perSecond > ONE_JOB_UP_TO;
  const { jobs = many ? 2 : 1 } = order;
  const args = [
    '--name=load',
    `--filename=${disk.path}`,
    ...KINDS[kind],
    '--bs=4k',
    '--ioengine=libaio',
    `--iodepth=${many ? 32 : 8}`,
    `--numjobs=${jobs}`,
    '--time_based',
    `--runtime=${seconds}`,
    '--group_reporting',
    '--output-format=json',
    ...(perSecond === undefined
      ? []
      : [`--rate_iops=${ratesOf(kind, perSecond / jobs).join(',')}`]),
  ];
  return new Promise((resolve, reject) => {
    execFile('fio', args, { maxBuffer: 1 << 24 }, (error, stdout) => {
      if (error === null) resolve(figuresOf(stdout));
      else reject(new Error(`fio: ${error.message}`));
    });
  });
}

/** fio takes a rate for each direction. */
function ratesOf(kind: LoadKind, perJob: number): number[] {
  const shares = kind === 'mixed' ? [0.7, 0.3] : [1];
  return shares.map((share) => Math.max(1, Math.floor(share * perJob)));
}

interface FioSide {
  readonly iops: number;
  readonly total_ios: number;
  readonly clat_ns: { readonly percentile?: Readonly<Record<string, number>> };
}

/** The percentile is that of the reads, if there are any. */
function figuresOf(json: string): LoadFigures {
  const { jobs } = JSON.parse(json.slice(json.indexOf('{'))) as {
    jobs: [{ readonly read: FioSide; readonly write: FioSide }];
  };
  const { read, write } = jobs[0];
  const { percentile = {} } = (read.total_ios > 0 ? read : write).clat_ns;
  return {
    ios: read.total_ios + write.total_ios,
    iops: read.iops + write.iops,
    p99Us: (percentile['99.000000'] ?? NaN) / 1000,
  };
}
