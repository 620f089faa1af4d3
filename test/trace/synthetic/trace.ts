import { NS_PER_SECOND } from '../../../src/base/time.ts';
import type { CompletionColumns } from '../../../src/model/completion-columns.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import type { Identity } from '../../../src/model/identity.ts';
import type { EventSource } from '../../../src/trace/event-source.ts';
import type { PatternName } from '../../../src/trace/synthetic/patterns.ts';
import { createSyntheticSource } from '../../../src/trace/synthetic/synthetic-source.ts';

export interface Row {
  readonly completeNs: number;
  readonly deviceNs: number;
  readonly queueNs: number;
  readonly sector: number;
  readonly bytes: number;
  readonly key: Identity;
}

/** A clock that stands still until it is set. */
export class HandClock {
  now = 0;

  nowNs(): number {
    return this.now;
  }
}

export interface Setup {
  readonly seed?: number;
  readonly rate?: number;
}

export function openPattern(
  pattern: PatternName,
  clock: HandClock,
  setup: Setup = {},
): EventSource {
  return createSyntheticSource({
    pattern,
    seed: setup.seed ?? 1,
    clock,
    identities: new IdentityTable(),
    clockBase: { monotonicNs: 0n, wallNs: 0n },
    ...(setup.rate === undefined ? {} : { rate: setup.rate }),
  });
}

/** Everything that waits at the source, as objects. */
export function drain(source: EventSource): Row[] {
  const rows: Row[] = [];
  for (;;) {
    const batch = source.read();
    if (batch.length === 0) return rows;
    for (let i = 0; i < batch.length; i++) rows.push(rowAt(batch, i, source));
  }
}

/** All rows of the first `seconds` of a pattern. */
export function trace(pattern: PatternName, seconds: number, setup: Setup = {}): Row[] {
  const clock = new HandClock();
  const source = openPattern(pattern, clock, setup);
  clock.now = seconds * NS_PER_SECOND;
  return drain(source);
}

function rowAt(batch: CompletionColumns, index: number, source: EventSource): Row {
  return {
    completeNs: batch.completeNs[index]!,
    deviceNs: batch.deviceNs[index]!,
    queueNs: batch.queueNs[index]!,
    sector: batch.sector[index]!,
    bytes: batch.bytes[index]!,
    key: source.info.identities.get(batch.identity[index]!),
  };
}

export function totalNs(row: Row): number {
  return row.deviceNs + row.queueNs;
}

export function secondOf(row: Row): number {
  return Math.floor(row.completeNs / NS_PER_SECOND);
}

export function quantile(values: readonly number[], q: number): number {
  const ascending = [...values].sort((a, b) => a - b);
  return ascending[Math.min(ascending.length - 1, Math.floor(q * ascending.length))]!;
}
