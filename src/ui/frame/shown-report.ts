import type { ShouldYield } from '../../base/time.ts';
import type { ActivityReport, Hanging, ReportRange } from '../../model/activity.ts';
import { isLatency } from '../../model/metric.ts';
import type { Latency } from '../../model/metric.ts';
import type { Playback } from '../../model/playback.ts';
import type { Stall } from '../../model/stall.ts';
import type { Arrived, Monitor } from '../../monitor/monitor.ts';
import type { Mode, ViewState } from '../../view/state.ts';

type ReportCount = ReturnType<Monitor['countReport']>;

/** How often tables and header are recounted: figures that change faster cannot be read. */
const REPORT_EVERY_NS = 1e9;
/** The same while the program takes more processor time than its budget. */
const RARE_REPORT_EVERY_NS = 2e9;

/** The same for a replay that runs faster than real time: ten frames are about a second. */
const REPORT_EVERY_FRAMES = 10;

/** Modes in which rows and entries must not move under the cursor. */
const STANDING: readonly Mode[] = ['pick', 'find'];

/** What a report is requested for: a view, the one painted before, the time to report on, and the present. */
export interface ReportQuestion {
  readonly view: ViewState;
  readonly lastView: ViewState | undefined;
  readonly range: ReportRange;
  readonly nowNs: number;
}

/** The figures around the picture, which stay unchanged long enough to be read. */
export class ShownReport {
  /** Undefined until the first one is counted. */
  report: ActivityReport | undefined;
  hanging: Hanging | undefined;
  stall: Stall | undefined;
  /** The counters of the source. A live source reads files to answer, so it is asked only for a new report. */
  arrived: Arrived | undefined;
  /** Set if the budget makes frames rarer: figures are then recounted more rarely. */
  framesPerSecond: number | undefined;
  private reportedAtNs = -Infinity;
  private countedAtNs = -Infinity;
  private framesSinceReport = 0;
  private lastState: Playback['state'] | undefined;
  /** What the current report, or the one being counted, was requested for. */
  private asking: Asking | undefined;
  /** The next report, until all of it is counted. */
  private counting: ReportCount | undefined;

  constructor(
    private readonly monitor: Monitor,
    private readonly playback: (() => Playback) | undefined,
  ) {}

  /** Whether a newer report is partly counted. */
  get isCounting(): boolean {
    return this.counting !== undefined;
  }

  /**
   * Recounts when it is due, until the deadline; true if there is a new report. Call it once per frame.
   */
  refresh(question: ReportQuestion, shouldYield?: ShouldYield): boolean {
    const { view, lastView, range, nowNs } = question;
    const isStanding = STANDING.includes(view.mode);
    if (isStanding && lastView?.mode === view.mode) return false;
    if (this.isDue(question) || this.report === undefined) this.begin(view, range, nowNs);
    if (this.counting === undefined) return false;
    const isFirst = this.report === undefined;
    const report = this.counting.advance(isStanding || isFirst ? undefined : shouldYield);
    if (report === undefined) return false;
    this.report = report;
    this.counting = undefined;
    return true;
  }

  /** The report of this view, even if no frame has been painted since it changed. */
  of(view: ViewState, range: ReportRange, nowNs: number): ActivityReport {
    const isStanding = STANDING.includes(view.mode) && this.asking?.view.mode === view.mode;
    const isOther = !isStanding && isOtherQuestion({ view, range }, this.asking);
    if (this.report !== undefined && !isOther) return this.report;
    this.report = this.begin(view, range, nowNs).advance()!;
    this.counting = undefined;
    return this.report;
  }

  private get everyNs(): number {
    return this.framesPerSecond === undefined ? REPORT_EVERY_NS : RARE_REPORT_EVERY_NS;
  }

  private begin(view: ViewState, range: ReportRange, nowNs: number): ReportCount {
    this.asking = { view, range };
    this.countedAtNs = nowNs;
    this.framesSinceReport = 0;
    this.hanging = this.monitor.outstanding.hanging(view.frozenAtNs ?? nowNs);
    this.stall = this.monitor.outstanding.stall(range);
    this.arrived = this.monitor.arrived();
    // Aligned, so that a late frame does not make all later ones late.
    this.reportedAtNs = Math.floor(range.endNs / this.everyNs) * this.everyNs;
    return (this.counting = this.monitor.countReport(range, view.grouping, latencyOf(view)));
  }

  private isDue({ view, lastView, range, nowNs }: ReportQuestion): boolean {
    const { state, speed = 1 } = this.playback?.() ?? {};
    const isRacing = state === 'playing' && speed > 1;
    this.framesSinceReport++;
    // For example a finished load or a reached end, which no time shows.
    const isOtherState = state !== this.lastState && state !== 'loading';
    this.lastState = state;
    // Slow I/O within the time of a frozen picture may complete only now.
    const elapsedNs = Math.max(Math.abs(range.endNs - this.reportedAtNs), nowNs - this.countedAtNs);
    const isOld = elapsedNs >= this.everyNs;
    return (
      (isOld && (!isRacing || this.framesSinceReport >= REPORT_EVERY_FRAMES)) ||
      lastView === undefined ||
      isOtherQuestion({ view, range }, this.asking) ||
      isOtherState
    );
  }
}

/** What a report was requested for. */
interface Asking {
  readonly view: ViewState;
  readonly range: ReportRange;
}

/**
 * Whether another report is requested: also when the picture starts or stops following. While it follows, its time
 * moves on by itself.
 */
function isOtherQuestion({ view, range }: Asking, asked: Asking | undefined): boolean {
  return (
    asked === undefined ||
    view.filter !== asked.view.filter ||
    view.layer !== asked.view.layer ||
    view.grouping !== asked.view.grouping ||
    latencyOf(view) !== latencyOf(asked.view) ||
    range.scope !== asked.range.scope ||
    (range.scope !== 'recent' &&
      (range.startNs !== asked.range.startNs || range.endNs !== asked.range.endNs))
  );
}

/** The latency in the picture; for offsets and sizes, the total latency. */
function latencyOf({ metric }: ViewState): Latency {
  return isLatency(metric) ? metric : 'total';
}
