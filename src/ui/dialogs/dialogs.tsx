import type { ReactElement } from 'react';
import type { BoxReport, CountingBox } from '../../query/box/drill-down.ts';
import type { KeyBinding } from '../../view/keys/key-table.ts';
import type { PickState, PromptState } from '../../view/state.ts';
import { columnLines } from '../column-lines.ts';
import { countingLines } from '../drill-down-lines.ts';
import { standingOf } from '../filter-standing.ts';
import { isCounted } from '../frame/counted-box.ts';
import type { FramePart, FrameState } from '../frame/frame-state.ts';
import { hintsFor } from '../hints.ts';
import { detailRect, overlayRect } from '../layout-screen.ts';
import type { Rect, ScreenLayout } from '../layout-screen.ts';
import { pickEntries } from '../pick-entries.ts';
import { promptLabel, promptLines } from '../prompt-lines.ts';
import type { Theme } from '../theme.ts';
import { toggleLine } from '../toggle-line.ts';
import { createDialogHost } from './dialog-host.tsx';
import { DialogLines } from './dialog-lines.tsx';
import { DrillDown } from './drill-down.tsx';
import { Help } from './help.tsx';
import { PickList } from './pick-list.tsx';
import { PromptLine } from './prompt-line.tsx';

export interface DialogOptions {
  readonly theme: Theme;
  readonly bindings: readonly KeyBinding[];
}

/** A dialog, and where on the screen it lies. */
interface Placed {
  readonly rect: Rect;
  readonly element: ReactElement;
}

/** What a person opens over the picture: React components, laid out by Ink. */
export class Dialogs {
  private readonly host = createDialogHost();

  constructor(private readonly options: DialogOptions) {}

  /** Draws before it returns; undefined while none is open. */
  draw(state: FrameState, layout: ScreenLayout): FramePart | undefined {
    const placed = dialogOf(state, layout, this.options);
    if (placed === undefined) return undefined;
    const { x, y, width, height } = placed.rect;
    return { x, y, block: this.host.render(placed.element, width, height) };
  }

  dispose(): void {
    this.host.dispose();
  }
}

function dialogOf(
  state: FrameState,
  layout: ScreenLayout,
  options: DialogOptions,
): Placed | undefined {
  const { view, drillDown } = state;
  const { theme } = options;
  if (view.mode === 'help') return help(state, layout, options);
  if (view.mode === 'toggles') return toggles(state, layout, theme);
  if (view.mode === 'columns') return columns(state, layout, theme);
  if (view.prompt !== undefined) return prompt(state, layout, view.prompt, theme);
  if (view.pick !== undefined) return pickList(state, layout, view.pick, theme);
  return drillDown === undefined ? undefined : contents(state, layout, drillDown, theme);
}

function help(
  { view }: FrameState,
  layout: ScreenLayout,
  { bindings, theme }: DialogOptions,
): Placed {
  const rect = overlayRect(layout);
  const { helpFor, helpTop } = view;
  const element = (
    <Help {...{ bindings, helpFor, theme }} top={helpTop} width={rect.width} height={rect.height} />
  );
  return { rect, element };
}

/** Above the status line, which shows what becomes of the filter. */
function toggles({ view }: FrameState, { status }: ScreenLayout, theme: Theme): Placed {
  const lines = [toggleLine(view.filter, status.width)];
  const rect = { ...status, y: status.y - 1 };
  return { rect, element: <DialogLines lines={lines} theme={theme} /> };
}

function columns({ view }: FrameState, { pane }: ScreenLayout, theme: Theme): Placed {
  const lines = columnLines(view, pane.width, pane.height);
  return { rect: pane, element: <DialogLines lines={lines} theme={theme} /> };
}

function pickList(
  { report }: FrameState,
  { pane }: ScreenLayout,
  pick: PickState,
  theme: Theme,
): Placed {
  const entries = pickEntries(pick, report);
  const { width, height } = pane;
  return { rect: pane, element: <PickList {...{ pick, entries, theme, width, height }} /> };
}

function contents(
  { view, clockBase }: FrameState,
  layout: ScreenLayout,
  report: BoxReport | CountingBox,
  theme: Theme,
): Placed {
  const rect = detailRect(layout);
  const { width, height } = rect;
  if (!isCounted(report)) {
    const lines = countingLines(report, clockBase, width, height);
    return { rect, element: <DialogLines lines={lines} theme={theme} /> };
  }
  const content = { report, clockBase, top: view.drillDownTop, theme };
  return { rect, element: <DrillDown {...content} width={width} height={height} /> };
}

/** Above the status line, whose figures stay in sight; what helps with the line grows upwards. */
function prompt(
  { view, candidates }: FrameState,
  { status }: ScreenLayout,
  typed: PromptState,
  theme: Theme,
): Placed {
  const content = {
    prompt: typed,
    label: promptLabel(view.mode),
    candidates,
    selected: candidates.length > 0 ? 0 : undefined,
    hints: hintsFor(view),
    standing: view.mode === 'filter' ? standingOf(typed.line) : undefined,
  };
  const height = promptLines(content, status.width).length;
  const rect = { ...status, y: status.y - height, height };
  return { rect, element: <PromptLine {...content} theme={theme} width={status.width} /> };
}
