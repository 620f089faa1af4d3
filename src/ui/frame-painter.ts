import type { CellBlock } from '../base/cell-block.ts';
import { wallMs } from '../base/time.ts';
import type { ActivityReport, Hanging } from '../model/activity.ts';
import type { Heatmap } from '../heatmap/heatmap.ts';
import { notableCell } from '../heatmap/notable-cell.ts';
import { boxOfCells } from '../heatmap/box-of-cells.ts';
import { worstCell } from '../heatmap/worst-cell.ts';
import type { Filter } from '../model/filter.ts';
import type { Box } from '../model/box.ts';
import type { BoxReport } from '../model/drill-down.ts';
import { completeFilter, knownTexts } from '../model/filter-complete.ts';
import type { KnownTexts } from '../model/filter-complete.ts';
import type { Choice } from '../model/filter-fields.ts';
import { formatFilter } from '../model/filter-format.ts';
import type { Trend } from '../model/trend.ts';
import type { Monitor, Picture } from '../monitor/monitor.ts';
import { drawPane } from '../raster/draw-pane.ts';
import { layoutPane } from '../raster/pane-layout.ts';
import type { PaletteDepth } from '../raster/palette.ts';
import type { PaneStyle } from '../raster/pane-style.ts';
import type { PaneLayout } from '../raster/pane-layout.ts';
import type { Screen } from '../terminal/screen.ts';
import { Arrivals } from './arrivals.ts';
import { overlayRect } from './layout-screen.ts';
import { TrendPane } from './trend/trend-pane.ts';
import type { ActionContext } from '../view/action.ts';
import { effectiveScale } from '../view/view-state.ts';
import type { MapCell, Mode, ViewState } from '../view/view-state.ts';
import { createChrome, shownPickEntries } from './chrome.tsx';
import type { Chrome, ChromeOptions, ChromePart, ChromeState } from './chrome.tsx';
import { drawReadout, readoutLine, readoutOf } from './cursor-readout.ts';
import { drawCursor } from './draw-cursor.ts';
import { rowTerms } from './row-terms.ts';
import { rowAt } from './selected-row.ts';

/** How often the tables and the header are counted anew: figures that change faster cannot be read. */
const REPORT_EVERY_NS = 1e9;

/** Modes whose overlay lies over the picture. */
const COVERING: readonly Mode[] = ['help', 'pick', 'detail', 'trend'];

export interface FrameOptions extends ChromeOptions {
  /** Whether the terminal shows block elements and colours. */
  readonly unicode: boolean;
  readonly color: boolean;
  /** How many colours; 256 when that is not known. */
  readonly depth?: PaletteDepth;
  /** What alone is recorded, whatever the filter shows; empty when everything is. */
  readonly recordedOnly: string;
}

/** What a box held, under the filter of that moment. */
interface Inspected {
  readonly box: Box;
  readonly filter: Filter;
  readonly report: BoxReport;
}

/** Paints whole frames, the picture and all around it, onto a screen. */
export class FramePainter {
  private readonly chrome: Chrome;
  private report: ActivityReport | undefined;
  private reportedAtNs = -Infinity;
  private hanging: Hanging | undefined;
  private lastView: ViewState | undefined;
  private lastVersion = -1;
  private pictureStartNs = 0;
  private inspected: Inspected | undefined;
  private readonly trend: TrendPane;
  private readonly arrivals = new Arrivals();

  constructor(
    private readonly monitor: Monitor,
    private readonly screen: Screen,
    private readonly options: FrameOptions,
  ) {
    this.chrome = createChrome(options, screen.width, screen.height);
    this.trend = new TrendPane({ level: options.theme.level, unicode: options.unicode });
  }

  /** The screen has taken a new size and is blank. */
  resize(): void {
    this.chrome.resize(this.screen.width, this.screen.height);
    this.lastView = undefined;
  }

