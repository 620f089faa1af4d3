import { Box } from 'ink';
import type { ReactElement } from 'react';
import type { CellBlock } from '../base/cell-block.ts';
import type { ActivityReport, Fidelity } from '../model/activity.ts';
import type { ActionContext } from '../view/action.ts';
import type { KeyBinding } from '../view/key-table.ts';
import type { ViewState } from '../view/view-state.ts';
import { createChromeHost } from './chrome-host.tsx';
import type { ChromeHost } from './chrome-host.tsx';
import { Header } from './header.tsx';
import type { SourceKind } from './header-lines.ts';
import { Help } from './help.tsx';
import { helpLength, visibleHelpLines } from './help-lines.ts';
import { layoutScreen, overlayRect } from './layout-screen.ts';
import type { Rect, ScreenLayout } from './layout-screen.ts';
import { StatusLine } from './status-line.tsx';
import { visibleRows } from './table-lines.ts';
import { Tables, TWO_TABLES_WIDTH } from './tables.tsx';
import type { Theme } from './theme.ts';
import { TooSmall } from './too-small.tsx';

/** Everything the chrome shows at one moment. */
export interface ChromeState {
  readonly host: string;
  readonly sourceKind: SourceKind;
  /** Wall clock of the newest column on the screen, in ms since the epoch. */
  readonly wallMs: number;
  readonly view: ViewState;
  readonly report: ActivityReport;
  readonly fidelity: Fidelity;
  /** Empty when everything is shown. */
  readonly filterText: string;
}

/** Cells to copy to the screen with their top left corner at (x, y), in this order. */
export interface ChromePart {
  readonly x: number;
  readonly y: number;
  readonly block: CellBlock;
}

/** All of the screen but the picture. */
export interface Chrome {
  readonly layout: ScreenLayout;
  resize(width: number, height: number): void;
  /** Draws before it returns. */
  draw(state: ChromeState): ChromePart[];
  scrollSize(state: ChromeState): ScrollSize;
  dispose(): void;
}

/** Rows of the list that the keys scroll, and how many of them are visible. */
export type ScrollSize = Pick<ActionContext, 'listRows' | 'listHeight'>;

export interface ChromeOptions {
  readonly theme: Theme;
  readonly bindings: readonly KeyBinding[];
}

export function createChrome(options: ChromeOptions, width: number, height: number): Chrome {
  return new InkChrome(options, width, height);
}

class InkChrome implements Chrome {
  layout: ScreenLayout;
  private readonly top = createChromeHost();
  private readonly bottom = createChromeHost();
  private readonly overlay = createChromeHost();

  constructor(
    private readonly options: ChromeOptions,
    width: number,
    height: number,
  ) {
    this.layout = layoutScreen(width, height);
  }

  resize(width: number, height: number): void {
    this.layout = layoutScreen(width, height);
  }

  draw(state: ChromeState): ChromePart[] {
    if (this.layout.tooSmall) return [this.drawTooSmall()];
    const parts = [this.drawTop(state), this.drawBottom(state)];
    return state.view.mode === 'help' ? [...parts, this.drawHelp(state)] : parts;
  }

  scrollSize({ view, report }: ChromeState): ScrollSize {
    if (view.mode === 'help') {
      const { width, height } = overlayRect(this.layout);
      const listRows = helpLength(this.options.bindings, width);
      return { listRows, listHeight: visibleHelpLines(height) };
    }
    const rows = view.focus === 'processes' ? report.processes : report.disks;
    return { listRows: rows.length, listHeight: visibleRows(this.layout.tables.height) };
  }

  dispose(): void {
    for (const host of [this.top, this.bottom, this.overlay]) host.dispose();
  }

  private drawTop(state: ChromeState): ChromePart {
    const { header } = this.layout;
    const { theme } = this.options;
    const { host, sourceKind, wallMs, view } = state;
    const element = (
      <Header
        totals={state.report.totals}
        spanNs={state.report.spanNs}
        {...{ host, sourceKind, wallMs, view, theme }}
        {...sizeOf(header)}
      />
    );
    return part(this.top, header, element);
  }

  private drawBottom({ view, report, fidelity, filterText }: ChromeState): ChromePart {
    const { tables, status } = this.layout;
    const { theme } = this.options;
    const { notice } = view;
    const hints = hintsFor(view, status.width);
    const element = (
      <Box flexDirection="column">
        <Tables {...{ report, view, theme }} {...sizeOf(tables)} />
        <StatusLine {...{ filterText, notice, hints, fidelity, theme }} width={status.width} />
      </Box>
    );
    return part(this.bottom, { ...tables, height: tables.height + status.height }, element);
  }

  private drawHelp({ view }: ChromeState): ChromePart {
    const { theme, bindings } = this.options;
    const rect = overlayRect(this.layout);
    const element = <Help {...{ bindings, theme }} top={view.helpTop} {...sizeOf(rect)} />;
    return part(this.overlay, rect, element);
  }

  private drawTooSmall(): ChromePart {
    const { status } = this.layout;
    const element = <TooSmall theme={this.options.theme} {...sizeOf(status)} />;
    return part(this.bottom, status, element);
  }
}

function sizeOf({ width, height }: Rect): { width: number; height: number } {
  return { width, height };
}

function part(host: ChromeHost, rect: Rect, element: ReactElement): ChromePart {
  host.resize(rect.width, rect.height);
  return { x: rect.x, y: rect.y, block: host.render(element) };
}

function hintsFor(view: ViewState, width: number): readonly string[] {
  if (view.mode === 'help') return [];
  if (width >= TWO_TABLES_WIDTH) return ['Space: freeze  Tab: other table  ?: help', '?: help'];
  const other = view.focus === 'processes' ? 'disks' : 'processes';
  return [`Tab: ${other}  ?: help`, `Tab: ${other}`, '?: help'];
}
