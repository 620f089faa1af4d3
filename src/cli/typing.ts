import { createKeyDecoder } from '../terminal/keys.ts';
import type { InputEvent } from '../terminal/keys.ts';

/** A lone Escape is told from the start of a sequence by what does not follow. */
const ESCAPE_AFTER_MS = 30;

/** Makes keys and mouse events of the bytes that a terminal sends. */
export class Typing {
  private readonly keys = createKeyDecoder();
  private escapeTimer: NodeJS.Timeout | undefined;

  constructor(private readonly take: (events: readonly InputEvent[]) => void) {}

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
}

/** Of the places that a pointer has passed in one go only the last matters. */
export function isOvertaken(event: InputEvent, next: InputEvent | undefined): boolean {
  const isMove = (one: InputEvent | undefined): boolean =>
    one?.kind === 'mouse' && one.action === 'move';
  return isMove(event) && isMove(next);
}