  /** Paints what has changed since the last call, at the trace time `nowNs`. */
  paint(view: ViewState, nowNs: number): void {
    const endNs = view.frozenAtNs ?? nowNs;
    const isChanged = view !== this.lastView;
    const isReportDue = this.refreshReport(view, endNs, isChanged);
    const under = modeUnderPrompt(view);
    const isPictureHidden = this.chrome.layout.tooSmall || COVERING.includes(under);
    if (!isPictureHidden) this.paintPicture(view, endNs, isChanged);
    const isFrozen = view.frozenAtNs !== undefined;
    const hasArrived = this.arrivals.update(isFrozen, this.monitor.taken, nowNs);
    // What helps with a prompt reaches into the picture on a small screen.
    const isPrompting = view.prompt !== undefined;
    const isDue = this.trend.takeStale() || isChanged || isReportDue || hasArrived;
    if (isDue || isPrompting) {
      const parts = this.chrome.draw(this.stateOf(view, endNs));
      this.blitParts(parts.filter(({ isOverlay }) => !isOverlay));
      if (under === 'trend') this.paintTrend(view, endNs);
      this.blitParts(parts.filter(({ isOverlay }) => isOverlay));
    }
    this.lastView = view;
  }

  /** What the reducer may know, at the trace time `nowNs`. */
  actionContext(view: ViewState, nowNs: number): ActionContext {
    const layout = this.paneLayout(view);
    const endNs = view.frozenAtNs ?? nowNs;
    const { map, bins } = layout;
    const state = this.stateOf(view, endNs);
    return {
      nowNs,
      startNs: this.monitor.history.startNs,
      wallNowMs: wallMs(this.monitor.source.info.clockBase, nowNs),
      columns: Math.max(1, map.width),
      bins: Math.max(1, bins),
      notableCell: () => notableCell(this.monitor.show(pictureOf(view, layout), endNs).map),
      worst: () => this.monitor.worst(),
      cellOfWorst: (shown, { atNs, withinNs }) => {
        const heatmap = this.monitor.show(pictureOf(shown, layout), shown.frozenAtNs ?? nowNs);
        return worstCell(heatmap.map, atNs, withinNs);
      },
      boxOf: (a, b) => {
        const heatmap = this.monitor.show(pictureOf(view, layout), endNs);
        return boxOfCells(heatmap.map, a.column, b.column, a.bin, b.bin);
      },
      pickIds: shownPickEntries(state).map(({ id }) => id),
      rowTerms: rowTerms(rowAt(view, state.report)),
      completion: (line) => {
        const { from, candidates } = completeFilter(line.text, line.cursor, this.knownTexts());
        return candidates[0] && { from, text: candidates[0].text };
      },
      ...this.chrome.scrollSize(state),
    };
  }

  dispose(): void {
    this.chrome.dispose();
    this.trend.dispose();
  }

  private refreshReport(view: ViewState, endNs: number, isChanged: boolean): boolean {
    // Entries must not move away under the cursor.
    if (view.mode === 'pick' && this.lastView?.mode === 'pick') return false;
    const isFollowing = view.frozenAtNs === undefined;
    const wasFollowing = this.lastView?.frozenAtNs === undefined;
    const elapsedNs = Math.abs(endNs - this.reportedAtNs);
    const isOtherQuestion =
      view.filter !== this.lastView?.filter || view.grouping !== this.lastView.grouping;
    const isDue =
      elapsedNs >= REPORT_EVERY_NS ||
      isOtherQuestion ||
      (isChanged && isFollowing !== wasFollowing);
    if (this.report !== undefined && !isDue) return false;
    this.hanging = this.monitor.hanging();
    this.report = this.monitor.report(endNs, view.grouping);
    // Aligned, so that a late frame does not make all later ones late.
    this.reportedAtNs = Math.floor(endNs / REPORT_EVERY_NS) * REPORT_EVERY_NS;
    return true;
  }

  private paintPicture(view: ViewState, endNs: number, isChanged: boolean): void {
    const { pane } = this.chrome.layout;
    const style = this.styleOf(view);
    const layout = this.paneLayout(view);
    const heatmap = this.monitor.show(pictureOf(view, layout), endNs);
    const { startNs, columnNs, version } = heatmap.map;
    if (!isChanged && version === this.lastVersion && startNs === this.pictureStartNs) return;
    const { clockBase } = this.monitor.source.info;
    const block = drawPane(heatmap, layout, { style, clockBase, frozenAtNs: view.frozenAtNs });
    const moved = (startNs - this.pictureStartNs) / columnNs;
    const isSamePicture = this.lastView?.intervalNs === view.intervalNs;
    if (isSamePicture && moved > 0 && moved < layout.map.width) this.announceScroll(layout, moved);
    if (view.cursor !== undefined) this.drawCursor(block, layout, view, view.cursor, heatmap.map);
    this.screen.blit(block, pane.x, pane.y);
    this.pictureStartNs = startNs;
    this.lastVersion = version;
  }

