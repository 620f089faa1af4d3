import type { SourceCounters } from '../../../src/trace/completion-summary.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { openRecording } from '../../../src/trace/recording/reading/open-recording.ts';
import { must } from '../../must.ts';

/** What the reader of a recording finds in it, and what the recording says of itself. */
export interface OwnCounts {
  readonly found: { readonly delivered: number; readonly summarised: number };
  readonly own: SourceCounters;
  readonly problems: readonly string[];
  /** I/Os by disk, individual and aggregated. */
  readonly byDisk: ReadonlyMap<number, number>;
}

const NOTHING: SourceCounters = { delivered: 0, summarised: 0, lost: 0, losses: {} };

export function ownCounts(path: string): OwnCounts {
  const identities = new IdentityTable();
  const reader = must(openRecording(path, identities));
  const found = { delivered: 0, summarised: 0 };
  const byDisk = new Map<number, number>();
  const count = (key: number, ios: number): void => {
    const { dev } = identities.get(key);
    byDisk.set(dev, (byDisk.get(dev) ?? 0) + ios);
  };
  let own = NOTHING;
  for (let chunk = reader.next(); typeof chunk === 'object'; chunk = reader.next()) {
    own = chunk.counters ?? own;
    found.delivered += chunk.rows.length;
    for (let row = 0; row < chunk.rows.length; row++) count(chunk.rows.identity[row]!, 1);
    for (const summary of chunk.summaries) {
      found.summarised += summary.count;
      count(summary.identity, summary.count);
    }
  }
  const problems = reader.problems().map(({ what }) => what);
  reader.dispose();
  return { found, own, problems, byDisk };
}
