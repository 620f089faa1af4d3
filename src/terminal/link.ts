/**
 * Asks the terminal for its status (DSR): it answers `CSI 0 n` among the keys, once it has taken all that was sent
 * before. xterm, tmux, GNU screen and the Linux console do; the others ignore it.
 */
export const STATUS_QUESTION = '\x1b[5n';

/** A terminal that has not answered by then is silent. Many links and terminals are faster, few slower. */
const FIRST_ANSWER_MS = 500;

/** After this, and the time that the bytes take on the slowest link, an answer is lost. */
const LOST_MS = 3000;
const LEAST_BYTES_PER_MS = 1;

/** With this many lost answers in a row, the terminal behind the link has become another one, which is silent. */
const MAX_LOST = 3;

/** Time that the bytes sent at once may take, so that a key waits for at most twice that and its own answer. */
const CHUNK_MS = 25;
/** Bytes to send at once at least: fewer would be mostly the sequences that begin and end a frame. */
const LEAST_CHUNK = 300;

/** Faster links (bytes per ms) take whole frames: 50 kB/s. */
const FAST = 50;

/** Bytes of a frame from which the link can be measured: smaller frames show more of the machine than of the link. */
const LEAST_SAMPLE = 200;
const LEAST_SAMPLE_MS = 50;
/** A frame that takes this long proves a slow link; a shorter time must be seen twice. */
const PROOF_MS = 350;
/** An answer this late, in addition to the round trip, means that bytes are waiting somewhere. */
const LATE_MS = 150;

/**
 * Maximum growth of the measured rate per frame: links that deliver in bursts look faster than they are, now and then.
 */
const MOST_GROWTH = 1.25;

/** A longer round trip counts as this: the rest is waiting. */
const MAX_ROUND_TRIP_MS = 500;

interface Question {
  readonly askedMs: number;
  /** The bytes sent between the previous question and this one. */
  readonly bytes: number;
  /** Whether nothing else was on its way, so that the answer shows the round trip. */
  readonly isAlone: boolean;
}

/**
 * How fast the link to the terminal is, and how much may be sent now. Bytes wait for seconds in the buffers of a slow
 * link, which a program that writes does not notice. So each frame is sent between two questions: the time between
 * their answers is what the link needed. Times are in ms, rates in bytes per ms.
 *
 * An answer comes from outside. A false one makes the link seem faster: more is sent, as to a silent terminal.
 */
export class Link {
  private state: 'unknown' | 'answering' | 'silent' = 'unknown';
  /** Open questions, in the order of their answers. */
  private readonly open: Question[] = [];
  private bytesOnTheWay = 0;
  private rate = Infinity;
  private isMeasured = false;
  private roundTripMs: number | undefined;
  private answeredMs = 0;
  private slowSamples = 0;
  /** How often in a row an answer did not come in time. */
  private lost = 0;
  /** The number of old questions whose answers are not waited for any more, although they may come. */
  private givenUp = 0;

  /** Whether the terminal should be asked. */
  get isAsked(): boolean {
    return this.state !== 'silent';
  }

  /** The number of answers that may still come. */
  get awaited(): number {
    return this.state === 'silent' ? 0 : this.open.length;
  }

  /** Call it when a question is sent, with the number of bytes since the question before. */
  asked(bytes: number, nowMs: number): void {
    const isAlone = bytes === 0 && this.bytesOnTheWay === 0;
    this.open.push({ askedMs: nowMs, bytes, isAlone });
    this.bytesOnTheWay += bytes;
  }

  answered(nowMs: number): void {
    this.state = 'answering';
    const question = this.open.shift();
    if (question === undefined) return;
    if (this.givenUp > 0) this.givenUp--;
    else this.learn(question, nowMs);
    this.answeredMs = nowMs;
  }

