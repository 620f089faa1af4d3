/** Keys are looked at this often while a replay that is behind loads. */
const LOAD_MS = 20;

/**
 * Loads a replay without a rest while it is behind, batch by batch, with room for keys in between: a
 * timer would leave half of the processor idle, and let a trace of small batches crawl.
 */
export class LoadPacer {
  private going: NodeJS.Immediate | undefined;

  /** `pump` takes a batch. */
  constructor(
    private readonly replay: { readonly isBehind: boolean },
    private readonly pump: () => void,
  ) {}

  /** Takes at least one batch, and more for so long; then goes on by itself. */
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