  /** The cross-hair or the box, and in place of the legend what it stands for. */
  private drawCursor(
    block: CellBlock,
    layout: PaneLayout,
    view: ViewState,
    cursor: MapCell,
    map: Heatmap,
  ): void {
    const { theme } = this.options;
    const readout = readoutOf(map, cursor, view.anchor);
    drawCursor(block, layout, this.styleOf(view), cursor, view.anchor);
    const line = readoutLine(readout, this.monitor.source.info.clockBase, layout.width);
    drawReadout(block, layout, line, theme);
  }

  /** Over picture and tables, at most once a second unless a key was pressed. */
  private paintTrend(view: ViewState, endNs: number): void {
    if (this.chrome.layout.tooSmall) return;
    const { x, y, width, height } = overlayRect(this.chrome.layout);
    const window = { endNs, columnNs: view.intervalNs, columns: this.paneLayout(view).map.width };
    const { clockBase } = this.monitor.source.info;
    const trendOf = (): Trend => this.monitor.trend(window);
    this.screen.blit(this.trend.draw(trendOf, clockBase, width, height), x, y);
  }

  private styleOf({ palette }: ViewState): PaneStyle {
    return { ...this.options, palette, color: this.options.color && palette !== 'mono' };
  }

  private paneLayout(view: ViewState): PaneLayout {
    const { width, height } = this.chrome.layout.pane;
    return layoutPane(width, height, this.styleOf(view));
  }

  /** The map moves with the outlier lane above it and the time axis below it. */
  private announceScroll({ map, height, legendRow }: PaneLayout, columns: number): void {
    const { pane } = this.chrome.layout;
    const rows = legendRow === undefined ? height : legendRow;
    this.screen.scrolled({ x: pane.x + map.x, y: pane.y, width: map.width, height: rows }, columns);
  }

  private blitParts(parts: readonly ChromePart[]): void {
    for (const { x, y, block } of parts) this.screen.blit(block, x, y);
  }

  /** A box lies in the past and changes no more, so it is looked into once. */
  private inspect({ detail, filter }: ViewState): BoxReport | undefined {
    if (detail === undefined) return undefined;
    const known = this.inspected;
    if (known?.box === detail && known.filter === filter) return known.report;
    const report = this.monitor.inspect(detail);
    this.inspected = { box: detail, filter, report };
    return report;
  }

  private candidates({ mode, prompt }: ViewState): readonly Choice[] {
    if (mode !== 'filter' || prompt === undefined) return [];
    const { text, cursor } = prompt.line;
    return completeFilter(text, cursor, this.knownTexts()).candidates;
  }

  private filterText(): string {
    const filter = formatFilter(this.monitor.filter);
    const { recordedOnly } = this.options;
    if (recordedOnly === '') return filter;
    if (filter === recordedOnly) return `${filter} (nothing else is recorded)`;
    return `${filter} (only ${recordedOnly} is recorded)`.trim();
  }

  private knownTexts(): KnownTexts {
    const { info } = this.monitor.source;
    return knownTexts(info.keys, info);
  }

  private stateOf(view: ViewState, endNs: number): ChromeState {
    const { info } = this.monitor.source;
    return {
      host: info.host,
      sourceKind: info.kind,
      wallMs: wallMs(info.clockBase, endNs),
      arrived: this.arrivals.count,
      view,
      report: this.report ?? this.monitor.report(endNs, view.grouping),
      fidelity: this.monitor.fidelity(),
      filterText: this.filterText(),
      hanging: this.hanging,
      clockBase: info.clockBase,
      candidates: this.candidates(view),
      detail: this.inspect(view),
    };
  }
}

/** What a prompt is typed over. */
function modeUnderPrompt({ mode, prompt, promptFor }: ViewState): Mode {
  return prompt === undefined ? mode : promptFor;
}

function pictureOf(view: ViewState, layout: PaneLayout): Picture {
  return {
    metric: view.metric,
    scale: effectiveScale(view),
    outlierCut: view.outlierCut,
    valueRange: view.valueRange,
    weight: view.weight,
    columnNs: view.intervalNs,
    // A pane that is too small for a map has none.
    columns: Math.max(1, layout.map.width),
    bins: Math.max(1, layout.bins),
  };
}
