import { createKeyDecoder } from '../../terminal/keys.ts';
import type { InputEvent } from '../../terminal/keys.ts';

/** An unfinished sequence is taken as it stands after this much silence. */
const QUIET_MS = {
  /** A lone Escape is distinguished from the start of a sequence by the silence after it. */
  key: 30,
  /** A paste arrives in pieces. If it were ended too early, the rest would act as keys. */
  paste: 1000,
  /** An answer of the terminal arrives in pieces over a slow link. */
  answer: 300,
};

/**
 * Decodes the bytes of a terminal into keys and mouse events. Events that arrive together are dispatched one by one
 * before `dispatchedAll` is called, because painting after each is slower than a held key repeats.
 */
export class InputDispatcher {
  /** When the events that are being dispatched arrived; undefined if there are none. */
  arrivedMs: number | undefined;
  private readonly keys = createKeyDecoder();
  private quietTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly dispatch: (event: InputEvent) => void,
    private readonly dispatchedAll: () => void,
  ) {}

  receive(chunk: Buffer): void {
    // The terminal sends answers even while the end of a paste is missing.
    if (this.keys.pending === 'paste' && isOnlyAnswers(chunk)) {
      this.dispatchEach(this.keys.decode(chunk));
      return;
    }
    clearTimeout(this.quietTimer);
    this.dispatchEach(this.keys.decode(chunk));
    const { pending } = this.keys;
    if (pending === undefined) return;
    this.quietTimer = setTimeout(() => {
      this.dispatchEach(this.keys.flush());
    }, QUIET_MS[pending]);
  }

  dispose(): void {
    clearTimeout(this.quietTimer);
  }

  private dispatchEach(events: readonly InputEvent[]): void {
    this.arrivedMs = performance.now();
    for (const [at, event] of events.entries())
      if (!isOvertaken(event, events[at + 1])) this.dispatch(event);
    this.arrivedMs = undefined;
    this.dispatchedAll();
  }
}

function isOnlyAnswers(chunk: Buffer): boolean {
  return /^(\x1b\[0n)+$/.test(chunk.toString('latin1'));
}

/** Of pointer moves that arrive together, only the last one matters. */
function isOvertaken(event: InputEvent, next: InputEvent | undefined): boolean {
  const isMove = (one: InputEvent | undefined): boolean =>
    one?.kind === 'mouse' && one.action === 'move';
  return isMove(event) && isMove(next);
}
