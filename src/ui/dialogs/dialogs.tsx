import type { ReactElement } from 'react';
import { clockText } from '../../base/clock-text.ts';
import { wallMs } from '../../base/time.ts';
import type { ClockBase } from '../../base/time.ts';
import type { Card } from '../../model/card.ts';
import type { BoxReport, CountingBox } from '../../query/box/drill-down.ts';
import type { LatestIos } from '../../query/slowest/latest-ios.ts';
import type { KeyBinding } from '../../view/keys/key-table.ts';
import type { ListSize } from '../../view/facts.ts';
import { besidePick } from '../../view/reduce/pick.ts';
import type { Mode, PickState, PromptState, ViewState } from '../../view/state.ts';
import { standingOf } from './filter-standing.ts';
import { isCounted } from './counted-box.ts';
import type { DialogState, PlacedCells } from './dialog-state.ts';
import type { ListedInFlight } from './listed-in-flight.ts';
import { hintForms, hintsFor } from '../status/hints.ts';
import { detailRect, overlayRect } from '../layout-screen.ts';
import type { Rect, ScreenLayout } from '../layout-screen.ts';
import { pickEntries } from './pick-entries.ts';
import type { Theme } from '../text/theme.ts';
import { savedPart } from '../../view/saved-part.ts';
import type { SavedPart } from '../../view/saved-part.ts';
import { ActionList } from './action-list.tsx';
import { CardDialog } from './card-dialog.tsx';
import { cardRect } from './card-layout.ts';
import { ColumnList } from './column-list.tsx';
import { createDialogHost } from './dialog-host.tsx';
import { drillDownScroll } from './drill-down-lists.ts';
import { Counting, DrillDown } from './drill-down.tsx';
import { ExplainDialog } from './explain-dialog.tsx';
import { helpLength } from './help-layout.ts';
import { Help } from './help.tsx';
import { InFlightList } from './in-flight-list.tsx';
import { inFlightWindow, singlesWindow } from './list-window.ts';
import { PickList } from './pick-list.tsx';
import { Prompt } from './prompt.tsx';
import { SingleList } from './single-list.tsx';
import { ThemeContext } from './styled.tsx';
import { ToggleMenu } from './toggle-menu.tsx';

export interface DialogOptions {
  readonly theme: Theme;
  readonly bindings: readonly KeyBinding[];
}

/** A dialog and its place on the screen. */
interface Placed {
  /** The space for the dialog. A dialog with fewer lines takes the lowest ones. */
  readonly rect: Rect;
  readonly element: ReactElement;
}

/** Dialogs over the picture: React components, laid out by Ink. */
export class Dialogs {
  private readonly host = createDialogHost();

  constructor(private readonly options: DialogOptions) {}

  /** Draws the open dialog before it returns; undefined if none is open. */
  draw(state: DialogState, layout: ScreenLayout): PlacedCells | undefined {
    const placed = dialogOf(state, layout, this.options.bindings);
    if (placed === undefined) return undefined;
    const { x, y, width, height } = placed.rect;
    const { theme } = this.options;
    const element = <ThemeContext value={theme}>{placed.element}</ThemeContext>;
    const block = this.host.render(element, width, height);
    return { x, y: y + height - block.height, block };
  }

  /** Total lines of the help. */
  helpLength(width: number, helpFor: Mode): number {
    return helpLength(this.options.bindings, width, helpFor);
  }

  /** The list of the drill-down that scrolls furthest. */
  drillDownScroll(report: BoxReport, width: number, height: number): ListSize {
    return drillDownScroll(report, width, height);
  }

  dispose(): void {
    this.host.dispose();
  }
}

function dialogOf(
  state: DialogState,
  layout: ScreenLayout,
  bindings: readonly KeyBinding[],
): Placed | undefined {
  const { view, drillDown } = state;
  const { pane } = layout;
  if (view.mode === 'help') return help(state, overlayRect(layout), bindings);
  if (view.mode === 'toggles') return toggles(state, layout);
  if (view.mode === 'columns')
    return { rect: pane, element: <ColumnList view={view} {...sizeOf(pane)} /> };
  if (state.inFlight !== undefined) return inFlight(state, pane, state.inFlight);
  if (view.mode === 'explain') return explain(state, pane);
  if (state.singles !== undefined) return singles(state, pane, state.singles);
  if (view.actions !== undefined)
    return { rect: pane, element: <ActionList list={view.actions} {...sizeOf(pane)} /> };
  if (view.card !== undefined) return cardDialog(cardRect(view.card, pane), view.card);
  if (view.prompt !== undefined) return prompt(state, layout, view.prompt);
  if (view.pick !== undefined) return pickList(state, pane, view.pick);
  return drillDown === undefined ? undefined : contents(state, detailRect(layout), drillDown);
}

