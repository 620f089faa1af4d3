import { Box } from 'ink';
import type { ReactElement } from 'react';
import type { CellBlock } from '../base/cell-block.ts';
import type { ClockBase } from '../base/time.ts';
import type { ActivityReport, Fidelity, Hanging } from '../model/activity.ts';
import { isCounted } from './frame/counted-box.ts';
import type { BoxReport, CountingBox } from '../query/box/drill-down.ts';
import type { Playback } from '../model/playback.ts';
import type { Choice } from '../filter/fields.ts';
import type { KeyBinding } from '../view/keys/key-table.ts';
import type { PickState, PromptState, ViewState } from '../view/state.ts';
import { createChromeHost } from './chrome-host.tsx';
import type { ChromeHost } from './chrome-host.tsx';
import { ChromeLines } from './chrome-line.tsx';
import { DrillDown } from './drill-down.tsx';
import { countingLines } from './drill-down-lines.ts';
import { standingOf } from './filter-standing.ts';
import { Header } from './header.tsx';
import type { SourceKind } from './header-lines.ts';
import { Help } from './help.tsx';
import { hintsFor } from './hints.ts';
import { detailRect, layoutScreen, overlayRect } from './layout-screen.ts';
import type { Rect, ScreenLayout } from './layout-screen.ts';
import { pickEntries } from './pick-entries.ts';
import { PickList } from './pick-list.tsx';
import { PromptLine } from './prompt-line.tsx';
import { promptLabel, promptLines } from './prompt-lines.ts';
import { noticeLines, StatusLine } from './status-line.tsx';
import type { RecordingShown, StatusContent } from './status-line.tsx';
import { columnLines } from './column-lines.ts';
import { Tables } from './tables.tsx';
import type { Theme } from './theme.ts';
import { toggleLine } from './toggle-line.ts';
import { TooSmall } from './too-small.tsx';

/** Everything the chrome shows at one moment. */
export interface ChromeState {
  readonly host: string;
  readonly sourceKind: SourceKind;
  /** As in the header. */
  readonly playback?: Playback | undefined;
  readonly kernel?: string | undefined;
  /** Wall clock of the newest column on the screen, in ms since the epoch. */
  readonly wallMs: number;
  /** I/Os that came since the picture was frozen. */
  readonly arrived: number;
  readonly view: ViewState;
  readonly report: ActivityReport;
  readonly fidelity: Fidelity;
  /** As in the status line. */
  readonly recentLoss?: number;
  /** Empty when everything is shown. */
  readonly filterText: string;
  readonly hanging: Hanging | undefined;
  readonly recording?: RecordingShown | undefined;
  readonly clockBase: ClockBase;
  /** What the word under the cursor of the filter prompt could become. */
  readonly candidates: readonly Choice[];
  /** What the box of the drill-down panel holds, while that is open. */
  readonly drillDown: BoxReport | CountingBox | undefined;
}

/** Cells to copy to the screen with their top left corner at (x, y), in this order. */
export interface ChromePart {
  readonly x: number;
  readonly y: number;
  readonly block: CellBlock;
  /** Lies over all the others, and over the picture and the charts. */
  readonly isOverlay: boolean;
}

/** All of the screen but the picture. */
export interface Chrome {
  /** Draws before it returns. */
  draw(state: ChromeState, layout: ScreenLayout): ChromePart[];
  dispose(): void;
}

export interface ChromeOptions {
  readonly theme: Theme;
  readonly bindings: readonly KeyBinding[];
}

export function createChrome(options: ChromeOptions): Chrome {
  return new InkChrome(options);
}

class InkChrome implements Chrome {
  private layout = layoutScreen(0, 0);
  private readonly top = createChromeHost();
  private readonly bottom = createChromeHost();
  private readonly overlay = createChromeHost();

  constructor(private readonly options: ChromeOptions) {}

  draw(state: ChromeState, layout: ScreenLayout): ChromePart[] {
    this.layout = layout;
    if (this.layout.tooSmall) return [this.drawTooSmall()];
    const parts = [this.drawTop(state), this.drawBottom(state)];
    const overlay = this.drawOverlay(state);
    return overlay === undefined ? parts : [...parts, { ...overlay, isOverlay: true }];
  }

  dispose(): void {
    for (const host of [this.top, this.bottom, this.overlay]) host.dispose();
  }

  private drawTop(state: ChromeState): ChromePart {
    const { header } = this.layout;
    const { theme } = this.options;
    const { host, sourceKind, wallMs, arrived, view, playback, kernel } = state;
    const element = (
      <Header
        totals={state.report.totals}
        spanNs={state.report.spanNs}
        {...{ host, sourceKind, wallMs, arrived, view, playback, kernel, theme }}
        {...sizeOf(header)}
      />
    );
    return part(this.top, header, element);
  }

