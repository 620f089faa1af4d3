import { spawn } from 'node:child_process';
import { bundleEntry, type BundledEntry } from '../kernel/fixtures/bundle-entry.ts';

/** What `load-main.ts` does, as its one argument. */
export interface LoadOrder {
  readonly path: string;
  readonly depth: number;
  readonly batch: number;
  readonly count: number;
  readonly blockBytes: number;
  readonly spanBytes: number;
  readonly seed: number;
  /** Share of writes, 0 to 1. */
  readonly writes: number;
  /** At most so many I/Os a second; without it, as many as go. */
  readonly perSecond?: number;
}

export interface LoadReport {
  readonly reads: number;
  readonly writes: number;
  readonly bytes: number;
  readonly failures: number;
  readonly elapsedNs: number;
}

/** The load's program as plain JavaScript, because node runs it without a test runner. */
export function buildLoad(): Promise<BundledEntry> {
  return bundleEntry('test/load/load-main.ts');
}

/** A load in a process of its own. */
export interface RunningLoad {
  readonly pid: number;
  readonly report: Promise<LoadReport>;
}

export function startLoad(program: BundledEntry, order: LoadOrder): RunningLoad {
  const child = spawn(process.execPath, [program.path, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  const report = new Promise<LoadReport>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(Buffer.concat(output).toString()) as LoadReport);
      else reject(new Error(`the load ended with ${String(code)}`));
    });
  });
  return { pid: child.pid ?? 0, report };
}