function cardDialog(rect: Rect, card: Card): Placed {
  return { rect, element: <CardDialog card={card} {...sizeOf(rect)} /> };
}

function inFlight({ view, clockBase }: DialogState, rect: Rect, listed: ListedInFlight): Placed {
  const { layer, cursor } = view;
  const isPrecise = cursor !== undefined;
  const isFiltered = view.filter.kind !== 'everything';
  const { top, selected } = inFlightWindow(view.inFlightRow, listed.rows ?? [], rect.height);
  const shown = { listed, isPrecise, isFiltered, clockBase, layer, top, selected };
  return { rect, element: <InFlightList {...shown} {...sizeOf(rect)} /> };
}

function singles({ view, clockBase }: DialogState, rect: Rect, latest: LatestIos): Placed {
  const { layer } = view;
  const { top, selected } = singlesWindow(view, latest.ios.length, rect.height);
  return {
    rect,
    element: <SingleList {...{ latest, layer, clockBase, top, selected }} {...sizeOf(rect)} />,
  };
}

function explain({ view, clockBase, explained }: DialogState, rect: Rect): Placed {
  const { layer, traceLatency, drillDownTop: top } = view;
  return {
    rect,
    element: (
      <ExplainDialog {...{ explained, layer, traceLatency, clockBase, top }} {...sizeOf(rect)} />
    ),
  };
}

function help({ view }: DialogState, rect: Rect, bindings: readonly KeyBinding[]): Placed {
  const { helpFor, helpTop } = view;
  return { rect, element: <Help {...{ bindings, helpFor }} top={helpTop} {...sizeOf(rect)} /> };
}

/** The menu is above the status line, because that shows the resulting filter. */
function toggles({ view }: DialogState, { status }: ScreenLayout): Placed {
  const rect = { ...status, y: status.y - 1 };
  return { rect, element: <ToggleMenu filter={view.filter} width={rect.width} /> };
}

function pickList({ view, report }: DialogState, rect: Rect, pick: PickState): Placed {
  const { layer, filter } = view;
  const entries = pickEntries(pick, report, layer);
  const isFiltered = besidePick(filter, pick.what).kind !== 'everything';
  return {
    rect,
    element: <PickList {...{ pick, entries, layer, isFiltered }} {...sizeOf(rect)} />,
  };
}

function contents(
  { view, clockBase }: DialogState,
  rect: Rect,
  report: BoxReport | CountingBox,
): Placed {
  const size = sizeOf(rect);
  const { layer, drillDownTop: top } = view;
  const element = isCounted(report) ? (
    <DrillDown {...{ report, layer, clockBase, top }} {...size} />
  ) : (
    <Counting {...report} {...{ clockBase }} {...size} />
  );
  return { rect, element };
}

/** The prompt is above the status line, whose figures stay visible. Candidates and hints grow upwards. */
function prompt(
  { view, candidates, clockBase, playback }: DialogState,
  { status }: ScreenLayout,
  typed: PromptState,
): Placed {
  const element = (
    <Prompt
      prompt={typed}
      label={promptLabel(view, clockBase)}
      candidates={candidates}
      selected={candidates.length > 0 ? 0 : undefined}
      hints={hintForms(hintsFor({ ...view, playback }))}
      standing={view.mode === 'filter' ? standingOf(typed.line) : undefined}
      width={status.width}
    />
  );
  return { rect: { ...status, y: 0, height: status.y }, element };
}

/** In front of the line that is typed. */
function promptLabel(view: ViewState, clockBase: ClockBase): string {
  if (view.mode === 'note') return noteLabel(view, clockBase);
  if (view.mode === 'save') return SAVE_LABELS[savedPart(view)];
  return PROMPT_LABELS[view.mode] ?? '/';
}

function noteLabel({ noteAtNs = 0 }: ViewState, clockBase: ClockBase): string {
  return `note at ${clockText(wallMs(clockBase, noteAtNs))}:`;
}

const SAVE_LABELS: Record<SavedPart, string> = {
  box: 'save the box to:',
  window: 'save the frozen window to:',
  everything: 'save everything to:',
};

const PROMPT_LABELS: Partial<Record<Mode, string>> = {
  goto: 'go to:',
  find: 'find:',
  export: 'export to:',
  record: 'record to:',
};

function sizeOf({ width, height }: Rect): { readonly width: number; readonly height: number } {
  return { width, height };
}
