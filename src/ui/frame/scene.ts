import type { ShouldYield } from '../../base/time.ts';
import type { ActivityReport, ReportRange } from '../../model/activity.ts';
import type { BoxReport, CountingBox } from '../../query/box/drill-down.ts';
import type { ExplainedIo } from '../../query/box/explained-io.ts';
import type { LatestIos } from '../../query/slowest/latest-ios.ts';
import type { Playback } from '../../model/playback.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import type { PaletteDepth } from '../../raster/palette.ts';
import type { PaneStyle } from '../../raster/pane-style.ts';
import type { ListSize, TableRows } from '../../view/facts.ts';
import { matchingActions } from '../../view/keys/action-list.ts';
import type { KeyBinding } from '../../view/keys/key-table.ts';
import { listedColumns } from '../../view/reduce/columns.ts';
import { selectionOf } from '../../view/state.ts';
import type { Mode, ViewState } from '../../view/state.ts';
import { detailRect, layoutScreen, overlayRect } from '../layout-screen.ts';
import type { ScreenLayout } from '../layout-screen.ts';
import { ExplainedOnce } from '../dialogs/explained-once.ts';
import type { ListedInFlight } from '../dialogs/listed-in-flight.ts';
import {
  actionWindow,
  columnWindow,
  explainRoom,
  helpRoom,
  inFlightRoom,
  pickWindow,
} from '../dialogs/list-window.ts';
import { entriesAtOpening, filterPickEntries, pickEntries } from '../dialogs/pick-entries.ts';
import type { PickEntry } from '../dialogs/pick-entries.ts';
import { layoutView } from '../picture/layout-view.ts';
import type { PictureView } from '../picture/picture-view.ts';
import { rowIds } from '../tables/row-ids.ts';
import { shownRows } from '../tables/selected-row.ts';
import { visibleRows } from '../tables/table-lines.ts';
import type { Theme } from '../text/theme.ts';
import { CountedBox, isCounted } from '../dialogs/counted-box.ts';
import { isSameFilter } from '../../filter/language/edit.ts';
import type { Filter } from '../../filter/filter.ts';
import { besidePick } from '../../view/reduce/pick.ts';
import { pictureRange, reportRange } from './report-range.ts';
import { ShownReport } from './shown-report.ts';

export interface SceneOptions {
  readonly theme: Theme;
  readonly bindings: readonly KeyBinding[];
  /** Whether the terminal shows block elements and colours. */
  readonly unicode: boolean;
  readonly color: boolean;
  /** How many colours the terminal has; default: 256. */
  readonly depth?: PaletteDepth;
  /** State of the replay, if it is one. */
  readonly playback?: (() => Playback) | undefined;
}

/**
 * What a view shows of the monitor on a screen of one size: the picture, the tables, the drill-down, the
 * open list. The frame painter paints it; actions read it to find what is where.
 */
export class Scene {
  layout: ScreenLayout;
  readonly reports: ShownReport;
  readonly box: CountedBox;
  /** See `Overlay`. */
  helpLength: (width: number, helpFor: Mode) => number | undefined = () => undefined;
  drillDownScroll: (report: BoxReport, width: number, height: number) => ListSize | undefined =
    () => undefined;
  private readonly explainedOnce: ExplainedOnce;

  constructor(
    readonly monitor: Monitor,
    readonly options: SceneOptions,
    width: number,
    height: number,
  ) {
    this.layout = layoutScreen(width, height);
    this.reports = new ShownReport(monitor, options.playback);
    this.box = new CountedBox(monitor);
    this.explainedOnce = new ExplainedOnce(monitor);
  }

  resize(width: number, height: number): void {
    this.layout = layoutScreen(width, height);
  }

  /** The picture at the trace time `nowNs`; nothing is counted before it is used. */
  picture(view: ViewState, nowNs: number, shouldYield?: ShouldYield): PictureView {
    const { width, height } = this.layout.pane;
    const { monitor } = this;
    const { theme } = this.options;
    const endNs = edgeOf(view, nowNs);
    // The right edge of a replay is never the present, even while it plays.
    const shown = this.isReplay() ? { ...view, frozenAtNs: endNs } : view;
    const style = this.styleOf(view);
    return layoutView({ monitor, view: shown, endNs, shouldYield, width, height, style, theme });
  }

  /** Whether only a part of a picture has been counted. */
  isPartial(picture: PictureView): boolean {
    picture.stamp();
    return this.monitor.isCounting;
  }

  report(view: ViewState, nowNs: number): ActivityReport {
    return this.reports.of(view, this.range(view, nowNs), nowNs);
  }

  /** The time that the tables cover. */
  range(view: ViewState, nowNs: number): ReportRange {
    // While the picture moves, its layout is not needed.
    const columns = () => this.picture(view, nowNs).timeColumns;
    return reportRange(view, edgeOf(view, nowNs), columns, this.options.playback?.());
  }

  drillDown(view: ViewState): BoxReport | CountingBox | undefined {
    return this.box.of(view);
  }

  /** The I/O in flight: now, in the cross-hair's column or its box, or at the right edge of the picture. */
  inFlight(view: ViewState, nowNs: number): ListedInFlight | undefined {
    if (view.mode !== 'inFlight') return undefined;
    const { outstanding } = this.monitor;
    const { scope, startNs, endNs } = this.range(view, nowNs);
    const isInside = scope === 'column' || scope === 'box';
    const now = view.frozenAtNs === undefined ? outstanding.inFlight() : undefined;
    if (now !== undefined) return { rows: now, atNs: undefined, isLongOnly: false };
    const edgeNs = edgeOf(view, nowNs);
    const within = isInside ? { startNs, endNs } : { startNs: edgeNs, endNs: edgeNs };
    const known = outstanding.before(within);
    const atNs = known?.atNs ?? within.startNs;
    return { rows: known?.rows, atNs, isLongOnly: known?.hasCompleted !== true };
  }

