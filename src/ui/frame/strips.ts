import { createCellBlock } from '../../base/cell-block.ts';
import type { CellBlock } from '../../base/cell-block.ts';
import { headerLines } from '../header-lines.ts';
import { hintsFor } from '../hints.ts';
import type { Rect, ScreenLayout } from '../layout-screen.ts';
import { lineBlock, putLine } from '../line-block.ts';
import { span } from '../span.ts';
import type { Line } from '../span.ts';
import { noticeLines, statusLine } from '../status-line.ts';
import type { StatusContent } from '../status-line.ts';
import { placeTables, SEPARATOR } from '../table-places.ts';
import type { Theme } from '../theme.ts';
import { tooSmallLines } from '../too-small.ts';
import type { FramePart, FrameState } from './frame-state.ts';

/*
 * What moves with the picture is drawn straight into cells: header, tables, status line, and a notice
 * that is too long for the status line. What a person opens are the dialogs.
 */

export function drawStrips(state: FrameState, layout: ScreenLayout, theme: Theme): FramePart[] {
  const { header, status, tables } = layout;
  if (layout.tooSmall)
    return [
      partOf(status, lineBlock(tooSmallLines(status.width), theme, status.width, status.height)),
    ];
  const content = statusOf(state);
  const notice = noticeOf(content, layout);
  const ownLine = statusLine(
    notice.length > 0 ? { ...content, notice: undefined } : content,
    status.width,
  );
  return [
    partOf(header, headerBlock(state, header, theme)),
    partOf(tables, tablesBlock(state, tables, theme)),
    partOf(status, lineBlock([ownLine], theme, status.width)),
  ];
}

/** A notice above the status line, where that has no room for it. */
export function drawNotice(
  state: FrameState,
  layout: ScreenLayout,
  theme: Theme,
): FramePart | undefined {
  if (layout.tooSmall) return undefined;
  const { status } = layout;
  const lines = noticeOf(statusOf(state), layout);
  if (lines.length === 0) return undefined;
  return partOf({ ...status, y: status.y - lines.length }, lineBlock(lines, theme, status.width));
}

function headerBlock(state: FrameState, { width, height }: Rect, theme: Theme): CellBlock {
  const { totals, spanNs } = state.report;
  return lineBlock(headerLines({ ...state, totals, spanNs }, width, height), theme, width, height);
}

/** Processes and disks side by side, or the one with the focus where there is no room for both. */
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

function statusOf(state: FrameState): StatusContent {
  const { view, playback, filterText, hanging, recording, fidelity, recentLoss = 0 } = state;
  // A prompt has its hints beside it.
  const hints = view.prompt === undefined ? hintsFor({ ...view, playback }) : [];
  const { notice } = view;
  return { filterText, hanging, recording, notice, hints, fidelity, recentLoss };
}

function partOf({ x, y }: Rect, block: CellBlock): FramePart {
  return { x, y, block };
}
