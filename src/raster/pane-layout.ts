import type { PixelStyle } from './pane-style.ts';
import { binsPerRow } from './pane-style.ts';

/** Cells from the top left corner of the pane. */
export interface PaneRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Rows and columns of one pane; undefined rows do not fit. */
export interface PaneLayout {
  readonly width: number;
  readonly height: number;
  /** The heat map alone: one cell per column of the map, up to the right edge of the pane. */
  readonly map: PaneRect;
  /** The map, its outlier row and its times: what moves left by one cell for each new column. */
  readonly scrolling: PaneRect;
  /** Bins of the heat map: one or two per row. */
  readonly bins: number;
  readonly binsPerRow: number;
  /** Labels and tick marks, left of the map. */
  readonly axis: PaneRect;
  /** Average rates, at the left edge. */
  readonly panel: PaneRect | undefined;
  readonly outlierRow: number | undefined;
  readonly timeRow: number | undefined;
  readonly legendRow: number | undefined;
}

/** `>100ms` and the tick mark. */
const AXIS_WIDTH = 7;
/** With rates to its left, which its labels must not touch. */
const AXIS_WIDTH_WITH_PANEL = 8;
/** `<0.01/s`. */
const PANEL_WIDTH = 7;
/** On narrower screens the map needs the columns more than the reader needs rates. */
const LEAST_WIDTH_WITH_PANEL = 64;

/** The parts that a pane leaves out, and the width of its labels. */
export interface PaneParts {
  readonly times?: boolean;
  readonly legend?: boolean;
  readonly lane?: boolean;
  readonly rates?: boolean;
  readonly axisWidth?: number;
}

/** Whether a pane has room for rates, or for as many other figures, left of its axis. */
export function hasRates(width: number): boolean {
  return width >= LEAST_WIDTH_WITH_PANEL;
}

/**
 * The map ends at the right edge: anything to its right would have to be moved back each time that the terminal
 * shifts the map to the left.
 */
export function layoutPane(
  width: number,
  height: number,
  style: PixelStyle,
  parts: PaneParts = {},
): PaneLayout {
  const hasPanel = hasRates(width) && parts.rates !== false;
  const panelWidth = hasPanel ? PANEL_WIDTH : 0;
  const axisWidth = panelWidth === 0 ? AXIS_WIDTH : AXIS_WIDTH_WITH_PANEL;
  const left = Math.min(panelWidth + (parts.axisWidth ?? axisWidth), Math.max(0, width - 1));
  const lane = height >= 3 && parts.lane !== false ? 1 : 0;
  const time = height >= 4 && parts.times !== false ? 1 : 0;
  const legend = height >= 5 && parts.legend !== false ? 1 : 0;
  const rows = Math.max(0, height - lane - time - legend);
  const perRow = binsPerRow(style);
  const map = { x: left, y: lane, width: Math.max(0, width - left), height: rows };
  return {
    width,
    height,
    map,
    scrolling: { ...map, y: 0, height: lane + rows + time },
    bins: rows * perRow,
    binsPerRow: perRow,
    axis: { x: Math.min(panelWidth, left), y: lane, width: left - panelWidth, height: rows },
    panel: panelWidth === 0 ? undefined : { x: 0, y: lane, width: panelWidth, height: rows },
    outlierRow: lane === 1 ? 0 : undefined,
    timeRow: time === 1 ? lane + rows : undefined,
    legendRow: legend === 1 ? height - 1 : undefined,
  };
}