  /** The last I/Os before the right edge of the picture, while their list is open. */
  singles(view: ViewState, nowNs: number): LatestIos | undefined {
    return view.mode === 'singles' ? this.monitor.latest(edgeOf(view, nowNs)) : undefined;
  }

  /** The chosen one of these, while it is explained. */
  explained(view: ViewState, nowNs: number): ExplainedIo | undefined {
    return this.explainedOnce.of(view, edgeOf(view, nowNs));
  }

  /** The entries of the open list that match its query; none while no list is open. */
  pickEntries(view: ViewState, nowNs: number): readonly PickEntry[] {
    if (view.pick === undefined) return [];
    const entries = pickEntries(view.pick, this.report(view, nowNs), view.layer);
    return filterPickEntries(entries, view.pick.query.text);
  }

  /** The entries of the list that opens. This counts all of a moving picture; the list then keeps them. */
  entriesAtOpening(view: ViewState, nowNs: number): readonly PickEntry[] {
    if (view.pick === undefined) return [];
    const report = this.report(view, nowNs);
    const filter = besidePick(view.filter, view.pick.what);
    const isNarrowed = !isSameFilter(filter, view.filter);
    const isCounted = report.scope === 'picture' && !isNarrowed;
    const ofPicture = isCounted ? report : this.reportOfPicture(view, nowNs, filter);
    const reports = { recent: report, ofPicture, isNarrowed };
    return entriesAtOpening(view.pick, reports, view.layer);
  }

  private reportOfPicture(view: ViewState, nowNs: number, filter: Filter): ActivityReport {
    const columns = this.picture(view, nowNs).timeColumns;
    const range = pictureRange(view, edgeOf(view, nowNs), columns);
    return this.monitor.report(range, 'process', 'total', filter);
  }

  /** The list that the keys for rows move in. */
  list(view: ViewState, nowNs: number, shouldYield?: ShouldYield): ListSize {
    const { layout } = this;
    if (view.mode === 'help') {
      const { width, height } = overlayRect(layout);
      // Keys that come before its texts scroll as far as they say: the help shows its end in place of more.
      const rows = this.helpLength(width, view.helpFor) ?? Number.MAX_SAFE_INTEGER;
      return { rows, height: helpRoom(height) };
    }
    if (view.pick !== undefined) {
      const rows = this.pickEntries(view, nowNs).length;
      return { rows, height: pickWindow(view.pick, rows, layout.pane.height).room };
    }
    if (view.actions !== undefined) {
      const rows = matchingActions(view.actions.of, view.actions.query.text).length;
      return { rows, height: actionWindow(view.actions, rows, layout.pane.height).room };
    }
    if (view.mode === 'inFlight') {
      const { length } = this.tableRows(view, nowNs);
      return { rows: length, height: inFlightRoom(layout.pane.height) };
    }
    const singles = this.singles(view, nowNs);
    if (singles !== undefined)
      return { rows: singles.ios.length, height: inFlightRoom(layout.pane.height) };
    const explained = this.explained(view, nowNs);
    if (explained !== undefined) {
      const rows = explained.waitedFor?.parts.length ?? 0;
      return { rows, height: explainRoom(layout.pane.height) };
    }
    if (view.mode === 'columns')
      return {
        rows: listedColumns(view).length,
        height: columnWindow(view, layout.pane.height).room,
      };
    this.box.advance(view, shouldYield);
    return this.drillDownList(view) ?? this.tableList(view, nowNs);
  }

  /** The rows of the open list of I/Os in flight; otherwise of the table that has the focus. */
  tableRows(view: ViewState, nowNs: number): TableRows {
    const ids =
      view.mode === 'inFlight'
        ? (this.inFlight(view, nowNs)?.rows ?? []).map(({ id }) => id)
        : rowIds(shownRows(view, this.report(view, nowNs)), view.grouping);
    const selected = ids.indexOf(selectionOf(view)?.id ?? '');
    return {
      length: ids.length,
      selected: selected < 0 ? undefined : selected,
      rowAt: (place) => ({ id: ids[place]!, place }),
    };
  }

  /** Whether this is a recording, or a stream that has ended: its I/O is not recent. */
  isReplay(): boolean {
    const state = this.options.playback?.().state;
    return state !== undefined && state !== 'following';
  }

  private drillDownList(view: ViewState): ListSize | undefined {
    const report = this.drillDown(view);
    if (report === undefined || !isCounted(report)) return undefined;
    const { width, height } = detailRect(this.layout);
    return this.drillDownScroll(report, width, height);
  }

  private tableList(view: ViewState, nowNs: number): ListSize {
    const rows = shownRows(view, this.report(view, nowNs)).length;
    return { rows, height: visibleRows(this.layout.tables.height, rows, true) };
  }

  private styleOf({ palette }: ViewState): PaneStyle {
    const { options } = this;
    const { background } = options.theme;
    return { ...options, background, palette, color: options.color && palette !== 'mono' };
  }
}

/** Trace time at the right edge of the picture. */
export function edgeOf({ frozenAtNs }: ViewState, nowNs: number): number {
  return frozenAtNs ?? nowNs;
}
