import { NS_PER_SECOND } from '../../base/time.ts';
import type { Playback } from '../../model/playback.ts';
import type { ViewState } from '../../view/state.ts';

/** How often the picture shows I/O while it comes, where its columns are wider than that. */
const FRESH_NS = 250e6;

/**
 * Least time between frames that nobody asked for with a key, for a program with a budget of processor time, by step: the
 * later ones are for one that takes more. The first is for the time after the start, when columns are 100 ms wide and
 * code is not compiled yet, so that a frame takes 8 ms of processor time, several times as much as later.
 */
export const FRAMES_APART_NS: readonly number[] = [200e6, 500e6, NS_PER_SECOND];

/** What determines when the next frame is due. All times are trace time. */
export interface FrameTimes {
  readonly paintedAtNs: number;
  /** Width of a column; undefined while the picture is frozen. */
  readonly columnNs: number | undefined;
  /** One of `FRAMES_APART_NS`, or 0. */
  readonly apartNs: number;
}

export interface FrameFacts extends FrameTimes {
  readonly nowNs: number;
  /** Whether I/O or a note has come since the last frame. */
  readonly hasNews: boolean;
}

/**
 * Whether the picture or the figures have changed since the last frame: figures are counted once a second, the picture
 * moves when a column has passed. I/O is shown at once after a pause, then a few times a second. While none comes, a
 * program with a budget moves the picture once a second.
 */
export function isFrameDue({ nowNs, hasNews, ...times }: FrameFacts): boolean {
  if (!hasNews && times.apartNs > 0)
    return nowNs >= multipleAfter(times.paintedAtNs, NS_PER_SECOND);
  return nowNs >= nextStepNs(times) || (hasNews && nowNs >= freshNs(times));
}

/** When a frame is due if I/O goes on. */
export function nextFrameNs(times: FrameTimes): number {
  return Math.min(nextStepNs(times), freshNs(times));
}

/** When the picture or the figures change by themselves. */
function nextStepNs({ paintedAtNs, columnNs = Infinity, apartNs }: FrameTimes): number {
  return Math.min(
    multipleAfter(paintedAtNs, NS_PER_SECOND),
    multipleAfter(paintedAtNs, Math.max(columnNs, apartNs)),
  );
}

function multipleAfter(atNs: number, ns: number): number {
  return (Math.floor(atNs / ns) + 1) * ns;
}

/** When I/O is shown. */
function freshNs({ paintedAtNs, columnNs, apartNs }: FrameTimes): number {
  if (columnNs === undefined) return Infinity;
  return paintedAtNs + framesApartNs(columnNs, apartNs);
}

function framesApartNs(columnNs: number, apartNs: number): number {
  return Math.max(apartNs, Math.min(columnNs, FRESH_NS));
}

/** How many times as many frames there are at the step before this one. */
export function timesAsMany(columnNs: number, step: number): number {
  const apart = (at: number): number => framesApartNs(columnNs, FRAMES_APART_NS[Math.max(0, at)]!);
  return apart(step) / apart(step - 1);
}

/** A frame, and when it was drawn. */
export interface ReplayFrame {
  readonly view: ViewState;
  /** Of what it shows. */
  readonly version: number;
  /** Undefined where nothing is replayed. */
  readonly state: Playback['state'] | undefined;
  readonly share: number | undefined;
  readonly atMs: number;
}

/** For notices that pass. */
const STANDING_FRAME_MS = 1000;

/** Whether each frame of a replay in this state differs from the one before. */
export function isMoving(state: Playback['state'] | undefined): boolean {
  return state === 'loading' || state === 'playing' || state === 'following';
}

/** A replay that stands still is drawn when something has changed, and once a second. */
export function isReplayFrameDue(painted: ReplayFrame | undefined, now: ReplayFrame): boolean {
  if (painted === undefined || isMoving(now.state)) return true;
  if (now.atMs - painted.atMs >= STANDING_FRAME_MS) return true;
  const { view, version, state, share } = painted;
  return view !== now.view || version !== now.version || state !== now.state || share !== now.share;
}
