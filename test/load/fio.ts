import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Random reads of 4 KiB, unbuffered, one at a time per job, as fio itself times them. */
export interface FioReads {
  readonly path: string;
  readonly jobs: number;
  /** Of each job; the load ends after these, or after `seconds`. */
  readonly count?: number;
  readonly seconds?: number;
}

/** ns from the call to its return: fio's `lat`, which is `slat` and `clat` together. */
export interface FioLatency {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
}

export async function fioReads(reads: FioReads): Promise<FioLatency> {
  return latencyOf(await run(optionsOf(reads)));
}

/** ns per I/O, ascending: the percentiles in fio's report are rounded to 1.6 %. */
export async function fioLatencies(reads: FioReads): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ioheat-fio-'));
  try {
    const log = join(folder, 'reads');
    await run([...optionsOf(reads), `--write_lat_log=${log}`, '--per_job_logs=0']);
    const lines = readFileSync(`${log}_lat.log`, 'utf8').trim().split('\n');
    return lines.map((line) => Number(line.split(',')[1])).sort((a, b) => a - b);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function optionsOf({ path, jobs, count, seconds }: FioReads): string[] {
  return [
    '--name=reads',
    `--filename=${path}`,
    '--direct=1',
    '--rw=randread',
    '--norandommap',
    '--bs=4k',
    '--ioengine=psync',
    '--thread',
    `--numjobs=${jobs}`,
    '--group_reporting',
    '--lat_percentiles=1',
    '--clat_percentiles=0',
    ...(count === undefined ? [] : [`--number_ios=${count}`]),
    ...(seconds === undefined ? [] : ['--time_based', `--runtime=${seconds}`]),
    '--output-format=json',
  ];
}

/** Of fio's output with `--lat_percentiles=1` and `--group_reporting`, for reads. */
export function latencyOf(json: string): FioLatency {
  const { jobs: groups } = JSON.parse(json.slice(json.indexOf('{'))) as FioOutput;
  const { total_ios, lat_ns } = groups[0]!.read;
  const { '50.000000': p50, '99.000000': p99 } = lat_ns.percentile;
  return { count: total_ios, mean: lat_ns.mean, p50, p99 };
}

interface FioOutput {
  readonly jobs: readonly {
    readonly read: {
      readonly total_ios: number;
      readonly lat_ns: {
        readonly mean: number;
        readonly percentile: { readonly '50.000000': number; readonly '99.000000': number };
      };
    };
  }[];
}

function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    // Ahead of everybody else, or fio would count how long it waits for a processor.
    execFile(
      'chrt',
      ['--fifo', '1', 'fio', ...args],
      { maxBuffer: 1 << 24 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`fio: ${error.message} ${stderr}`));
      },
    );
  });
}
