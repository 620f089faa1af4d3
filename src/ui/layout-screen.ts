/** Cells from the top left corner of the screen; a width or height of 0 is not drawn. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface ScreenLayout {
  /** Whether the screen is too small: everything except for `status`, which holds the reason, is empty. */
  readonly tooSmall: boolean;
  readonly header: Rect;
  /** The heat map with its axes. */
  readonly pane: Rect;
  readonly tables: Rect;
  readonly status: Rect;
}

export const MIN_WIDTH = 40;
export const MIN_HEIGHT = 12;

/** From this width on the whole header fits one line. */
const ONE_LINE_HEADER_WIDTH = 210;

const STATUS_HEIGHT = 1;
const MIN_TABLES_HEIGHT = 3;
/** More rows of a top table are hardly read; the picture gains from every line. */
const MAX_TABLES_HEIGHT = 24;
const TABLES_SHARE = 0.3;

/** Header, picture, tables and status line, from top to bottom; the picture gets the most. */
export function layoutScreen(width: number, height: number): ScreenLayout {
  if (width < MIN_WIDTH || height < MIN_HEIGHT) return tooSmallLayout(width, height);
  const header = width >= ONE_LINE_HEADER_WIDTH ? 1 : 2;
  const rest = height - header - STATUS_HEIGHT;
  const wanted = Math.round(rest * TABLES_SHARE);
  const tables = Math.min(MAX_TABLES_HEIGHT, Math.max(MIN_TABLES_HEIGHT, wanted));
  const pane = rest - tables;
  return {
    tooSmall: false,
    header: { x: 0, y: 0, width, height: header },
    pane: { x: 0, y: header, width, height: pane },
    tables: { x: 0, y: header + pane, width, height: tables },
    status: { x: 0, y: height - STATUS_HEIGHT, width, height: STATUS_HEIGHT },
  };
}

function tooSmallLayout(width: number, height: number): ScreenLayout {
  const nothing = { x: 0, y: 0, width: 0, height: 0 };
  const status = { x: 0, y: 0, width, height };
  return { tooSmall: true, header: nothing, pane: nothing, tables: nothing, status };
}

/** From this height on the drill-down leaves a part of the picture visible. */
const TALL_HEIGHT = 34;
const KEPT_SHARE = 0.4;

/** Where the drill-down goes: as a full-screen text, or on a tall screen below a part of the picture. */
export function detailRect(layout: ScreenLayout): Rect {
  const whole = overlayRect(layout);
  if (layout.status.y + STATUS_HEIGHT < TALL_HEIGHT) return whole;
  const kept = Math.min(layout.pane.height, Math.floor(whole.height * KEPT_SHARE));
  return { ...whole, y: whole.y + kept, height: whole.height - kept };
}

/** Where a full-screen text goes: between the header and the status line. */
export function overlayRect(layout: ScreenLayout): Rect {
  const { pane, tables } = layout;
  return { ...pane, height: pane.height + tables.height };
}
