import { createKeyDecoder } from '../terminal/keys.ts';
import type { InputEvent } from '../terminal/keys.ts';

/** A lone Escape is told from the start of a sequence by what does not follow. */
const ESCAPE_AFTER_MS = 30;

/**
 * Makes keys and mouse events of the bytes that a terminal sends. Those that come together are obeyed
 * one by one before `taken` is called: painting each of them is slower than a held key repeats.
 */
export class Typing {
  /** Since when those that came together are being obeyed; undefined when there are none. */
  takenMs: number | undefined;
  private readonly keys = createKeyDecoder();
  private escapeTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly obey: (event: InputEvent) => void,
    private readonly taken: () => void,
  ) {}

  type(chunk: Buffer): void {
    clearTimeout(this.escapeTimer);
    this.take(this.keys.decode(chunk));
    if (!this.keys.isPending) return;
    this.escapeTimer = setTimeout(() => {
      this.take(this.keys.flush());
    }, ESCAPE_AFTER_MS);
  }

  dispose(): void {
    clearTimeout(this.escapeTimer);
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
