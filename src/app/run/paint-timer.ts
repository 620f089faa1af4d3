import type { PaintClock } from '../../paint/painter.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The machine's clock. It ends the painting when a signal asks for it. */
export class PaintTimer implements PaintClock {
  /** The signal that ended the painting. */
  signal: (typeof SIGNALS)[number] | undefined;
  private wake: () => void = () => undefined;

  private readonly stop = (signal: (typeof SIGNALS)[number]): void => {
    this.signal = signal;
    this.wake();
  };

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.stop);
  }

  nowNs(): bigint {
    return process.hrtime.bigint();
  }

  async waitUntil(atNs: bigint): Promise<boolean> {
    const ms = Number(atNs - this.nowNs()) / 1e6;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      setTimeout(resolve, Math.max(0, ms));
    });
    return this.signal === undefined;
  }

  dispose(): void {
    for (const signal of SIGNALS) process.off(signal, this.stop);
  }
}
