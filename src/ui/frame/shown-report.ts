import type { ShouldYield } from '../../base/time.ts';
import type { ActivityReport, Hanging } from '../../model/activity.ts';
import type { Playback } from '../../model/playback.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import type { Mode, ViewState } from '../../view/state.ts';

type ReportCount = ReturnType<Monitor['countReport']>;

/** How often the tables and the header are counted anew: figures that change faster cannot be read. */
const REPORT_EVERY_NS = 1e9;

/** The same for a replay that runs faster than time: ten frames are about a second. */
const REPORT_EVERY_FRAMES = 10;

/** Modes in which rows and entries must not move away under the cursor. */
const STANDING: readonly Mode[] = ['pick', 'find'];

/** What is asked of it: a view, the one painted before, the end of the picture, and the present. */
export interface ReportQuestion {
  readonly view: ViewState;
  readonly lastView: ViewState | undefined;
  readonly endNs: number;
  readonly nowNs: number;
}

/** The figures beside the picture, which stand still for as long as it takes to read them. */
export class ShownReport {
  /** Undefined before the first is counted. */
  report: ActivityReport | undefined;
  hanging: Hanging | undefined;
  private reportedAtNs = -Infinity;
  private countedAtNs = -Infinity;
  private framesSinceReport = 0;
  private lastState: Playback['state'] | undefined;
  /** The view that the report answers, or the one that is being counted. */
  private asking: ViewState | undefined;
  /** The next report, until all of it is counted. */
  private counting: ReportCount | undefined;

  constructor(
    private readonly monitor: Monitor,
    private readonly playback: (() => Playback) | undefined,
  ) {}

  /** Whether a newer report has been counted only in part. */
  get isCounting(): boolean {
    return this.counting !== undefined;
  }

  /**
   * Counts anew if it is time to, until its turn is up; true if there is another report. To be asked once a
   * frame.
   */
  refresh(question: ReportQuestion, shouldYield?: ShouldYield): boolean {
    const { view, lastView, endNs, nowNs } = question;
    const isStanding = STANDING.includes(view.mode);
    if (isStanding && lastView?.mode === view.mode) return false;
    if (this.isDue(question) || this.report === undefined) this.begin(view, endNs, nowNs);
    if (this.counting === undefined) return false;
    const isFirst = this.report === undefined;
    const report = this.counting.advance(isStanding || isFirst ? undefined : shouldYield);
    if (report === undefined) return false;
    this.report = report;
    this.counting = undefined;
    return true;
  }

  /** What the view shows, although no frame has been painted since it asks something else. */
  of(view: ViewState, endNs: number, nowNs: number): ActivityReport {
    const isStanding = STANDING.includes(view.mode) && this.asking?.mode === view.mode;
    const isOther = !isStanding && isOtherQuestion(view, this.asking);
    if (this.report !== undefined && !isOther) return this.report;
    this.report = this.begin(view, endNs, nowNs).advance()!;
    this.counting = undefined;
    return this.report;
  }

  private begin(view: ViewState, endNs: number, nowNs: number): ReportCount {
    this.asking = view;
    this.countedAtNs = nowNs;
    this.framesSinceReport = 0;
    this.hanging = this.monitor.hanging();
    // Aligned, so that a late frame does not make all later ones late.
    this.reportedAtNs = Math.floor(endNs / REPORT_EVERY_NS) * REPORT_EVERY_NS;
    return (this.counting = this.monitor.countReport(endNs, view.grouping));
  }

  private isDue({ view, lastView, endNs, nowNs }: ReportQuestion): boolean {
    const { state, speed = 1 } = this.playback?.() ?? {};
    const isRacing = state === 'playing' && speed > 1;
    this.framesSinceReport++;
    // Such as that all is loaded, or that the end is reached, of which no time tells.
    const isOtherState = state !== this.lastState && state !== 'loading';
    this.lastState = state;
    // Slow I/O of the time that a frozen picture shows may complete only now.
    const elapsedNs = Math.max(Math.abs(endNs - this.reportedAtNs), nowNs - this.countedAtNs);
    const isOld = elapsedNs >= REPORT_EVERY_NS;
    return (
      (isOld && (!isRacing || this.framesSinceReport >= REPORT_EVERY_FRAMES)) ||
      lastView === undefined ||
      isOtherQuestion(view, this.asking) ||
      isOtherState
    );
  }
}

/** Also when the picture begins to follow, or no longer does. */
function isOtherQuestion(view: ViewState, asking: ViewState | undefined): boolean {
  return (
    view.filter !== asking?.filter ||
    view.grouping !== asking.grouping ||
    (view.frozenAtNs === undefined) !== (asking.frozenAtNs === undefined)
  );
}