  /**
   * The number of bytes that may be sent now; 0 if those on the way must arrive first. The answer to a key may be sent
   * once in addition.
   */
  room(isUrgent: boolean, nowMs: number): number {
    if (this.state === 'silent') return Infinity;
    // One frame at a time until it is known how long one takes.
    if (!this.isMeasured && !isUrgent && this.bytesOnTheWay > 0) return 0;
    const rate = Math.min(this.rate, this.rateAtMost(nowMs));
    if (rate >= FAST) return Infinity;
    const chunk = Math.max(LEAST_CHUNK, rate * CHUNK_MS);
    const mayWait = chunk + rate * Math.min(MAX_ROUND_TRIP_MS, this.roundTripMs ?? 0);
    const free = mayWait - this.bytesOnTheWay;
    if (free >= chunk / 2) return Math.min(free, chunk);
    // Parts are a little longer than requested.
    return isUrgent && free > -chunk / 2 ? chunk : 0;
  }

  /** Ms until `giveUp` is due; undefined if nothing is awaited. */
  patienceMs(nowMs: number): number | undefined {
    const oldest = this.open[this.givenUp];
    if (oldest === undefined || this.state === 'silent') return undefined;
    const longestMs =
      this.state === 'unknown'
        ? FIRST_ANSWER_MS
        : LOST_MS + this.bytesOnTheWay / LEAST_BYTES_PER_MS;
    return Math.max(0, oldest.askedMs + longestMs - nowMs);
  }

  /** Call it when an answer has not come in time. */
  giveUp(): void {
    if (this.state === 'unknown') {
      // The answers may still come, and will be in order.
      this.state = 'silent';
      return;
    }
    // At first, late answers are expected in order; then none at all.
    if (++this.lost > 1) this.forget();
    this.givenUp = this.open.length;
    this.bytesOnTheWay = 0;
    if (this.lost >= MAX_LOST) this.state = 'silent';
  }

  /** Call it when another program had the terminal: it may be another terminal now. */
  restart(): void {
    this.forget();
    this.state = 'unknown';
    this.lost = 0;
  }

  private forget(): void {
    this.open.length = 0;
    this.givenUp = 0;
    this.bytesOnTheWay = 0;
  }

  /**
   * The highest rate that is possible, given for how long the oldest answer has been missing; Infinity while it is not
   * late.
   */
  private rateAtMost(nowMs: number): number {
    const oldest = this.open.slice(this.givenUp).find(({ bytes }) => bytes > 0);
    if (oldest === undefined) return Infinity;
    const waitedMs = nowMs - oldest.askedMs - (this.roundTripMs ?? 0);
    return waitedMs < LATE_MS ? Infinity : this.bytesOnTheWay / waitedMs;
  }

  private learn({ askedMs, bytes, isAlone }: Question, nowMs: number): void {
    this.lost = 0;
    this.bytesOnTheWay -= bytes;
    if (isAlone) this.learnRoundTrip(nowMs - askedMs);
    if (bytes > 0) this.learnRate(bytes, nowMs - this.answeredMs);
  }

  private learnRoundTrip(sampleMs: number): void {
    const { roundTripMs = Infinity } = this;
    // Grows slowly, because many things delay a single answer.
    this.roundTripMs = Math.min(sampleMs, 1 + roundTripMs * 1.1);
  }

  private learnRate(bytes: number, tookMs: number): void {
    this.isMeasured = true;
    const sample = bytes / Math.max(1, tookMs);
    if (sample >= FAST) this.slowSamples = 0;
    if (sample > this.rate) {
      if (bytes >= LEAST_SAMPLE) this.rate = Math.min(sample, MOST_GROWTH * this.rate);
    } else if (this.rate < FAST) {
      if (bytes >= LEAST_SAMPLE || tookMs >= LEAST_SAMPLE_MS) this.rate += (sample - this.rate) / 2;
    } else if (sample < FAST && tookMs >= LEAST_SAMPLE_MS) {
      if (++this.slowSamples >= 2 || tookMs >= PROOF_MS) this.rate = sample;
    }
    if (this.rate >= FAST) this.rate = Infinity;
  }
}
