import { NS_PER_SECOND } from '../../../src/base/time.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { PATTERNS } from '../../../src/trace/synthetic/patterns.ts';
import type { Pattern, PatternName } from '../../../src/trace/synthetic/patterns.ts';
import { createSyntheticSource } from '../../../src/trace/synthetic/synthetic-source.ts';

/**
 * Cost of the synthetic source at ten reads a second: ns per row and share of one core.
 *
 *   npm run bench -- synthetic
 */
const ROWS = 2_000_000;
const READ_EVERY_NS = NS_PER_SECOND / 10;

function generate(pattern: PatternName, untilNs: number): number {
  const clock = { now: 0, nowNs: () => clock.now };
  const clockBase = { monotonicNs: 0n, wallNs: 0n };
  const source = createSyntheticSource({
    pattern,
    seed: 1,
    clock,
    identities: new IdentityTable(),
    clockBase,
  });
  while (clock.now < untilNs) {
    clock.now += READ_EVERY_NS;
    while (source.read().length > 0);
  }
  return source.counters().delivered;
}

function bench(pattern: Pattern & { name: PatternName }): void {
  const untilNs = (ROWS / pattern.completionsPerSecond) * NS_PER_SECOND;
  generate(pattern.name, untilNs / 10);
  const start = process.hrtime.bigint();
  const rows = generate(pattern.name, untilNs);
  const tookNs = Number(process.hrtime.bigint() - start);
  const share = (100 * tookNs) / untilNs;
  process.stdout.write(
    `${pattern.name.padEnd(12)} ${(tookNs / rows).toFixed(0).padStart(4)} ns/row ${share.toFixed(3).padStart(7)} % of a core\n`,
  );
}

for (const pattern of PATTERNS) bench(pattern);
