import { Verdict } from '../../filter/verdict.ts';
import { JUDGED_ROWS } from '../../filter/match/match.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { isAfterFlush } from '../../model/operation.ts';
import type { History } from '../../history/history.ts';
import type { TailSplit } from '../../model/activity.ts';

/** Rows to read at most, the latest ones: a few milliseconds of work, once per second. */
const MOST_ROWS = 1 << 18;

/**
 * How the slowest I/Os in [startNs, endNs) spent their time: sums of queue and device latency, in ns, of I/Os with a
 * total latency of at least `fromNs`. A flush of the disk's cache before a write counts as device time. Undefined if
 * none of these I/Os is known individually.
 */
export function tailSplit(
  history: History,
  startNs: number,
  endNs: number,
  filter: CompiledFilter,
  identities: IdentityTable,
  fromNs: number,
): TailSplit | undefined {
  const split = { queueNs: 0, deviceNs: 0 };
  let left = MOST_ROWS;
  for (const { rows, from, to } of [...history.chunks(startNs, endNs)].reverse()) {
    for (let end = to; end > from && left > 0; end -= JUDGED_ROWS) {
      const first = Math.max(from, end - JUDGED_ROWS);
      const verdicts = filter.judgeRows(rows, first, end);
      for (let row = first; row < end; row++) {
        const queueNs = rows.queueNs[row]!;
        const deviceNs = rows.deviceNs[row]!;
        if (!(queueNs + deviceNs >= fromNs) || verdicts[row - first] !== Verdict.yes) continue;
        const atNs = rows.completeNs[row]!;
        if (!(atNs >= startNs && atNs < endNs)) continue;
        const waitedNs = isAfterFlush(identities.get(rows.identity[row]!)) ? 0 : queueNs;
        split.queueNs += waitedNs;
        split.deviceNs += queueNs + deviceNs - waitedNs;
      }
      left -= end - first;
    }
  }
  return split.queueNs + split.deviceNs > 0 ? split : undefined;
}
