import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What is measured in turn with and without a tool. */
export interface Load {
  readonly title: string;
  /** Of what it prints: the figure of the table. Less is better, unless `isRate`. */
  readonly isRate: boolean;
  readonly command: readonly string[];
  readonly figureOf: (output: string) => number;
}

export interface Places {
  /** Of `call-load.c`. */
  readonly program: string;
  /** In the page cache. */
  readonly file: string;
  readonly disk: string;
  readonly ms: number;
}

/** Each read is one call, one wait and one I/O. */
function fioCommand({ disk, ms }: Places): readonly string[] {
  return [
    ...['fio', '--name=load', `--filename=${disk}`, '--direct=1', '--rw=randread', '--bs=4k'],
    ...['--ioengine=psync', '--thread', '--numjobs=2', '--time_based', `--runtime=${ms}ms`],
    ...['--group_reporting', '--output-format=json'],
  ];
}

function thousandIops(output: string): number {
  const json = output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1);
  const { jobs } = JSON.parse(json) as { jobs: [{ read: { iops: number } }] };
  return jobs[0].read.iops / 1000;
}

export function loadsOn(places: Places): readonly Load[] {
  const { program, file, ms } = places;
  const call = (title: string, ...words: readonly string[]): Load => ({
    ...{ title, isRate: false, figureOf: Number },
    command: [program, ...words],
  });
  return [
    call('getppid, ns', 'getppid', String(ms)),
    call('pread 4 KiB, ns', 'pread', String(ms), file),
    call('2 switches, ns', 'switch', String(ms)),
    {
      ...{ title: 'direct I/O, thousand/s', isRate: true, figureOf: thousandIops },
      command: fioCommand(places),
    },
  ];
}

/** The figure of one run; `around` is a command that starts the load itself, as strace does. */
export async function runLoad(load: Load, around: readonly string[] = []): Promise<number> {
  const [file = '', ...args] = [...around, ...load.command];
  const { stdout } = await promisify(execFile)(file, args, { maxBuffer: 2 ** 26 });
  const figure = load.figureOf(stdout);
  if (!(figure > 0)) throw new Error(`${load.title}: no figure in ${stdout}`);
  return figure;
}
