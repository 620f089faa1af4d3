import type { ShouldYield } from '../../base/time.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import type { Trend } from '../../model/trend.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import type { ActivityInfo } from '../activity/activity-report.ts';
import type { History } from '../../history/history.ts';
import { TrendCount } from './trend-count.ts';
import { gridOf } from './trend-grid.ts';
import type { TrendWindow } from './trend-grid.ts';

/** How many bucket widths are kept up to date: people zoom in and out again. */
const MOST_KEPT = 3;

/**
 * The I/O that matches a filter, over a window of time. A bucket is one or several columns of the picture, with edges
 * that do not move when the window does; a bucket that is not over has no value, unless it is long.
 */
export function trendOf(
  history: History,
  window: TrendWindow,
  filter: CompiledFilter,
  info: ActivityInfo,
): Trend {
  return new LiveTrend(history, info).show(window, filter);
}

/** The same for a moving window, counted once and then kept up to date. */
export class LiveTrend {
  /** The most recently shown comes first. */
  private counts: TrendCount[] = [];

  constructor(
    private readonly history: History,
    private readonly info: ActivityInfo,
  ) {}

  /** Whether the trend shown last is still incomplete. */
  get isCounting(): boolean {
    return this.counts[0]?.isCounting === true;
  }

  /** The trend as counted until the deadline; the next call continues. */
  show(window: TrendWindow, filter: CompiledFilter, shouldYield?: ShouldYield): Trend {
    const count = this.countOf(window, filter);
    count.update(window, shouldYield);
    return count.trend(window);
  }

  append(rows: CompletionColumns): void {
    for (const count of this.counts) count.append(rows);
  }

  appendAggregate(aggregate: CompletionSummary): void {
    for (const count of this.counts) count.appendAggregate(aggregate);
  }

  private countOf(window: TrendWindow, filter: CompiledFilter): TrendCount {
    const grid = gridOf(window);
    const kept = this.counts.filter((count) => count.isFor(filter));
    const known = kept.find((count) => count.hasGrid(grid));
    const count = known ?? new TrendCount(this.history, filter, this.info, grid);
    const others = kept.filter((other) => other !== count);
    this.counts = [count, ...others].slice(0, MOST_KEPT);
    return count;
  }
}
