import { createCellBlock } from '../../base/cell-block.ts';
import type { CellBlock } from '../../base/cell-block.ts';
import { stackLacks } from '../../raster/draw-stack.ts';
import { stackedMaps } from '../../view/stack.ts';
import { headerKeyAt, headerLines } from '../header/header-lines.ts';
import type { HeaderContent } from '../header/header-lines.ts';
import { hintsFor } from '../status/hints.ts';
import { formatFilter } from '../../filter/language/format.ts';
import type { Rect, ScreenLayout } from '../layout-screen.ts';
import { lineBlock, putLine } from '../text/line-block.ts';
import { span } from '../text/span.ts';
import type { Line } from '../text/span.ts';
import { noticeLines, statusKeyAt, statusLine } from '../status/status-line.ts';
import type { StatusContent } from '../status/status-line.ts';
import { placeTables, SEPARATOR } from '../tables/table-places.ts';
import type { Theme } from '../text/theme.ts';
import { tooSmallLines } from '../status/too-small.ts';
import type { FrameState } from './frame-state.ts';
import type { PlacedCells } from '../dialogs/dialog-state.ts';

/*
 * What changes with the picture is drawn directly into cells: header, tables, status line, and a notice
 * too long for the status line. What a user opens are dialogs.
 */

export function drawStrips(state: FrameState, layout: ScreenLayout, theme: Theme): PlacedCells[] {
  const { header, status, tables } = layout;
  if (layout.tooSmall)
    return [
      partOf(status, lineBlock(tooSmallLines(status.width), theme, status.width, status.height)),
    ];
  const ownLine = statusLine(ownContent(statusOf(state, layout), layout), status.width);
  return [
    partOf(header, headerBlock(state, header, theme)),
    partOf(tables, tablesBlock(state, tables, theme)),
    partOf(status, lineBlock([ownLine], theme, status.width)),
  ];
}

/** The key that a click on a cell of header or status line presses; undefined elsewhere. */
export function stripKeyAt(
  state: FrameState,
  layout: ScreenLayout,
  x: number,
  y: number,
): string | undefined {
  const { header, status } = layout;
  if (layout.tooSmall) return undefined;
  if (y === status.y)
    return statusKeyAt(ownContent(statusOf(state, layout), layout), status.width, x);
  // Elsewhere these keys mean something else.
  const isHeaderLive = state.view.mode === 'main' || state.view.mode === 'trend';
  return isHeaderLive ? headerKeyAt(headerContent(state), header, x, y) : undefined;
}

/** A notice above the status line, where that has no room for it. */
export function drawNotice(
  state: FrameState,
  layout: ScreenLayout,
  theme: Theme,
): PlacedCells | undefined {
  if (layout.tooSmall) return undefined;
  const { status } = layout;
  const lines = noticeOf(statusOf(state, layout), layout);
  if (lines.length === 0) return undefined;
  return partOf({ ...status, y: status.y - lines.length }, lineBlock(lines, theme, status.width));
}

function headerBlock(state: FrameState, { width, height }: Rect, theme: Theme): CellBlock {
  return lineBlock(headerLines(headerContent(state), width, height), theme, width, height);
}

function headerContent(state: FrameState): HeaderContent {
  const { totals, spanNs, scope } = state.report;
  return { ...state, totals, spanNs, ...(scope && { scope }) };
}

/** Processes and disks side by side, or only the focused table where there is no room for both. */
function tablesBlock(
  { report, view }: FrameState,
  { width, height }: Rect,
  theme: Theme,
): CellBlock {
  const block = createCellBlock(width, height);
  const separator = [span(SEPARATOR, 'dim')];
  for (const table of placeTables(report, view, width)) {
    for (const [y, line] of table.lines(height).entries()) {
      if (table.x > 0) putLine(block, table.x - SEPARATOR.length, y, separator, theme);
      putLine(block, table.x, y, line, theme);
    }
  }
  return block;
}

function noticeOf(content: StatusContent, { status, tables }: ScreenLayout): Line[] {
  return noticeLines(content, status.width, tables.height);
}

/** The line's own part: a notice that has lines above it leaves the line to the hints. */
function ownContent(content: StatusContent, layout: ScreenLayout): StatusContent {
  return noticeOf(content, layout).length > 0 ? { ...content, notice: undefined } : content;
}

function statusOf(state: FrameState, { pane }: ScreenLayout): StatusContent {
  const { view, playback, isWhole, filterText, hanging, stall, recording } = state;
  const { completeness, recentLoss = 0, framesPerSecond } = state;
  const isDemo = state.sourceKind === 'synthetic';
  const hasLayers = state.layers?.some((layer) => layer !== view.layer) === true;
  // A prompt has its own hints.
  const hasHints = view.prompt === undefined && state.hasKeys !== false;
  const hasMaps = stackedMaps(view, roomFor(state, pane)) !== undefined;
  const hints = hasHints
    ? hintsFor({ ...view, playback, isWhole, isDemo, hasLayers, hasMaps })
    : [];
  const { notice } = view;
  const highlightText = formatFilter(view.highlight);
  const alarms = { hanging, stall };
  return {
    filterText,
    highlightText,
    ...alarms,
    recording,
    notice,
    hints,
    completeness,
    recentLoss,
    framesPerSecond,
  };
}

function roomFor({ layers = [] }: FrameState, { height }: Rect): Parameters<typeof stackedMaps>[1] {
  return { layers, stackLacks: (maps) => stackLacks(maps, height) };
}

function partOf({ x, y }: Rect, block: CellBlock): PlacedCells {
  return { x, y, block };
}
