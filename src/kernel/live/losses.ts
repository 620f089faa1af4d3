import type { DiskLoss, SourceCounters } from '../../trace/completion-summary.ts';
import type { KernelCounters } from '../counts/counter-reader.ts';
import type { KernelAudit } from '../counts/kernel-audit.ts';

/** What is known of I/O that was not delivered. All counts are since the start of the trace. */
export interface LossFacts {
  readonly kernel: KernelCounters;
  /** By disk, requests whose completion was missed and that have not been used again. */
  readonly vanishedOn: ReadonlyMap<number, number>;
  /** Runs of the completion program that the kernel reports as skipped. */
  readonly skipped: number;
  /** What only the kernel's own counts include. */
  readonly audit: Pick<KernelAudit, 'missing' | 'missingOn'>;
}

/**
 * A missed completion is noticed when its request is used again, or when the disk is idle. Skipped runs that the
 * kernel reports, and I/Os that only its own counts include, are mostly the same I/Os: only what exceeds those
 * already known is added.
 */
export function lossesOf(facts: LossFacts): Pick<SourceCounters, 'losses' | 'lostOn'> {
  const { kernel, vanishedOn, audit } = facts;
  const overwritten = kernel.overwrittenAtStart + kernel.overwrittenAtIssue;
  const vanished = [...vanishedOn.values()].reduce((sum, count) => sum + count, 0);
  const { unsummarised } = kernel;
  const skipped = Math.max(0, facts.skipped - overwritten - vanished);
  const known = overwritten + vanished + skipped + unsummarised;
  // `repeated`: second completions of requests whose first was before the trace. The kernel counts them.
  const unseen = Math.max(0, audit.missing - kernel.repeated - known);
  const unseenOn = audit.missingOn(kernel.repeated + known);
  return {
    losses: {
      overwritten,
      vanished,
      skipped,
      unsummarised,
      unseen,
      ...unlessNone('volumes', volumesLost(kernel)),
      ...unlessNone('waits', waitsLost(kernel)),
      ...unlessNone('calls', callsLost(kernel)),
    },
    lostOn: [...lossesOn('vanished', vanishedOn), ...lossesOn('unseen', unseenOn)],
  };
}

/** More were in flight than are noted, the kernel ran no program at an end, or there was no summary to count in. */
function volumesLost(kernel: KernelCounters): number {
  return kernel.volumeUnsummarised + kernel.volumeLost;
}

/** The ring was full, more threads slept than are noted, or the kernel ran no program at the end of a wait. */
function waitsLost(kernel: KernelCounters): number {
  return kernel.waitsLost + kernel.waitsForgotten + kernel.waitsUnseen;
}

/**
 * There was no summary to count in, more threads were in calls than are noted, or the kernel ran no program when a call
 * returned.
 */
function callsLost(kernel: KernelCounters): number {
  return kernel.callsUnsummarised + kernel.callsForgotten + kernel.callsUnseen;
}

/** Most traces have no such layer. */
function unlessNone(way: string, count: number): Readonly<Record<string, number>> {
  return count === 0 ? {} : { [way]: count };
}

function lossesOn(way: string, counts: ReadonlyMap<number, number>): DiskLoss[] {
  return [...counts].filter(([, count]) => count > 0).map(([dev, count]) => ({ dev, way, count }));
}
