import type { EndSignal } from '../base/end-signals.ts';
import { signalExitCode } from '../base/end-signals.ts';
import type { IoheatError } from '../base/result.ts';
import { exitAtOnce } from './exit-at-once.ts';

/** How a command that may record has ended. */
export interface Ending {
  /** What is left to tell. */
  readonly told: string;
  /** Why a recording is not what was asked for. */
  readonly failure: IoheatError | undefined;
  /** The signal that has ended it, if one did. */
  readonly signal: EndSignal | undefined;
}

/**
 * A signal that comes so much later than the first is a person's impatience. Earlier ones are the same
 * event: `timeout` sends its signal twice, and a hang-up is told by the kernel and by the shell.
 */
const IMPATIENT_AFTER_MS = 1000;

/** What signals ask for: the first, to end in order; a later one, to end at once. */
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
