import { createKeyDecoder } from '../terminal/keys.ts';
import type { InputEvent } from '../terminal/keys.ts';

/** How long it must be quiet until what is unfinished is decided on. */
const QUIET_MS = {
  /** A lone Escape is told from the start of a sequence by what does not follow. */
  key: 30,
  /** A paste comes in pieces. Were one given up too early, the rest of it would act as keys. */
  paste: 1000,
};

/**
 * Makes keys and mouse events of the bytes that a terminal sends. Those that come together are obeyed
 * one by one before `taken` is called: painting each of them is slower than a held key repeats.
 */
export class Typing {
  /** Since when those that came together are being obeyed; undefined when there are none. */
  takenMs: number | undefined;
  private readonly keys = createKeyDecoder();
  private quietTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly obey: (event: InputEvent) => void,
    private readonly taken: () => void,
  ) {}

  type(chunk: Buffer): void {
    clearTimeout(this.quietTimer);
    this.take(this.keys.decode(chunk));
    const { pending } = this.keys;
    if (pending === undefined) return;
    this.quietTimer = setTimeout(() => {
      this.take(this.keys.flush());
    }, QUIET_MS[pending]);
  }

  dispose(): void {
    clearTimeout(this.quietTimer);
  }

  private take(events: readonly InputEvent[]): void {
    this.takenMs = performance.now();
    for (const [at, event] of events.entries())
      if (!isOvertaken(event, events[at + 1])) this.obey(event);
    this.takenMs = undefined;
    this.taken();
  }
}

/** Of the places that a pointer has passed in one go only the last matters. */
function isOvertaken(event: InputEvent, next: InputEvent | undefined): boolean {
  const isMove = (one: InputEvent | undefined): boolean =>
    one?.kind === 'mouse' && one.action === 'move';
  return isMove(event) && isMove(next);
}
