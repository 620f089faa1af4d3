import { NS_PER_MS } from '../../base/time.ts';
import type { Playback } from '../../model/playback.ts';
import { isMoving } from './frame-due.ts';

/** Ten frames a second look steady and are cheap over a slow link. */
const FRAME_EVERY_MS = 100;
/** Many I/Os are taken twice as often as frames may be drawn: a full ring is then rare (16 MB take 130,000 I/Os). */
export const PUMP_EVERY_MS = FRAME_EVERY_MS / 2;
/**
 * While a few come all the time, they are taken for frames alone, because each wakeup delays one of them; but after so
 * long at the latest. Many are not: what has come by then takes so long at once that more I/O waits for it.
 */
const FEW_EVERY_MS = 300;
/** While none come: the first I/O after a pause is to be shown at once, for a person. */
const IDLE_EVERY_MS = 200;
/** Per ms; the smallest ring takes 512, more than come in `FEW_EVERY_MS` at this rate. */
const MANY_ROWS = 1.5;

export interface TickerParts {
  /** Takes what has come; `mayPaint`: the last tick at which a frame was possible is long enough ago. */
  readonly onTick: (mayPaint: boolean) => void;
  /** I/Os taken one by one so far. */
  readonly rowsTaken: () => number;
  /** Undefined where nothing is replayed. */
  readonly replay: () => Playback['state'] | undefined;
  /** Both in ns of trace time; the second: when a frame is due if I/O goes on. */
  readonly nowNs: () => number;
  readonly nextFrameNs: () => number;
}

/** Wakes a session up: rarely while little happens, as each time takes a processor from a load. */
export class Ticker {
  private timer: NodeJS.Timeout | undefined;
  private tickMs = 0;
  /** Since the last tick at which a frame was possible. */
  private sinceFrameMs = 0;
  /** What had been taken then. */
  private seenRows = 0;

  constructor(private readonly parts: TickerParts) {}

  start(): void {
    this.tickEvery(PUMP_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const startNs = this.parts.nowNs();
    this.sinceFrameMs += this.tickMs;
    const mayPaint = this.sinceFrameMs >= FRAME_EVERY_MS;
    this.parts.onTick(mayPaint);
    if (!mayPaint) return;
    this.tickEvery(this.nextTickMs(startNs));
    this.sinceFrameMs = 0;
  }

  /** `startNs`: when this tick began, from which the timer counts, in whole ms: it may be early by one. */
  private nextTickMs(startNs: number): number {
    const rowsTaken = this.parts.rowsTaken();
    const rows = rowsTaken - this.seenRows;
    this.seenRows = rowsTaken;
    const state = this.parts.replay();
    // A replay may have to be loaded.
    if (rows >= MANY_ROWS * this.sinceFrameMs || isMoving(state)) return PUMP_EVERY_MS;
    if (state !== undefined) return FRAME_EVERY_MS;
    if (rows === 0) return IDLE_EVERY_MS;
    const untilFrameMs = 1 + Math.ceil((this.parts.nextFrameNs() - startNs) / NS_PER_MS);
    return Math.min(Math.max(FRAME_EVERY_MS, untilFrameMs), FEW_EVERY_MS);
  }

  private tickEvery(ms: number): void {
    if (ms === this.tickMs) return;
    clearInterval(this.timer);
    this.tickMs = ms;
    this.timer = setInterval(this.tick.bind(this), ms);
  }
}
