import type { EndSignal } from '../../base/end-signals.ts';
import { signalExitCode } from '../../base/end-signals.ts';
import type { IoheatError } from '../../base/result.ts';
import { exitAtOnce } from './exit-at-once.ts';

/** How a command that may record has ended. */
export interface Ending {
  /** Lines to print at the end. */
  readonly message: string;
  /** Why a recording failed. */
  readonly failure: IoheatError | undefined;
  /** The signal that has ended it, if one did. */
  readonly signal: EndSignal | undefined;
}

/**
 * A signal this long after the first is a person's impatience. Earlier ones are the same event:
 * `timeout` sends its signal twice, and both the kernel and the shell send a hang-up.
 */
const IMPATIENT_AFTER_MS = 1000;

/** What signals ask for: the first, a clean end; a later one, an immediate end. */
export class EndRequest {
  /** The first signal. */
  signal: EndSignal | undefined;
  /** Called with the first signal. */
  onFirst: () => void = () => undefined;
  private firstMs = 0;

  readonly accept = (signal: EndSignal): void => {
    if (this.signal === undefined) {
      this.signal = signal;
      this.firstMs = performance.now();
      this.onFirst();
    } else if (performance.now() - this.firstMs > IMPATIENT_AFTER_MS) {
      void exitAtOnce(signalExitCode(this.signal));
    }
  };
}
