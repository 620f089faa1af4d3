import { createKeyDecoder } from '../../terminal/keys.ts';
import type { InputEvent } from '../../terminal/keys.ts';

/** Silence after which an unfinished sequence is decided. */
const QUIET_MS = {
  /** A lone Escape is distinguished from the start of a sequence by the silence after it. */
  key: 30,
  /** A paste arrives in pieces. If it were ended too early, the rest would act as keys. */
  paste: 1000,
  /** So does an answer of the terminal over a slow link. */
  answer: 300,
};

/**
 * Decodes the bytes of a terminal into keys and mouse events. Those that arrive together are dispatched
 * one by one before `taken` is called: painting after each is slower than a held key repeats.
 */
export class Typing {
  /** When the current group of events started; undefined when there is none. */
  takenMs: number | undefined;
  private readonly keys = createKeyDecoder();
  private quietTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly obey: (event: InputEvent) => void,
    private readonly taken: () => void,
  ) {}

  type(chunk: Buffer): void {
    // Answers go on while the end of a paste is missing.
    if (this.keys.pending === 'paste' && isOnlyAnswers(chunk)) {
      this.take(this.keys.decode(chunk));
      return;
    }
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

function isOnlyAnswers(chunk: Buffer): boolean {
  return /^(\x1b\[0n)+$/.test(chunk.toString('latin1'));
}

/** Of several pointer moves in one group only the last matters. */
function isOvertaken(event: InputEvent, next: InputEvent | undefined): boolean {
  const isMove = (one: InputEvent | undefined): boolean =>
    one?.kind === 'mouse' && one.action === 'move';
  return isMove(event) && isMove(next);
}
