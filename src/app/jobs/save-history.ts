import type { History } from '../../history/history.ts';
import { createBinList, Field, METRIC_INDEX } from '../../history/slices/slice.ts';
import type { Slice, SLICE_METRICS } from '../../history/slices/slice.ts';
import type { SliceView } from '../../history/slices/slice-view.ts';
import { appendRows, createColumns } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { FINE_BINS, OFFSET_BINS } from '../../model/fine-bins.ts';
import { aggregateIdentity } from '../../model/folded-identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { Verdict } from '../../filter/verdict.ts';
import type { RecordingWriter } from '../../trace/recording/writing/recording-writer.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import type { FileJob } from './file-job.ts';
import { MatchingRows } from './matching-rows.ts';

/** The interval [startNs, endNs) of a history, and the filter on it. */
export interface SavedPart {
  readonly startNs: number;
  readonly endNs: number;
  readonly filter: CompiledFilter;
}

/** Encoded in one go: a few milliseconds. */
const ROWS_PER_BATCH = 1 << 14;

/**
 * Writes a part of the history: single I/Os as far back as they are held, aggregates before that.
 * The history keeps growing meanwhile, so it is read interval by interval, the oldest first.
 * Returns how many I/Os may have belonged to the part, but are known only in aggregates that also hold
 * others; undefined if it was cancelled.
 */
export async function saveHistory(
  history: History,
  part: SavedPart,
  identities: IdentityTable,
  writer: RecordingWriter,
  job: FileJob,
): Promise<number | undefined> {
  return new HistorySaver(history, part, identities, writer, job).run();
}

class HistorySaver {
  private readonly matching: MatchingRows;
  private rows = createColumns(ROWS_PER_BATCH);
  private readonly batch = createColumns(ROWS_PER_BATCH);
  private undecided = 0;

  constructor(
    private readonly history: History,
    private readonly part: SavedPart,
    private readonly identities: IdentityTable,
    private readonly writer: RecordingWriter,
    private readonly job: FileJob,
  ) {
    this.matching = new MatchingRows(part.filter);
  }

  async run(): Promise<number | undefined> {
    const { startNs, endNs } = this.part;
    const { sliceNs } = this.history;
    const borderNs = Math.min(this.history.detailStartNs, endNs);
    // Aggregates are merged as they age: those of this moment hold everything once.
    for (const view of [...this.history.query(startNs, borderNs).slices]) {
      this.saveSlice(view);
      if (!(await this.continues(view.startNs))) return undefined;
    }
    for (let fromNs = Math.max(startNs, borderNs); fromNs < endNs;) {
      const toNs = Math.min(endNs, (Math.floor(fromNs / sliceNs) + 1) * sliceNs);
      if (!(await this.saveStretch(fromNs, toNs))) return undefined;
      fromNs = toNs;
    }
    return this.undecided;
  }

  /** Lets keys be answered, and the disk write what is waiting. */
  private async continues(atNs: number): Promise<boolean> {
    const { job, writer } = this;
    const { startNs, endNs } = this.part;
    if (job.shouldYield()) await writer.settled();
    return job.continues(Math.min(1, Math.max(0, (atNs - startNs) / (endNs - startNs))));
  }

  /** Takes all of a slice's time at once, so that nothing in it moves from single I/Os to aggregates. */
  private async saveStretch(fromNs: number, toNs: number): Promise<boolean> {
    const { rowsFromNs, chunks, slices } = this.history.query(fromNs, toNs);
    this.rows.length = 0;
    for (const { rows, from, to } of chunks) this.copyRows(rows, from, to, rowsFromNs, toNs);
    for (const view of slices)
      if (view.startNs >= fromNs && view.startNs < toNs) this.saveSlice(view);
    const { rows, batch, writer, matching } = this;
    let isWanted = await this.continues(fromNs);
    for (let from = 0; from < rows.length && isWanted; from += ROWS_PER_BATCH) {
      batch.length = 0;
      appendRows(batch, rows, from, Math.min(rows.length, from + ROWS_PER_BATCH));
      writer.append(matching.of(batch));
      isWanted = await this.continues(fromNs);
    }
    return isWanted;
  }

  private copyRows(
    held: CompletionColumns,
    from: number,
    to: number,
    fromNs: number,
    toNs: number,
  ): void {
    this.makeRoom(to - from);
    let first = from;
    for (let row = from; row <= to; row++) {
      const atNs = held.completeNs[row]!;
      if (row < to && atNs >= fromNs && atNs < toNs) continue;
      if (row > first) appendRows(this.rows, held, first, row);
      first = row + 1;
    }
  }

  private makeRoom(rows: number): void {
    const before = this.rows;
    const needed = before.length + rows;
    if (needed <= before.identity.length) return;
    this.rows = createColumns(Math.max(needed, 2 * before.identity.length));
    appendRows(this.rows, before, 0, before.length);
  }

  private saveSlice(view: SliceView): void {
    view.forEachShown((slice, entry, key) => {
      const verdict = this.part.filter.judge(key);
      if (verdict === Verdict.yes) this.writer.appendSummary(this.summaryOf(slice, entry, key));
      else if (verdict === Verdict.maybe) this.undecided += slice.field(entry, Field.count);
    });
  }

  private summaryOf(slice: Slice, entry: number, keyIndex: number): CompletionSummary {
    const key = this.identities.get(keyIndex);
    const count = slice.field(entry, Field.count);
    const countVariance = slice.field(entry, Field.countVariance);
    const histogram = (metric: (typeof SLICE_METRICS)[number]): Uint32Array =>
      histogramOf(slice, entry, metric);
    return {
      startNs: slice.startNs,
      endNs: slice.endNs,
      identity: this.identities.intern(aggregateIdentity(key)),
      count,
      ...(countVariance > 0 && { countVariance }),
      bytes: slice.field(entry, Field.bytes),
      errors: key.error === 0 ? slice.field(entry, Field.aggregateErrors) : count,
      deviceNsSum: slice.field(entry, Field.deviceNs),
      queueNsSum: slice.field(entry, Field.queueNs),
      maxDeviceNs: slice.field(entry, Field.maxDeviceNs),
      maxQueueNs: slice.field(entry, Field.maxQueueNs),
      device: histogram('device'),
      queue: histogram('queue'),
      total: histogram('total'),
      size: histogram('size'),
      offset: histogram('offset'),
      offsetShift: slice.offsetShift(entry),
    };
  }
}

const bins = createBinList();

function histogramOf(
  slice: Slice,
  entry: number,
  metric: (typeof SLICE_METRICS)[number],
): Uint32Array {
  const counts = new Uint32Array(metric === 'offset' ? OFFSET_BINS : FINE_BINS);
  const filled = slice.readBins(entry, METRIC_INDEX[metric], bins);
  for (let i = 0; i < filled; i++) counts[bins.bins[i]!] = bins.counts[i]!;
  return counts;
}