  private drawBottom(state: ChromeState): ChromePart {
    const { view, report } = state;
    const { tables, status } = this.layout;
    const { theme } = this.options;
    const content = statusOf(state);
    const isAbove = noticeLines(content, status.width, tables.height).length > 0;
    const notice = isAbove ? undefined : content.notice;
    const element = (
      <Box flexDirection="column">
        <Tables {...{ report, view, theme }} {...sizeOf(tables)} />
        <StatusLine {...{ ...content, notice, theme }} width={status.width} />
      </Box>
    );
    return part(this.bottom, { ...tables, height: tables.height + status.height }, element);
  }

  /** What lies over the rest in some modes. */
  private drawOverlay(state: ChromeState): ChromePart | undefined {
    const { view, drillDown } = state;
    if (view.mode === 'help') return this.drawHelp(state);
    if (view.mode === 'toggles') return this.drawToggles(state);
    if (view.mode === 'columns') return this.drawColumns(state);
    if (view.prompt !== undefined) return this.drawPrompt(state, view.prompt);
    if (view.pick !== undefined) return this.drawPick(state, view.pick);
    return drillDown === undefined ? this.drawNotice(state) : this.drawDetail(state, drillDown);
  }

  /** Above the status line, where that has no room for it. */
  private drawNotice(state: ChromeState): ChromePart | undefined {
    const { status, tables } = this.layout;
    const lines = noticeLines(statusOf(state), status.width, tables.height);
    if (lines.length === 0) return undefined;
    const rect = { ...status, y: status.y - lines.length, height: lines.length };
    return part(this.overlay, rect, <ChromeLines lines={lines} theme={this.options.theme} />);
  }

  /** Above the status line, which shows what becomes of the filter. */
  private drawToggles({ view }: ChromeState): ChromePart {
    const { status } = this.layout;
    const lines = [toggleLine(view.filter, status.width)];
    const rect = { ...status, y: status.y - 1 };
    return part(this.overlay, rect, <ChromeLines lines={lines} theme={this.options.theme} />);
  }

  private drawColumns({ view }: ChromeState): ChromePart {
    const { pane } = this.layout;
    const lines = columnLines(view, pane.width, pane.height);
    return part(this.overlay, pane, <ChromeLines lines={lines} theme={this.options.theme} />);
  }

  private drawPick(state: ChromeState, pick: PickState): ChromePart {
    const { pane } = this.layout;
    const { theme } = this.options;
    const entries = pickEntries(pick, state.report);
    return part(this.overlay, pane, <PickList {...{ pick, entries, theme }} {...sizeOf(pane)} />);
  }

  private drawDetail(
    { view, clockBase }: ChromeState,
    report: BoxReport | CountingBox,
  ): ChromePart {
    const rect = detailRect(this.layout);
    if (!isCounted(report)) {
      const lines = countingLines(report, clockBase, rect.width, rect.height);
      return part(this.overlay, rect, <ChromeLines lines={lines} theme={this.options.theme} />);
    }
    const content = { report, clockBase, top: view.drillDownTop, theme: this.options.theme };
    return part(this.overlay, rect, <DrillDown {...content} {...sizeOf(rect)} />);
  }

  /** Above the status line, whose figures stay in sight; what helps with the line grows upwards. */
  private drawPrompt({ view, candidates }: ChromeState, prompt: PromptState): ChromePart {
    const { status } = this.layout;
    const content = {
      prompt,
      label: promptLabel(view.mode),
      candidates,
      selected: candidates.length > 0 ? 0 : undefined,
      hints: hintsFor(view),
      standing: view.mode === 'filter' ? standingOf(prompt.line) : undefined,
    };
    const height = promptLines(content, status.width).length;
    const rect = { ...status, y: status.y - height, height };
    const element = <PromptLine {...content} theme={this.options.theme} width={status.width} />;
    return part(this.overlay, rect, element);
  }

  private drawHelp({ view }: ChromeState): ChromePart {
    const { theme, bindings } = this.options;
    const rect = overlayRect(this.layout);
    const element = (
      <Help {...{ bindings, theme }} helpFor={view.helpFor} top={view.helpTop} {...sizeOf(rect)} />
    );
    return part(this.overlay, rect, element);
  }

  private drawTooSmall(): ChromePart {
    const { status } = this.layout;
    const element = <TooSmall theme={this.options.theme} {...sizeOf(status)} />;
    return part(this.bottom, status, element);
  }
}

function statusOf(state: ChromeState): StatusContent {
  const { view, playback, filterText, hanging, recording, fidelity, recentLoss = 0 } = state;
  // A prompt has its hints beside it.
  const hints = view.prompt === undefined ? hintsFor({ ...view, playback }) : [];
  const { notice } = view;
  return { filterText, hanging, recording, notice, hints, fidelity, recentLoss };
}

function sizeOf({ width, height }: Rect): { width: number; height: number } {
  return { width, height };
}

function part(host: ChromeHost, rect: Rect, element: ReactElement): ChromePart {
  host.resize(rect.width, rect.height);
  return { x: rect.x, y: rect.y, block: host.render(element), isOverlay: false };
}
