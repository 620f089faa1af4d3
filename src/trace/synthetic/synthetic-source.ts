import { assert } from '../../base/assert.ts';
import type { Clock, ClockBase } from '../../base/time.ts';
import { createColumns } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import type { EventSource, SourceInfo } from '../event-source.ts';
import type { SourceCounters } from '../completion-summary.ts';
import { findPattern } from './patterns.ts';
import type { Pattern, PatternName } from './patterns.ts';
import { PREPARE } from './prepare-pattern.ts';
import { Random } from './random.ts';
import { SLOT_NS, SlotRows } from './slot-rows.ts';
import type { FillSlot } from './slot-rows.ts';
import { Stage } from './stage.ts';

const BUFFER_ROWS = 1 << 16;

/** The pattern starts at trace time 0. With a `clockBase` some minutes in the past, that much I/O exists at once. */
export interface SyntheticOptions {
  readonly pattern: PatternName;
  /** An integer; the same seed gives the same rows, however reads are timed. */
  readonly seed: number;
  readonly clock: Clock;
  readonly identities: IdentityTable;
  readonly clockBase: ClockBase;
  /** Completions per second, as a mean over a cycle; default: the pattern's own rate. */
  readonly rate?: number;
}

export function createSyntheticSource(options: SyntheticOptions): EventSource {
  const pattern = findPattern(options.pattern);
  assert(pattern !== undefined, `no pattern named ${options.pattern}`);
  return new SyntheticSource(options, pattern);
}

class SyntheticSource implements EventSource {
  readonly info: SourceInfo;
  private readonly out = createColumns(BUFFER_ROWS);
  private readonly rows = new SlotRows();
  private readonly random = new Random();
  private readonly fill: FillSlot;
  private readonly load: number;
  /** Slots filled so far. */
  private slots = 0;
  /** Next row of the last filled slot. */
  private position = 0;
  private delivered = 0;

  constructor(
    private readonly options: SyntheticOptions,
    pattern: Pattern,
  ) {
    const stage = new Stage(options.identities);
    this.fill = PREPARE[options.pattern](stage);
    this.load = (options.rate ?? pattern.completionsPerSecond) / pattern.completionsPerSecond;
    this.info = describe(options, pattern, stage);
  }

  read(): CompletionColumns {
    const { out, rows } = this;
    const nowNs = this.options.clock.nowNs();
    out.length = 0;
    for (;;) {
      this.position = rows.take(out, this.position, nowNs);
      if (this.position < rows.length || this.slots * SLOT_NS > nowNs) break;
      this.nextSlot();
    }
    this.options.identities.files.see(out);
    this.delivered += out.length;
    return out;
  }

  readSummaries(): readonly [] {
    return [];
  }

  counters(): SourceCounters {
    return { delivered: this.delivered, summarised: 0, lost: 0, losses: {} };
  }

  dispose(): void {
    this.rows.clear();
  }

  private nextSlot(): void {
    const startNs = this.slots * SLOT_NS;
    const endNs = startNs + SLOT_NS;
    const { load, random, rows } = this;
    random.reseed(this.options.seed, this.slots);
    rows.clear();
    this.fill({ startNs, endNs, load, random, rows });
    rows.sort(startNs, endNs);
    this.slots++;
    this.position = 0;
  }
}

function describe(options: SyntheticOptions, pattern: Pattern, stage: Stage): SourceInfo {
  const devices = [...stage.devices.values()];
  return {
    kind: 'synthetic',
    host: 'demo',
    title: `${pattern.name}: ${pattern.title}`,
    clockBase: options.clockBase,
    identities: options.identities,
    device: (dev) => stage.devices.get(dev),
    devices: () => devices,
    cgroups: stage.cgroups,
  };
}
