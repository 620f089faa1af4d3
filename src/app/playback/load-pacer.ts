/** Time between two turns for keys, while a replay that is behind loads. */
const LOAD_MS = 20;

/**
 * Loads a replay without pauses while it is behind, batch by batch, and lets keys be answered in
 * between: a timer would leave half of the processor idle, and be slow for a trace of small batches.
 */
export class LoadPacer {
  private going: NodeJS.Immediate | undefined;

  /** `pump` reads one batch. */
  constructor(
    private readonly replay: { readonly isBehind: boolean },
    private readonly pump: () => void,
  ) {}

  /** Reads at least one batch, and more until the deadline; then continues by itself. */
  load(ms = LOAD_MS): void {
    const untilMs = performance.now() + ms;
    do this.pump();
    while (this.replay.isBehind && performance.now() < untilMs);
    this.stop();
    if (this.replay.isBehind) this.going = setImmediate(this.load.bind(this, LOAD_MS));
  }

  stop(): void {
    clearImmediate(this.going);
  }
}
