import { openSync } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { checkOptions } from '../../../src/cli/check-options.ts';
import { Session } from '../../../src/app/session/session.ts';
import { createColumns } from '../../../src/model/completion-columns.ts';
import type { CompletionColumns } from '../../../src/model/completion-columns.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import type { IdentityTable } from '../../../src/model/identity-table.ts';
import type { EventSource } from '../../../src/trace/event-source.ts';
import { SeededRandom } from '../../random.ts';
import { workerIdentities } from './worker-identities.ts';
import type { TerminalStreams } from '../../../src/terminal/terminal-output.ts';
import { must } from '../../must.ts';
import { fillBusyRows, THREE_DISKS } from './busy-rows.ts';

export interface BusyLoad {
  /** Single I/Os that have completed before the session begins, and over how many ns. */
  readonly rows: number;
  readonly spanNs: number;
  /** Completions per second from then on. */
  readonly iops: number;
  readonly processes: number;
}

const BATCH_ROWS = 65_536;

function createKeys(processes: number): IdentityTable {
  return workerIdentities(
    processes * 2,
    (i) => THREE_DISKS[(1 + (i >> 1)) % THREE_DISKS.length]!.dev,
  );
}

/** A past of many I/Os, and then a steady stream of them. */
export class BusySource implements EventSource {
  readonly info;
  private startedMs: number | undefined;
  private delivered = 0;
  private readonly rows = createColumns(BATCH_ROWS);

  constructor(private readonly load: BusyLoad) {
    const identities = createKeys(load.processes);
    this.info = {
      kind: 'live',
      host: 'bench',
      title: 'busy',
      clockBase: { monotonicNs: 0n, wallNs: 0n },
      identities: identities,
      device: (dev: number) => THREE_DISKS.find((disk) => disk.dev === dev),
      devices: () => THREE_DISKS,
    } as const;
    const random = new SeededRandom(1, 1);
    fillBusyRows(this.rows, random, identities.size);
  }

  /** From now on time goes on. */
  start(): void {
    this.startedMs = performance.now();
  }

  nowNs(): number {
    const { startedMs, load } = this;
    return load.spanNs + (startedMs === undefined ? 0 : (performance.now() - startedMs) * 1e6);
  }

  read(): CompletionColumns {
    const { load, rows } = this;
    const isPast = this.delivered < load.rows;
    const untilNow = Math.floor(((this.nowNs() - load.spanNs) / 1e9) * load.iops);
    const waiting = isPast ? load.rows - this.delivered : load.rows + untilNow - this.delivered;
    rows.length = Math.min(BATCH_ROWS, waiting);
    const gapNs = isPast ? load.spanNs / load.rows : 1e9 / load.iops;
    const firstNs = isPast
      ? this.delivered * gapNs
      : load.spanNs + (this.delivered - load.rows) * gapNs;
    for (let row = 0; row < rows.length; row++)
      rows.completeNs[row] = Math.floor(firstNs + row * gapNs);
    this.delivered += rows.length;
    return rows;
  }

  readSummaries(): readonly never[] {
    return [];
  }

  counters() {
    return { delivered: this.delivered, summarised: 0, lost: 0, losses: {} };
  }

  dispose(): void {
    this.delivered = 0;
  }
}

/** A terminal that takes everything at once. */
class TakingTerminal extends Writable {
  readonly isTTY = true;
  readonly columns = 200;
  readonly rows = 50;
  readonly fd = openSync('/dev/null', 'w');
  frames = 0;
  lastFrameMs = 0;

  override _write(_chunk: unknown, _encoding: unknown, taken: () => void): void {
    this.frames++;
    this.lastFrameMs = performance.now();
    taken();
  }
}

/** The program in front of that terminal, in this process. */
export class BusySession {
  readonly source: BusySource;
  readonly session: Session;
  readonly terminal = new TakingTerminal();
  private readonly input = Object.assign(new PassThrough(), {
    setRawMode: () => undefined,
    unref: () => undefined,
  });

  constructor(load: BusyLoad, historyBytes: string) {
    process.env['XDG_CONFIG_HOME'] = '/nonexistent';
    this.source = new BusySource(load);
    const options = must(checkOptions('live', { history: historyBytes }));
    const streams = { output: this.terminal, input: this.input } as unknown as TerminalStreams;
    this.session = new Session({
      source: this.source,
      clock: this.source,
      filter: NO_FILTER,
      recordedOnly: '',
      options,
      streams,
      capabilities: {
        colors: '256',
        unicode: true,
        fullBlocksOnly: false,
        background: 'unknown',
        answers: false,
        reports: false,
        size: () => ({ columns: 200, rows: 50 }),
      },
      guardian: { ready: Promise.resolve(), taken: () => undefined, given: () => undefined },
    });
    while (!this.session.monitor.pump());
    this.source.start();
  }

  /** Whether something on the screen is still being counted. */
  get isUnfinished(): boolean {
    return this.session['painter'].isUnfinished;
  }

  /** What the status line tells. */
  get notice(): string {
    return this.session['view'].notice ?? '';
  }

  type(keys: string): void {
    this.input.write(keys);
  }
}
