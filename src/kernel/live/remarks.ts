import type { KernelCounters } from '../counts/counter-reader.ts';

/** What is worth knowing about the I/O of a trace and is no loss, for `--verbose`: how many, by what they are. */
export function remarksOf(
  kernel: KernelCounters,
  skipped: number,
): Readonly<Record<string, number>> {
  return {
    'of volumes': kernel.volumeIos,
    'of volumes, aggregated': kernel.volumeSummarised,
    'of volumes, lost without a summary': kernel.volumeUnsummarised,
    'of volumes, lost because an end was not seen': kernel.volumeLost,
    'aggregated to stay within the budget': kernel.leftOut,
    'excluded by the filter': kernel.filtered,
    'with unknown owner': kernel.unmatched,
    'without a place at submission': kernel.noSlotAtStart,
    'without a place at issue': kernel.noSlotAtIssue,
    'first seen after their wait for a free request': kernel.queueUnseen,
    'completed in parts': kernel.partial,
    'completed twice by a flush sequence': kernel.held + kernel.repeated,
    'with unknown file': kernel.fileUnknown,
    'with bytes of several files': kernel.filesMerged,
    'with a file whose name is missing so far': kernel.namesUnsent,
    'merged into others': kernel.merged,
    requeued: kernel.requeued,
    'skipped by the kernel': skipped,
    'sleeps for something other than storage': kernel.waitsElsewhere,
    'system calls': kernel.callsDelivered,
    'system calls, aggregated': kernel.callsSummarised,
    'system calls, aggregated to stay within the budget': kernel.callsLeftOut,
  };
}
