import { describeInterval } from '../describe.ts';
import type { Facts } from '../facts.ts';
import type { ViewState } from '../state.ts';
import { passingNotice } from './passing-notice.ts';

const SECOND = 1e9;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Widths close enough to each other that a recording takes at least two thirds of the width of the picture. */
const RECORDED_WIDTHS_NS: readonly number[] = [
  ...[100, 150, 200, 300, 400, 500, 600, 800].map((ms) => ms * 1e6),
  ...[1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40].map((seconds) => seconds * SECOND),
  ...[1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40].map((minutes) => minutes * MINUTE),
  ...[1, 1.5, 2, 3, 4, 6, 8, 12].map((hours) => hours * HOUR),
  ...[1, 1.5, 2, 3, 5, 7].map((days) => days * DAY),
];

/** The width of columns at the start of a trace, in ns. */
export const FIRST_WIDTH_NS = 100e6;
/** The maximum width to which columns grow by themselves during a live trace, in ns. */
export const LAST_WIDTH_NS = 1e9;

/** Widths during a live trace; wider columns have to be chosen by hand. */
const LIVE_WIDTHS_NS: readonly number[] = [FIRST_WIDTH_NS, 200e6, 500e6, LAST_WIDTH_NS];

/**
 * Widens the columns so that all of the trace fits into the picture: for a recording, as far as necessary; during a
 * live trace, up to a second. Columns never get narrower by themselves.
 */
export function fitInterval(state: ViewState, facts: Facts): ViewState {
  const { nowNs, startNs, replay, columns } = facts;
  const isGrowing = replay === undefined;
  if (!state.fitsInterval || (isGrowing && state.frozenAtNs !== undefined)) return state;
  // The cross-hair is in a column: a wider one would be at another time.
  if (state.cursor !== undefined) return state;
  const endNs = replay !== undefined && replay.endNs < Infinity ? replay.endNs : nowNs;
  const firstNs = replay?.startNs ?? startNs;
  const widths = isGrowing ? LIVE_WIDTHS_NS : RECORDED_WIDTHS_NS;
  const fits = (ns: number): boolean => Math.floor(endNs / ns) - Math.floor(firstNs / ns) < columns;
  const intervalNs = Math.max(state.intervalNs, widths.find(fits) ?? widths.at(-1)!);
  if (intervalNs === state.intervalNs) return state;
  const next = { ...state, intervalNs };
  const isFree = state.notice === undefined || state.notice === state.passing?.notice;
  return isGrowing && isFree ? passingNotice(next, describeInterval(next), facts) : next;
}
