import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BundledEntry } from '../../kernel/fixtures/bundle-entry.ts';
import { FIRST_TGID } from './io-pool.ts';
import { SimulatedKernel } from './simulated-kernel.ts';
import type { SimulatedSizes } from './simulated-kernel.ts';

/** What the reader of processor/scale.ts is told. */
export interface ReaderOrder {
  readonly folder: string;
  readonly sizes: SimulatedSizes;
  /** As `LiveOptions.budget`. */
  readonly budget?: number | undefined;
  /** After so long it measures. */
  readonly warmMs: number;
}

/** What the reader prints when it is open. */
export const READY = '\n';

/** Processor times are of one core. */
export interface ReaderReport {
  /** Of the whole reader. */
  readonly share: number;
  /** For a row: to read it, and to count it in history and picture. */
  readonly rowUs: number;
  /** For one look at what was only counted: to read it, divide it among owners, and count the parts. */
  readonly takeUs: number;
  readonly takesPerSecond: number;
  readonly rowsPerSecond: number;
  readonly rssBytes: number;
  /** At the end. */
  readonly oneIn: number;
  /** What the source says of the whole run, and the total of the tables. */
  readonly delivered: number;
  readonly summarised: number;
  readonly lost: number;
  readonly reported: number;
  /** Since it measures; 0 for I/O whose owner is unknown. */
  readonly owners: readonly {
    readonly tgid: number;
    readonly count: number;
    readonly margin: number;
  }[];
}

export interface Simulation {
  readonly perSecond: number;
  readonly sizes: SimulatedSizes;
  readonly budget?: number | undefined;
  readonly warmMs: number;
  readonly measuredMs: number;
}

export interface Simulated extends ReaderReport {
  /** What truly completed, and the share of each owner in it. */
  readonly completed: number;
  readonly shareOf: (tgid: number) => number;
}

const TICK_MS = 5;
/** Later than that, the rate would not be what is said. */
const LATE_MS = 1000;

/** A reader in a process of its own, and I/O at a steady rate. */
export async function simulate(reader: BundledEntry, simulation: Simulation): Promise<Simulated> {
  const { perSecond, sizes, budget, warmMs, measuredMs } = simulation;
  const kernel = new SimulatedKernel(sizes);
  try {
    const order: ReaderOrder = { folder: kernel.folder, sizes, budget, warmMs };
    const child = spawn(process.execPath, [reader.path], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, SCALE_READER: JSON.stringify(order) },
    });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const opened = new Promise((resolve) => child.stdout.once('data', resolve));
    await Promise.race([opened, ended]);
    await load(kernel, perSecond, warmMs + measuredMs);
    child.stdin.end();
    const code = await ended;
    if (code !== 0) throw new Error(`the reader ended with ${String(code)}`);
    const report = JSON.parse(Buffer.concat(output).toString()) as ReaderReport;
    const { completed, owned } = kernel;
    const shareOf = (tgid: number): number => owned[tgid - FIRST_TGID]! / completed;
    return { ...report, completed, shareOf };
  } finally {
    kernel.dispose();
  }
}

async function load(kernel: SimulatedKernel, perSecond: number, ms: number): Promise<void> {
  const startMs = performance.now();
  const dueAt = (elapsedMs: number): number => (elapsedMs * perSecond) / 1000 - kernel.atOnce;
  for (let elapsedMs = 0; elapsedMs < ms; elapsedMs = performance.now() - startMs) {
    while (kernel.completed <= dueAt(elapsedMs)) kernel.complete();
    await sleep(TICK_MS);
  }
  if (performance.now() - startMs > ms + LATE_MS)
    throw new Error(`this machine cannot simulate ${perSecond} I/Os a second`);
}
