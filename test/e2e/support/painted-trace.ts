import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import type { Heatmap } from '../../../src/heatmap/time/heatmap.ts';
import type { Interval } from '../../../src/heatmap/axis/scale.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { parseFilter } from '../../../src/filter/language/parse.ts';
import type { Metric } from '../../../src/model/metric.ts';
import { Monitor } from '../../../src/monitor/monitor.ts';
import { textColumns } from '../../../src/paint/font.ts';
import type { LoopDevice } from '../../load/loop-device.ts';
import { TraceSession } from '../../kernel/fixtures/trace-session.ts';
import { IOHEAT } from '../build.ts';
import { FINER } from './read-painting.ts';
import { must } from '../../must.ts';

interface Ended {
  readonly code: number | null;
  readonly told: string;
}

/** What the program told on standard error, and its exit code. */
export function ioheat(...args: string[]): Promise<Ended> {
  const child = spawn(IOHEAT, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      resolve({ code, told });
    });
  });
}

/** Where the disk is as quick with large I/Os as with small ones, or noise hides it. */
export const CANNOT = 'latency cannot be painted';

/** A trace of one disk, while a word is painted on it. */
export class PaintedTrace {
  private readonly session: TraceSession;
  private readonly monitor: Monitor;

  /** `intervalNs`: time per painted column. */
  constructor(
    private readonly disk: LoopDevice,
    private readonly intervalNs: number,
  ) {
    this.session = TraceSession.open({ filter: { devs: [disk.dev] } });
    const { source } = this.session;
    this.monitor = new Monitor({ source, historyBytes: 64 << 20, filter: NO_FILTER });
  }

  /** What the painter says of its work, or why there is none. */
  async paint(word: string, metric: string): Promise<string> {
    const pace = ['--interval', `${this.intervalNs / 1e6}ms`];
    const args = ['--metric', metric, '--target', this.disk.path, ...pace];
    const { code, told } = await ioheat('paint', word, ...args);
    expect(code, told).toBe(told.includes(CANNOT) ? 1 : 0);
    while (!this.monitor.pump());
    return told;
  }

  /** Everything so far, in columns of a tenth of a painted one. */
  picture(metric: Metric, bins: number, valueRange?: Interval): Heatmap {
    const columnNs = this.intervalNs / FINER;
    const { monotonicNs } = this.session.source.info.clockBase;
    const endNs = Number(process.hrtime.bigint() - monotonicNs);
    const shape = { scale: metric === 'offset' ? 'linear' : 'log', outlierCut: 0 } as const;
    const view = { metric, ...shape, valueRange, columnNs, columns: 1000, bins };
    return this.monitor.show(view, endNs).map;
  }

  /** The same of the I/Os of these sizes alone. */
  pictureOfSizes({ low, high }: Interval, bins: number, valueRange: Interval): Heatmap {
    const filter = must(parseFilter(`size>=${Math.ceil(low)} size<${Math.ceil(high)}`));
    this.monitor.setFilter(filter);
    const map = this.picture('device', bins, valueRange);
    this.monitor.setFilter(NO_FILTER);
    return map;
  }

  dispose(): void {
    this.session.dispose();
  }
}

export function widthOf(word: string): number {
  return textColumns(word)!.length;
}

/** I/Os of a bin, from a column on. */
export function countOf(map: Heatmap, bin: number, fromColumn: number): number {
  let count = 0;
  for (let column = fromColumn; column < map.columns; column++) count += map.count(column, bin);
  return count;
}
