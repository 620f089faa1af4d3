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
}

/** What one process of fio is asked for at most, so that it keeps its rate evenly. */
const ONE_JOB_UP_TO = 50_000;

/** Random reads of 4 KiB, unbuffered. `path` may be several, with colons between. */
export function runFio(disk: { readonly path: string }, order: FioOrder): Promise<LoadFigures> {
  const { seconds, perSecond } = order;
  const many = perSecond === undefined || perSecond > ONE_JOB_UP_TO;
  const { jobs = many ? 2 : 1 } = order;
  const args = [
    '--name=load',
    `--filename=${disk.path}`,
    '--direct=1',
    '--rw=randread',
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
      : [`--rate_iops=${Math.max(1, Math.floor(perSecond / jobs))}`]),
  ];
  return new Promise((resolve, reject) => {
    execFile('fio', args, { maxBuffer: 1 << 24 }, (error, stdout) => {
      if (error === null) resolve(figuresOf(stdout));
      else reject(new Error(`fio: ${error.message}`));
    });
  });
}

function figuresOf(json: string): LoadFigures {
  const { jobs } = JSON.parse(json.slice(json.indexOf('{'))) as {
    jobs: {
      read: { iops: number; total_ios: number; clat_ns: { percentile: Record<string, number> } };
    }[];
  };
  const { iops, total_ios: ios, clat_ns } = jobs[0]!.read;
  return { ios, iops, p99Us: (clat_ns.percentile['99.000000'] ?? NaN) / 1000 };
}
